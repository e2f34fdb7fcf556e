"""The training of a batch of recall networks, as a generator of step records."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from lm_core.errors import CheckpointError
from lm_core.experiments.rnn_vs_lstm.networks import RecallNetworks
from lm_core.experiments.rnn_vs_lstm.settings import EVERY_EPOCHS, RecallSettings


class RecallStep(NamedTuple):
    """One epoch of all networks of a batch; networks in the order of `RecallSettings.networks`.

    Attributes
    ----------
    step : int
        Epochs done.
    loss : float
        Mean of `losses`.
    losses : tuple of float
        Nats per answer before the epoch's update; not a number where a network has diverged.
    seconds : float
        Training time so far.
    accuracies : tuple of float or None
        Share of sequences whose last answer is right, 0 to 1, after every tenth and the last epoch.
    """

    step: int
    loss: float
    losses: tuple[float, ...]
    seconds: float
    accuracies: tuple[float, ...] | None = None

    @property
    def is_news(self) -> bool:
        """Whether somebody who watches should see it at once."""
        return self.accuracies is not None


class RecallTraining:
    """Many small networks in training at once; iterate over it to train.

    Adam with the source's schedule: the rate of epoch e of E is (E - e) / E of the first.

    Parameters
    ----------
    settings : RecallSettings
    device : torch.device

    Attributes
    ----------
    networks : RecallNetworks
    step : int
        Epochs done.
    seconds : float
        Time spent in training and in measuring accuracies.
    """

    def __init__(self, settings: RecallSettings, *, device: torch.device | str = "cpu") -> None:
        self.settings = settings
        self.networks = RecallNetworks(settings, device=device)
        self.step, self.seconds = 0, 0.0
        weights = list(self.networks.parameters.values())
        self._adam = torch.optim.Adam(weights, lr=settings.learning_rate, fused=True)

    def __iter__(self) -> Iterator[RecallStep]:
        """Yield one record for each remaining epoch."""
        settings = self.settings
        while self.step < settings.epochs:
            begin = time.perf_counter()
            share_left = (settings.epochs - self.step) / settings.epochs
            for group in self._adam.param_groups:
                group["lr"] = settings.learning_rate * share_left
            losses = self.networks.learn()
            if settings.clip is not None:
                self.networks.clip_gradients(settings.clip)
            self._adam.step()
            self.step += 1
            accuracies = None
            if self.step % EVERY_EPOCHS == 0 or self.step == settings.epochs:
                accuracies = tuple(self.networks.accuracies().tolist())
            self.seconds += time.perf_counter() - begin
            yield RecallStep(
                step=self.step,
                loss=float(losses.mean()),
                losses=tuple(losses.tolist()),
                seconds=self.seconds,
                accuracies=accuracies,
            )

    def state_dict(self) -> dict[str, Any]:
        """Return all that is needed to go on from here."""
        weights = {name: w.detach().clone() for name, w in self.networks.parameters.items()}
        return {
            "weights": weights,
            "adam": self._adam.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record.

        Raises
        ------
        CheckpointError
            If it is of other networks.
        """
        parameters = self.networks.parameters
        shapes = {name: tuple(weight.shape) for name, weight in parameters.items()}
        given = {name: tuple(weight.shape) for name, weight in saved["weights"].items()}
        if given != shapes:
            raise CheckpointError(f"the state must be of networks {shapes}, got {given}")
        with torch.no_grad():
            for name, weight in parameters.items():
                weight.copy_(saved["weights"][name])
        self._adam.load_state_dict(saved["adam"])
        self.step, self.seconds = int(saved["step"]), float(saved["seconds"])
