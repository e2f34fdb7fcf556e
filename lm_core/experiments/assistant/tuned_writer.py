"""The book's writer, tuned on answered prompts and written as a checkpoint."""

from dataclasses import replace
from pathlib import Path

import torch

from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import SEED
from lm_core.experiments.assistant.tuning import (
    BATCH,
    LENGTH,
    PEAK,
    TUNED,
    WORDS,
    WRITER,
    frequent_words,
    lessons,
    tune,
)
from lm_core.experiments.commands import progress
from lm_core.models.registry import config_to_dict
from lm_core.results import provenance
from lm_core.rng import generator
from lm_core.text.training_text import Book
from lm_core.training.checkpoints import load_shipped, save_checkpoint


def tune_writer(book: Book, steps: int, folder: Path) -> None:
    """Tune the writer, and write its checkpoint."""
    model, meta = load_shipped(WRITER)
    vocabulary = book.vocabulary
    pairs = lessons(frequent_words(vocabulary.decode(book.train)))
    seconds = 0.0
    model.train()
    tuning = tune(model, pairs, vocabulary, generator(SEED), steps=steps)
    for step in progress(tuning, TUNED, steps, every=50):
        seconds = step.seconds
    recipe = {
        "steps": steps,
        "batch": BATCH,
        "length": LENGTH,
        "learning_rate": PEAK,
        "words": WORDS,
        "optimizer": "muon",
        "from": WRITER,
    }
    tuned = replace(
        meta,
        name=TUNED,
        title="Transformer 4 x 256, tuned to answer",
        seed=SEED,
        steps=steps,
        characters_seen=0,
        seconds=round(seconds, 1),
        device="cpu",
        losses={},
        recipe=recipe,
        config=config_to_dict(model.config),
        experiment=AssistantResults.NAME,
        storage="int8_rows",
        date=provenance(device="cpu", seconds=seconds)["date"],
        libraries={"torch": torch.__version__},
    )
    save_checkpoint(folder, model.eval(), tuned)
