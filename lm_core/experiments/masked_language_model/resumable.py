"""A training of a masked model in a folder: begun, gone on with, and logged."""

import json
import sys
from pathlib import Path

import torch

from lm_core.experiments.masked_language_model.measuring import LOG
from lm_core.experiments.masked_language_model.settings import MaskedRecipe
from lm_core.experiments.masked_language_model.training import (
    MaskedTraining,
    book_segments,
    masked_loss,
)
from lm_core.jobs.resume import ResumeFile
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.training.checkpoints import load_shipped

LOG_EVERY, LOOK_EVERY = 20, 200
_STATE = "state.safetensors"


def begun(
    recipe: MaskedRecipe, folder: Path, device: torch.device | str = "cpu"
) -> tuple[MaskedTraining, ResumeFile]:
    """Return a training at the step that it has reached."""
    causal = load_shipped(recipe.starts_from).model if recipe.starts_from else None
    learned, _ = book_segments(recipe)
    model = MaskedLanguageModel(recipe.model)
    training = MaskedTraining(model, recipe.training, learned, causal=causal, device=device)
    resume = ResumeFile(folder / _STATE)
    if saved := resume.load():
        training.load_state_dict(saved)
    resume.begin(training.loop.seconds)
    return training, resume


def train_in(recipe: MaskedRecipe, folder: Path, device: torch.device) -> None:
    """Train to the end, from where a folder has come."""
    folder.mkdir(parents=True, exist_ok=True)
    training, resume = begun(recipe, folder, device)
    _, held_out = book_segments(recipe)
    with (folder / LOG).open("a", buffering=1) as log:
        for step in training:
            row = {"step": step.step, "loss": round(step.loss, 4), "seconds": round(step.seconds)}
            is_last = step.step == recipe.training.steps
            if step.step % LOOK_EVERY == 0 or is_last:
                loss = masked_loss(training.model, held_out, recipe.training.masking)
                row["held_out"] = round(loss, 4)
            if step.step % LOG_EVERY == 0 or is_last:
                log.write(f"{json.dumps(row)}\n")
                sys.stderr.write(f"{recipe.name} {row} {step.seconds / step.step:.2f} s a step\n")
            if is_last or resume.is_due(step.seconds):
                resume.save(training.state_dict(), step.seconds)
    resume.wait()
