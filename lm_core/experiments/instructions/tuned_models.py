"""The translator, tuned on all tasks and written as a checkpoint; and tuned on one task alone, to compare."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from lm_core.experiments.commands import progress
from lm_core.experiments.instructions.tasks import Task
from lm_core.experiments.instructions.tuning import BATCH, LEARNED, PEAK, START, STEPS, TUNED, tune
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.models.registry import config_to_dict
from lm_core.results import provenance
from lm_core.rng import generator
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import shipped_vocabulary
from lm_core.training.checkpoints import CheckpointMeta, load_shipped, save_checkpoint
from lm_core.training.loop import TrainStep

SEED = 1
DTYPE = torch.bfloat16


def tuned_on(
    captions: Sequence[SentencePair], tasks: Sequence[Task], steps: int, name: str
) -> tuple[EncoderDecoder, CheckpointMeta, float]:
    """Tune the shipped translator on some tasks; return it, where it came from, and the last step's seconds."""
    model, meta = load_shipped(START)
    tuning: Iterator[TrainStep] = tune(
        model,
        captions,
        shipped_vocabulary(),
        generator(SEED),
        tasks=tasks,
        steps=steps,
        dtype=DTYPE,
    )
    seconds = 0.0
    for step in progress(tuning, name, steps, every=25):
        seconds = step.seconds
    return model.eval(), meta, seconds


def ship_tuned(captions: Sequence[SentencePair], steps: int, folder: Path) -> None:
    """Tune on all tasks, and write the checkpoint."""
    model, meta, seconds = tuned_on(captions, LEARNED, steps, TUNED)
    tuned = replace(
        meta,
        name=TUNED,
        title="Transformer, 3 + 3 blocks of 128, tuned to follow instructions",
        seed=SEED,
        steps=steps,
        characters_seen=0,
        seconds=round(seconds, 1),
        device="cpu",
        losses={},
        recipe={
            "steps": steps,
            "batch": BATCH,
            "learning_rate": PEAK,
            "optimizer": "muon",
            "dtype": str(DTYPE).removeprefix("torch."),
            "starts_from": START,
        },
        config=config_to_dict(model.config),
        experiment="instructions",
        storage="int8_rows",
        date=provenance(device="cpu", seconds=seconds)["date"],
        libraries={"torch": torch.__version__},
    )
    save_checkpoint(folder, model, tuned)


def tuned_on_one(captions: Sequence[SentencePair], task: Task) -> EncoderDecoder:
    """Return the translator tuned on one task alone, on about as many of its captions as among all tasks."""
    return tuned_on(captions, (task,), STEPS // len(LEARNED), task.title)[0]
