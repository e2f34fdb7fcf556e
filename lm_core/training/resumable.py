"""Trainings that can be interrupted: their state is that of their parts, put together and taken apart here."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

import torch
from torch import Generator, Tensor

from lm_core.errors import CheckpointError
from lm_core.training.loop import TrainingLoop


class Part(Protocol):
    """What knows its own state: modules, optimizers, a loop, an order of batches."""

    def state_dict(self) -> Mapping[str, Any]:
        """Return all that `load_state_dict` needs."""
        ...

    def load_state_dict(self, saved: dict[str, Any]) -> Any:
        """Go on from there."""
        ...


class Value(NamedTuple):
    """A part that is read by one function and put back by another."""

    get: Callable[[], Any]
    put: Callable[[Any], object]


Parts = Mapping[str, Part | Generator | Value]


class Resumable(ABC):
    """A training in progress that resumes from its `state_dict` as if nothing had happened.

    The state of a named part has its name, that of the loop and of what is `_beside` it lies among them.
    """

    loop: TrainingLoop
    _counters: tuple[str, ...] = ()
    """Attributes that count what has been learned from."""

    @abstractmethod
    def _parts(self) -> Parts:
        """Return the parts, by name."""

    def _beside(self) -> tuple[Part, ...]:
        """Return the parts whose state has no name of its own: the loop, and orders of batches."""
        return (self.loop,)

    def state_dict(self) -> dict[str, Any]:
        """Return all that `load_state_dict` needs: plain values and tensors."""
        state = {name: _state_of(part) for name, part in self._parts().items()}
        for part in self._beside():
            state |= part.state_dict()
        return state | {name: getattr(self, name) for name in self._counters}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record; CheckpointError if it is of another training."""
        try:
            for name, part in self._parts().items():
                _put_back(part, saved[name])
            for part in self._beside():
                part.load_state_dict(saved)
            for name in self._counters:
                setattr(self, name, int(saved[name]))
        except (KeyError, RuntimeError, ValueError) as error:
            raise CheckpointError(f"the saved run does not fit this model: {error}") from error


def weights_in_place(weights: Iterable[Tensor]) -> Value:
    """Return weights as a part of a training that is stored as a list of tensors."""
    learned = list(weights)

    @torch.no_grad()
    def put(saved: list[Tensor]) -> None:
        for weight, value in zip(learned, saved, strict=True):
            weight.copy_(value)

    return Value(lambda: [weight.detach().clone() for weight in learned], put)


def _state_of(part: Part | Generator | Value) -> Any:
    if isinstance(part, Value):
        return part.get()
    return part.get_state() if isinstance(part, Generator) else part.state_dict()


def _put_back(part: Part | Generator | Value, saved: Any) -> None:
    if isinstance(part, Value):
        part.put(saved)
    elif isinstance(part, Generator):
        part.set_state(saved)
    else:
        part.load_state_dict(saved)
