"""The one training loop: whoever trains anything hands it weights, an optimizer and the next batch's loss.

The command line, the job runner and the tests consume the same generator of immutable records.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from torch import Tensor, nn

from lm_core.errors import CheckpointError, DivergenceError


class TrainStep(NamedTuple):
    """What one optimizer step did."""

    step: int
    """From 1."""
    loss: float
    """Of this step's batch, in nats, dropout on, before the step was taken."""
    learning_rate: float
    gradient_norm: float
    """`learning_rate` and `gradient_norm`: the norm is the one before clipping."""
    seconds: float
    """Time spent in steps so far, earlier sessions of a resumed run included."""
    held_out_loss: float | None = None
    """Nats on a held-out part, dropout off; only now and then, and only where there is one."""

    @property
    def is_news(self) -> bool:
        """Whether the held-out part was evaluated."""
        return self.held_out_loss is not None


class Optimizer(Protocol):
    """What the loop asks of an optimizer; `torch.optim.Optimizer` has all of it."""

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        """Where the learning rate is set."""
        ...

    def zero_grad(self) -> None:
        """Forget the last gradient."""
        ...

    def step(self) -> Any:
        """Move the weights."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Return what has been gathered of past gradients."""
        ...

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record."""
        ...


def clip_by_norm(longest: float | None) -> Callable[[list[Tensor]], Tensor]:
    """Return the function that shortens a gradient to a length, and returns its length before.

    None leaves every gradient as it is.
    """
    limit = math.inf if longest is None else longest
    return lambda parameters: nn.utils.clip_grad_norm_(parameters, limit)


class TrainingLoop:
    """A training in progress; iterate over it for its steps.

    Parameters
    ----------
    parameters : iterable of Tensor, the weights that are learned
    next_loss : callable of () -> Tensor
        Draws the next batch and returns its loss, a number from which `backward` finds the gradient.
    optimizer : Optimizer, of these weights; its learning rate is set before each step
    learning_rate : callable of int -> float, the rate of each step, counted from 0
    backward : callable of Tensor -> None
        Gives each weight the gradient of that loss; autograd, unless the gradient is written out.
    clip : callable of list of Tensor -> Tensor, optional
        Shortens the gradients in place and returns their norm before; None for no clipping.
    reported : callable of Tensor -> float, optional
        The loss that is reported, where that is not the one that is learned from.
    stops_at_divergence : bool, false where the weights are of many networks, some of which may diverge alone
    """

    def __init__(
        self,
        parameters: Iterable[Tensor],
        next_loss: Callable[[], Tensor],
        optimizer: Optimizer,
        *,
        steps: int,
        learning_rate: Callable[[int], float],
        backward: Callable[[Tensor], None] = Tensor.backward,
        clip: Callable[[list[Tensor]], Tensor] | None = None,
        reported: Callable[[Tensor], float] = Tensor.item,
        stops_at_divergence: bool = True,
    ) -> None:
        self.parameters, self.optimizer, self.steps = list(parameters), optimizer, steps
        self._next_loss, self._learning_rate = next_loss, learning_rate
        self._backward = backward
        self._clip, self._reported = clip or clip_by_norm(None), reported
        self._stops_at_divergence = stops_at_divergence
        self.step, self.seconds = 0, 0.0

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the remaining steps, one at a time."""
        while self.step < self.steps:
            yield self.take_step()

    def take_step(self) -> TrainStep:
        """Learn from the next batch.

        Raises DivergenceError if the loss or the gradient is no number any more; the weights are
        then still those of the step before.
        """
        started = time.perf_counter()
        rate = self._learning_rate(self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = self._next_loss()
        self.optimizer.zero_grad()
        self._backward(loss)
        norm = float(self._clip(self.parameters))
        nats = self._reported(loss.detach())
        if self._stops_at_divergence:
            self._require_numbers(nats, norm, rate)
        self.optimizer.step()
        self.step += 1
        self.seconds += time.perf_counter() - started
        return TrainStep(self.step, nats, rate, norm, self.seconds)

    def state_dict(self) -> dict[str, Any]:
        """Return what the loop itself needs to go on; weights and batches are their owners'."""
        return {
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record of the same run.

        Raises CheckpointError if the record is of another run.
        """
        try:
            self.optimizer.load_state_dict(saved["optimizer"])
            self.step, self.seconds = int(saved["step"]), float(saved["seconds"])
        except (KeyError, RuntimeError, ValueError) as error:
            raise CheckpointError(f"the saved run does not fit this model: {error}") from error

    def _require_numbers(self, loss: float, norm: float, rate: float) -> None:
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise DivergenceError(
                f"at step {self.step + 1} the loss is {loss} and the gradient's length {norm}, at a"
                f" learning rate of {rate:g}. Try a third of the learning rate"
                f" ({rate / 3:.1g}), a longer warm-up or a smaller clip"
            )
