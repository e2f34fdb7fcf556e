"""The writing of a text as a run: done once in a worker, watched by all, and answered from the disk."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import torch

from lm_core.errors import CheckpointError, RunError
from lm_core.experiments.written_text.synthetic_text import SyntheticText, write_text, written_by
from lm_core.files import write_whole
from lm_core.jobs.experiment import ExperimentKind, ShortExperiment
from lm_core.jobs.records import RunConfig
from lm_core.jobs.registry import register
from lm_core.jobs.run_folder import RunFolder
from lm_core.training.checkpoints import SHIPPED, load_checkpoint, read_meta

NAME = "written_text"
_TEXT_FILE = "text.txt"
_N_TEXTS = 256


class WritingStep(NamedTuple):
    """One character more of every passage."""

    step: int
    """Characters of each passage so far."""
    loss: float
    """Zero: nothing is learned."""
    seconds: float

    @property
    def is_news(self) -> bool:
        """Never: a line now and then tells enough."""
        return False


class WritingExperiment(ShortExperiment):
    """A text in the making; interrupted, it begins again, since it takes seconds."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._text: SyntheticText | None = None

    def __iter__(self) -> Iterator[WritingStep]:
        """Write until the end; raises CheckpointError if the writer is not the one that the run names."""
        begun = time.perf_counter()
        checkpoint = load_checkpoint(SHIPPED / str(self._config.start))
        if checkpoint.meta.weights_sha256 != self._config.start_sha256:
            raise CheckpointError(f"{self._config.start} has other weights: ask for a new run")
        training = self._config.training
        writing = write_text(
            checkpoint,
            training["seed"],
            n_characters=training["steps"] * _N_TEXTS,
            n_texts=_N_TEXTS,
        )
        for step, progress in enumerate(writing, start=1):
            self._text = progress.written
            yield WritingStep(step, 0.0, time.perf_counter() - begun)

    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write the text, if it is whole."""
        del is_last, quick
        folder = root / self._config.name
        if self._text:
            write_whole(folder / _TEXT_FILE, self._text.text.encode())
        return folder


def writing_run(writer: str, *, n_characters: int = 1_000_000, seed: int = 1) -> RunConfig:
    """Return the run in which a shipped model writes about so many characters.

    Raises CheckpointError if there is no such model.
    """
    meta = read_meta(SHIPPED / writer)
    return RunConfig(
        name="written-text",
        title=f"A text by {meta.title}",
        model={},
        training={"steps": n_characters // _N_TEXTS, "seed": seed},
        start=writer,
        start_sha256=meta.weights_sha256,
        experiment=NAME,
    )


def read_written(run: RunFolder) -> SyntheticText:
    """Return the text of a finished run.

    Raises RunError if it is not there, and CheckpointError if the model that wrote it is no longer
    shipped.
    """
    config = run.config()
    try:
        text = (run.checkpoint / _TEXT_FILE).read_text(encoding="utf-8")
    except OSError as error:
        raise RunError("the text that was written is gone: have it written again") from error
    return written_by(read_meta(SHIPPED / str(config.start)), config.training["seed"], text)


def _prepare(config: RunConfig, text: str | None, device: torch.device) -> WritingExperiment:
    del text, device  # written from the model alone; on the processor, to be the same anywhere
    return WritingExperiment(config)


def _settled(config: RunConfig) -> RunConfig:
    settled = writing_run(
        str(config.start),
        n_characters=config.training["steps"] * _N_TEXTS,
        seed=config.training["seed"],
    )
    return replace(config, training=settled.training, model=settled.model)


def _parameter_count(config: RunConfig) -> int:
    return read_meta(SHIPPED / str(config.start)).parameter_count


register(NAME, ExperimentKind(_prepare, _settled, _parameter_count, uses_cards=False))
