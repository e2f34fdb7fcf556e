"""The translator, tuned on all tasks and written as a checkpoint; and tuned on one task alone, to compare."""

from collections.abc import Sequence
from pathlib import Path

import torch

from lm_core.experiments.commands import carried_out
from lm_core.experiments.instructions.tasks import Task
from lm_core.experiments.instructions.tuning import BATCH, LEARNED, PEAK, START, STEPS, TUNED, tune
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.rng import generator
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import shipped_vocabulary
from lm_core.training.checkpoints import CheckpointMeta, load_shipped, save_tuned

SEED = 1
DTYPE = torch.bfloat16


def tuned_on(
    captions: Sequence[SentencePair], tasks: Sequence[Task], steps: int, name: str
) -> tuple[EncoderDecoder, CheckpointMeta, float]:
    """Tune the shipped translator on some tasks; return it, where it came from, and the last step's seconds."""
    model, meta = load_shipped(START)
    vocabulary, rng = shipped_vocabulary(), generator(SEED)
    tuning = tune(model, captions, vocabulary, rng, tasks=tasks, steps=steps, dtype=DTYPE)
    seconds = carried_out(tuning, name, steps, every=25)
    return model.eval(), meta, seconds


def ship_tuned(captions: Sequence[SentencePair], steps: int, folder: Path) -> None:
    """Tune on all tasks, and write the checkpoint."""
    model, meta, seconds = tuned_on(captions, LEARNED, steps, TUNED)
    save_tuned(
        folder,
        model,
        meta,
        name=TUNED,
        title="Transformer, 3 + 3 blocks of 128, tuned to follow instructions",
        seed=SEED,
        steps=steps,
        characters_seen=0,
        seconds=round(seconds, 1),
        recipe={
            "steps": steps,
            "batch": BATCH,
            "learning_rate": PEAK,
            "optimizer": "muon",
            "dtype": str(DTYPE).removeprefix("torch."),
            "starts_from": START,
        },
        experiment="instructions",
    )


def tuned_on_one(captions: Sequence[SentencePair], task: Task) -> EncoderDecoder:
    """Return the translator tuned on one task alone, on about as many of its captions as among all tasks."""
    return tuned_on(captions, (task,), STEPS // len(LEARNED), task.title)[0]
