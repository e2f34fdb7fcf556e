"""The book's writer, tuned on answered prompts and written as a checkpoint."""

from pathlib import Path

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
from lm_core.experiments.commands import carried_out
from lm_core.rng import generator
from lm_core.text.training_text import Book
from lm_core.training.checkpoints import load_shipped, save_tuned


def tune_writer(book: Book, steps: int, folder: Path) -> None:
    """Tune the writer, and write its checkpoint."""
    model, meta = load_shipped(WRITER)
    vocabulary = book.vocabulary
    pairs = lessons(frequent_words(vocabulary.decode(book.train)))
    model.train()
    tuning = tune(model, pairs, vocabulary, generator(SEED), steps=steps)
    seconds = carried_out(tuning, TUNED, steps, every=50)
    recipe = {
        "steps": steps,
        "batch": BATCH,
        "length": LENGTH,
        "learning_rate": PEAK,
        "words": WORDS,
        "optimizer": "muon",
        "from": WRITER,
    }
    save_tuned(
        folder,
        model.eval(),
        meta,
        name=TUNED,
        title="Transformer 4 x 256, tuned to answer",
        seed=SEED,
        steps=steps,
        characters_seen=0,
        seconds=round(seconds, 1),
        recipe=recipe,
        experiment=AssistantResults.NAME,
    )
