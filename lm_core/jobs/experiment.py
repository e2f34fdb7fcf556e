"""What a run can train: the contract between an experiment and the run that carries it out.

An experiment iterates over its remaining steps and can be asked, between two of them, for all that
a run stores: its state, a held-out loss, a sample, a checkpoint.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import torch

from lm_core.jobs.records import RunConfig
from lm_core.models.registry import build, config_from_dict


class StepRecord(Protocol):
    """What every step of every experiment tells; a NamedTuple, whose fields are all written down."""

    step: int
    """From 1."""
    loss: float
    """The run writes down its mean over the steps since it last wrote."""
    seconds: float
    """Time spent in steps so far, earlier sessions of a resumed run included."""

    @property
    def is_news(self) -> bool:
        """Whether the step tells something that must not wait for the next line."""
        ...

    def _asdict(self) -> dict[str, Any]: ...


class Trained(Protocol):
    """A training as an experiment wraps it: its steps, and the state that it resumes from."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the remaining steps."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Return all that is needed to go on from here, as nested plain values and tensors."""
        ...

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from there; CheckpointError if it is another run's."""
        ...


class Experiment(ABC):
    """A training in progress. Unless a kind says otherwise it holds nothing out, and makes no samples."""

    training: Trained
    """What is iterated over, stored and resumed."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the remaining steps: immutable records with at least what a `StepRecord` has."""
        return iter(self.training)

    def state_dict(self) -> dict[str, Any]:
        """Return all that is needed to go on from here, as nested plain values and tensors."""
        return self.training.state_dict()

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from there; CheckpointError if it is another run's."""
        self.training.load_state_dict(saved)

    def validation_loss(self) -> float | None:
        """Return an estimate of the loss on held-out text; None where nothing is held out."""
        return None

    def sample(self) -> str | None:
        """Return something that the model makes, for people to see; None if it makes nothing."""
        return None

    @abstractmethod
    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write what came out into a folder below `root`, all at once: the run's own, or a snapshot.

        A quick one is recorded with the last `validation_loss` only.
        """

    def close(self) -> None:  # noqa: B027
        """Let go of other processes, if there are any; called once, whatever happened."""


class ShortExperiment(Experiment):
    """One that takes seconds: interrupted, it begins again."""

    def state_dict(self) -> dict[str, Any]:
        """Return the state of what is to begin again."""
        return {"step": 0, "seconds": 0.0}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Begin again."""


def parameters_of_model(config: RunConfig) -> int:
    """Return the size of the model that a config describes, without making room for it."""
    with torch.device("meta"):
        count: int = build(config_from_dict(config.model)).parameter_count
    return count


class ExperimentKind(NamedTuple):
    """One kind of training, as the registry knows it."""

    prepare: Callable[[RunConfig, str | None, torch.device], Experiment]
    """Callable of (RunConfig, str or None, torch.device) -> Experiment. Builds it; the text is
    the run's own, if it has no corpus."""
    settled: Callable[[RunConfig], RunConfig]
    """Callable of RunConfig -> RunConfig. Fills in every default, so that equal runs have equal
    fingerprints; SettingError if a setting is impossible."""
    parameter_count: Callable[[RunConfig], int] = parameters_of_model
    """Callable of RunConfig -> int. Its size, found without making room for it; by default that
    of its one model."""
    uses_cards: bool = True
    """Whether it trains on a graphics card where there is one; False for what is as quick on the
    processor."""
