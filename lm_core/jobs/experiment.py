"""What a run can train: the contract between an experiment and the run that carries it out.

An experiment iterates over its remaining steps and can be asked, between two of them, for all that
a run stores: its state, a held-out loss, a sample, a checkpoint.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import torch

from lm_core.jobs.records import RunConfig


class StepRecord(Protocol):
    """What every step of every experiment tells; a NamedTuple, whose fields are all written down.

    Attributes
    ----------
    step : int
        From 1.
    loss : float
        The run writes down its mean over the steps since it last wrote.
    seconds : float
        Time spent in steps so far, earlier sessions of a resumed run included.
    """

    step: int
    loss: float
    seconds: float

    @property
    def is_news(self) -> bool:
        """Whether the step tells something that must not wait for the next line."""
        ...

    def _asdict(self) -> dict[str, Any]: ...


class Experiment(Protocol):
    """A training in progress."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the remaining steps: immutable records with at least what a `StepRecord` has."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Return all that is needed to go on from here, as nested plain values and tensors."""
        ...

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from there; CheckpointError if it is another run's."""
        ...

    def look(self) -> float | None:
        """Return a quick estimate of the validation loss; None where nothing is held out."""
        ...

    def sample(self) -> str | None:
        """Return something that the model makes, for people to see; None if it makes nothing."""
        ...

    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write what came out into a folder below `root`, all at once: the run's own, or a snapshot.

        A quick one is recorded with the last look's loss only.
        """
        ...

    def close(self) -> None:
        """Let go of other processes, if there are any; called once, whatever happened."""
        ...


class ExperimentKind(NamedTuple):
    """One kind of training, as the registry knows it.

    Attributes
    ----------
    prepare : callable of (RunConfig, str or None, torch.device) -> Experiment
        Builds it; the text is the run's own, if it has no corpus.
    settled : callable of RunConfig -> RunConfig
        Fills in every default, so that equal runs have equal fingerprints; SettingError if a
        setting is impossible.
    parameter_count : callable of RunConfig -> int
        Its size, found without making room for it.
    uses_cards : bool
        Whether it trains on a graphics card where there is one; False for what is as quick on the
        processor.
    """

    prepare: Callable[[RunConfig, str | None, torch.device], Experiment]
    settled: Callable[[RunConfig], RunConfig]
    parameter_count: Callable[[RunConfig], int]
    uses_cards: bool = True
