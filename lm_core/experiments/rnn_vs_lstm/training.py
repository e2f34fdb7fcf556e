"""The training of a batch of recall networks, all at once, as a generator of step records."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor
from torch.func import functional_call, vmap
from torch.nn import functional

from lm_core.errors import CheckpointError
from lm_core.experiments.rnn_vs_lstm.backbones import build_network, initialised_network
from lm_core.experiments.rnn_vs_lstm.results import RecallResult
from lm_core.experiments.rnn_vs_lstm.settings import EVERY_EPOCHS, RecallSettings, n_sequences
from lm_core.models.recurrent import Cell
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop
from lm_core.training.resumable import Parts, Resumable, Value
from lm_core.training.stacked_networks import StackedNetworks

_IN_PIECES = torch.nn.LinearCrossEntropyOptions(batch_chunk_size=512, chunking_method=None)
"""The logits (N * L, V) are never all there at once: the pieces fit into the cache, in half the time."""


FILLERS_SEED = 5
"""Of the random symbols on which trained networks are tried."""


class EqualNetworks(StackedNetworks):
    """Networks of one length, one a seed, as one computation: `vmap` runs one over all their weights.

    `length`: int, L, in symbols.
    """

    def __init__(
        self,
        settings: RecallSettings,
        length: int,
        *,
        device: torch.device | str = "cpu",
        dtype: torch.dtype = torch.float32,
    ) -> None:
        shape = settings.backbone, settings.vocabulary, settings.hidden_units, length
        networks = [
            initialised_network(*shape, seed, torch_biases=settings.torch_biases).to(device, dtype)
            for seed in settings.seeds
        ]
        self.length = length
        super().__init__(networks)
        self._network = build_network(*shape)
        first = torch.arange(n_sequences(settings.vocabulary, length), device=device)
        self._answers = first  # row n begins with symbol n
        self._symbols = first[:, None] + torch.arange(length, device=device)  # consecutive, (N, L)

    def hidden(self, symbols: Tensor) -> Tensor:
        """Return what all networks remember at each step of symbols (N, L), as (S, N, L, H)."""

        def of_one(weights: dict[str, Tensor]) -> Tensor:
            hidden: Tensor = functional_call(self._network, weights, (symbols,))
            return hidden

        if isinstance(self._network.backbone, Cell):
            stacked: Tensor = vmap(of_one)(self.weights)
            return stacked
        # torch's fused attention has no rule for vmap: one network after another.
        one_by_one = zip(*(weight.unbind() for weight in self.weights.values()), strict=True)
        return torch.stack(
            [of_one(dict(zip(self.weights, one, strict=True))) for one in one_by_one]
        )

    def losses(self) -> Tensor:
        """Return each network's mean cross-entropy over all answers, in nats, (S,)."""
        answers = self._answers.repeat_interleave(self.length)  # after each symbol, the first
        of_network = zip(
            self.hidden(self._symbols).flatten(1, 2).unbind(),  # (N * L, H) each
            self.weights["output.weight"].unbind(),
            self.weights["output.bias"].unbind(),
            strict=True,
        )
        losses = [
            functional.linear_cross_entropy(
                hidden, weight, answers, linear_bias=bias, options=_IN_PIECES
            )
            for hidden, weight, bias in of_network
        ]
        return torch.stack(losses)

    @torch.no_grad()
    def accuracies(self, fillers: Tensor | None = None) -> Tensor:
        """Return the share of sequences that end in the right answer, (S,), 0 to 1.

        `fillers` (at least N, at least L) take the place of every symbol but the first.
        """
        symbols = self._symbols
        if fillers is not None:
            symbols = fillers[: len(symbols), : self.length].clone()
            symbols[:, 0] = self._answers
        last = self.hidden(symbols)[:, :, -1]  # (S, N, H)
        logits = last @ self.weights["output.weight"].mT + self.weights["output.bias"][:, None]
        return (logits.argmax(2) == self._answers).double().mean(1)


class RecallStep(NamedTuple):
    """One epoch of all networks of a batch; networks in the order of `RecallSettings.networks`."""

    step: int
    """Epochs done."""
    loss: float
    """Mean of `losses`."""
    losses: tuple[float, ...]
    """Nats per answer before the epoch's update; not a number where a network has diverged."""
    seconds: float
    """Training time so far."""
    accuracies: tuple[float, ...] | None = None
    """Share of sequences whose last answer is right, 0 to 1, after every tenth and the last
    epoch."""

    @property
    def is_news(self) -> bool:
        """Whether somebody who watches should see it at once."""
        return self.accuracies is not None


