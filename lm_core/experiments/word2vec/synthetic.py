"""Vectors of the synthetic text, trained once and shipped: eight numbers a word, few enough to be drawn.

    python -m lm_core experiment word2vec --synthetic

makes them again.
"""

import time
from dataclasses import asdict
from pathlib import Path

import torch

from lm_core.errors import ResultError
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import (
    RecordedTraining,
    ShortText,
    Snapshot,
    short_text,
    synthetic_text,
)
from lm_core.results import Results, provenance, results_path
from lm_core.rng import generator

NAME = "word2vec"
SHIPPED = results_path(NAME)
SENTENCES, TEXT_SEED, MINIMUM_COUNT = 1_500, 1, 5
CONFIG = FullSoftmaxConfig(width=8, learning_rate=0.1, epochs=10, batch=256)
_DIGITS = 4


def synthetic_short_text() -> ShortText:
    """Return the synthetic text of the page, ready to be learned from."""
    return short_text(synthetic_text(SENTENCES, generator(TEXT_SEED)), MINIMUM_COUNT)


def train_synthetic() -> Results:
    """Train the vectors: some seconds of one core."""
    training, begin = RecordedTraining(synthetic_short_text(), CONFIG), time.monotonic()
    for _ in training:
        pass
    last = training.snapshots[-1]
    origin = provenance(
        device="cpu", seconds=time.monotonic() - begin, sentences=SENTENCES, **asdict(CONFIG)
    )
    data = {
        "step": last.step,
        "words": list(training.text.vocabulary.words),
        "input": [[round(x, _DIGITS) for x in row] for row in last.input.tolist()],
        "output": [[round(x, _DIGITS) for x in row] for row in last.output.tolist()],
    }
    return Results(NAME, origin, data)


def load_synthetic(path: Path = SHIPPED) -> tuple[tuple[str, ...], Snapshot]:
    """Return the words and their trained vectors.

    Raises
    ------
    ResultError
        If the file is missing or damaged.
    """
    data = Results.load(path, NAME).data
    try:
        words = tuple(data["words"])
        tables = [torch.tensor(data[table]) for table in ("input", "output")]
        if any(table.shape != (len(words), CONFIG.width) for table in tables):
            raise ValueError(f"each table must have {len(words)} rows of {CONFIG.width} numbers")
        return words, Snapshot(1.0, int(data["step"]), *tables)
    except (ValueError, KeyError, TypeError) as error:
        raise ResultError(
            f"{path.name} must hold the vectors of the synthetic text: {error}"
        ) from error