class RecallTraining(Resumable):
    """Many small networks in training at once; iterate over it to train.

    What a network becomes depends on its own length and seed alone: alone or in a batch it is the
    same, up to the last bits of floating-point sums. Adam's rate in epoch e of E is (E - e) / E of
    the first.

    `dtype`: torch.dtype, float32; tests take float64. `groups`: list of EqualNetworks, one for each
    length, longest first.
    """

    def __init__(
        self,
        settings: RecallSettings,
        *,
        device: torch.device | str = "cpu",
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self.settings = settings
        lengths = dict.fromkeys(length for length, _ in settings.networks)
        self.groups = [EqualNetworks(settings, n, device=device, dtype=dtype) for n in lengths]
        self._device = device
        self._losses: tuple[float, ...] = ()
        weights = [weight for group in self.groups for weight in group.weights.values()]
        self.loop = TrainingLoop(
            weights,
            self._next_loss,
            Adam(weights, lr=settings.learning_rate, fused=True),
            steps=settings.epochs,
            learning_rate=lambda e: settings.learning_rate * (1.0 - e / settings.epochs),
            clip=lambda _: self.clip_gradients(settings.clip),
            reported=lambda total: total.item() / len(settings.networks),
            stops_at_divergence=False,
        )

    def __iter__(self) -> Iterator[RecallStep]:
        """Yield one record for each remaining epoch."""
        for step in self.loop:
            is_due = step.step % EVERY_EPOCHS == 0 or step.step == self.settings.epochs
            accuracies = tuple(self.accuracies().tolist()) if is_due else None
            yield RecallStep(step.step, step.loss, self._losses, step.seconds, accuracies)

    def losses(self) -> Tensor:
        """Return each network's mean cross-entropy over all answers, in nats, with its graph."""
        return torch.cat([group.losses() for group in self.groups])

    def accuracies(self, fillers_seed: int | None = None) -> Tensor:
        """Return how many of each network's sequences end in the right answer, 0 to 1.

        Parameters
        ----------
        fillers_seed : int, optional
            If given, every symbol but the first is drawn at random from it: sequences that no
            network has been trained on, whose last symbol no longer gives the first one away.
        """
        fillers = None
        if fillers_seed is not None:
            vocabulary, lengths = self.settings.vocabulary, [group.length for group in self.groups]
            shape = n_sequences(vocabulary, min(lengths)), max(lengths)
            fillers = torch.randint(vocabulary, shape, generator=generator(fillers_seed))
            fillers = fillers.to(self._device)
        return torch.cat([group.accuracies(fillers) for group in self.groups])

    def clip_gradients(self, largest: float | None) -> Tensor:
        """Shorten each network's gradient by its own norm; return the longest norm before.

        A network that has diverged leaves the others alone.
        """
        return torch.cat([group.clip_gradients(largest) for group in self.groups]).max()

    def _parts(self) -> Parts:
        return {"weights": Value(self._copied_weights, self._put_weights)}

    def _copied_weights(self) -> list[dict[str, Tensor]]:
        return [
            {name: weight.detach().clone() for name, weight in group.weights.items()}
            for group in self.groups
        ]

    @torch.no_grad()
    def _put_weights(self, saved: list[dict[str, Tensor]]) -> None:
        shapes = [_shapes(group.weights) for group in self.groups]
        given = [_shapes(weights) for weights in saved]
        if given != shapes:
            raise CheckpointError(f"the state must be of networks {shapes}, got {given}")
        for group, weights in zip(self.groups, saved, strict=True):
            for name, weight in group.weights.items():
                weight.copy_(weights[name])

    def _next_loss(self) -> Tensor:
        """Return the sum of all losses: every network then gets the gradient of its own."""
        losses = self.losses()
        self._losses = tuple(losses.detach().tolist())
        return losses.sum()


def train_batch(
    settings: RecallSettings,
    device: torch.device,
    watch: Callable[[RecallStep], None] = lambda step: None,
) -> Iterator[RecallResult]:
    """Train a batch to its end and return one result a network."""
    training = RecallTraining(settings, device=device)
    for step in training:
        watch(step)
    return recall_results(training, step)


def recall_results(training: RecallTraining, last: RecallStep) -> Iterator[RecallResult]:
    """Return what the networks can do after the last step of which accuracies were taken.

    Seconds are shared out by length, since that is what the time goes with.
    """
    settings = training.settings
    shuffled = training.accuracies(FILLERS_SEED).tolist()
    n_symbols = sum(length for length, _ in settings.networks)
    for network, accuracy, other in zip(
        settings.networks, last.accuracies or (), shuffled, strict=True
    ):
        length, seed = network
        seconds = round(last.seconds * length / n_symbols, 3)
        yield RecallResult(
            settings.backbone, length, seed, round(accuracy, 6), round(other, 6), seconds
        )


def _shapes(weights: dict[str, Tensor]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(weight.shape) for name, weight in weights.items()}
