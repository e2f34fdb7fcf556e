"""One recipe, run to its end in a folder: resumable, measured, snapshots kept.

The folder holds ``metrics.jsonl`` (a line now and then), ``resume/state.pt`` (all that is needed to
go on after an interruption) and, as they come, the checkpoints.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import Tensor

from lm_core.errors import CheckpointError, SettingError
from lm_core.families import build, config_to_dict
from lm_core.training.checkpoints import Checkpoint, CheckpointMeta, save_checkpoint
from lm_core.training.loop import Training, TrainStep, mean_loss
from lm_core.training.recipes import Recipe

RESUME_EVERY_S = 60.0
LOG_EVERY = 50


def run_recipe(
    recipe: Recipe,
    tokens: Tensor,
    folder: Path,
    *,
    validation: Tensor,
    corpus: str,
    corpus_sha256: str,
    start: Checkpoint | None = None,
) -> Iterator[TrainStep]:
    """Train a recipe's model in `folder`, from where an earlier call stopped; yield its steps.

    Parameters
    ----------
    recipe : Recipe
    tokens : int64 Tensor of shape (N,)
        The training text.
    folder : Path
        Made if missing. Checkpoints land in it under the recipe's name; snapshots beside.
    validation : int64 Tensor of shape (M,)
        Every checkpoint is stamped with its loss on this text; nothing is chosen by it.
    corpus, corpus_sha256 : str
        For the stamp.
    start : Checkpoint, optional
        Where the recipe's ``starts_from`` is found.

    Raises
    ------
    SettingError
        If the recipe starts from a checkpoint and another one, or none, is given.
    CheckpointError
        If the folder holds the state of another run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _require_start(recipe, start)
    model = build(recipe.model)
    if start:
        model.load_state_dict(start.model.state_dict())
    training = Training(model, tokens, recipe.training, fresh=start is None)
    _resume(training, folder, recipe)
    saved_at = training.seconds
    with (folder / "metrics.jsonl").open("a", encoding="utf-8") as log:
        for step in training:
            if step.step % LOG_EVERY == 0 or step.held_out_loss is not None:
                log.write(json.dumps(step._asdict()) + "\n")
                log.flush()
            is_last = step.step == recipe.training.steps
            if is_last or step.step in recipe.snapshot_steps:
                meta = _meta(recipe, training, corpus, corpus_sha256, is_last, start)
                meta = replace(meta, losses={"validation": mean_loss(model.eval(), validation)})
                save_checkpoint(folder, model, meta)
            if is_last or training.seconds - saved_at > RESUME_EVERY_S:
                _save_resume(training, folder, recipe)
                saved_at = training.seconds
            yield step


def _meta(
    recipe: Recipe,
    training: Training,
    corpus: str,
    corpus_sha256: str,
    is_last: bool,
    start: Checkpoint | None,
) -> CheckpointMeta:
    config = recipe.training
    before = start.meta if start else None
    meta = CheckpointMeta(
        name=recipe.name,
        title=recipe.title,
        config=config_to_dict(recipe.model),
        alphabet="source",
        corpus=corpus,
        corpus_sha256=corpus_sha256,
        seed=config.seed,
        steps=training.step + (before.steps if before else 0),
        characters_seen=training.step * config.batch * config.window
        + (before.characters_seen if before else 0),
        seconds=round(training.seconds + (before.seconds if before else 0.0), 1),
        device="cpu",
        parameter_count=training.model.parameter_count,
        recipe=asdict(config) | ({"starts_from": before.recipe} if before else {}),
        storage="float16",
    )
    if is_last:
        return meta
    series = recipe.snapshots_of or recipe.name
    return replace(
        meta,
        name=f"{series}-step-{meta.steps}",
        snapshot_of=series,
        storage="int8_rows",
    )


def _require_start(recipe: Recipe, start: Checkpoint | None) -> None:
    given = start.meta.name if start else None
    if given != recipe.starts_from:
        raise SettingError(
            f"{recipe.name} starts from {recipe.starts_from!r}, got {given!r}: make that one first"
        )


def _fingerprint(recipe: Recipe) -> str:
    return json.dumps(asdict(recipe), sort_keys=True)


def _resume(training: Training, folder: Path, recipe: Recipe) -> None:
    path = folder / "resume" / "state.pt"
    if not path.exists():
        return
    saved = torch.load(path, weights_only=True)
    if saved.pop("recipe") != _fingerprint(recipe):
        raise CheckpointError(
            f"{folder} holds a run of other settings: choose another folder, or remove it"
        )
    training.load_state_dict(saved)


def _save_resume(training: Training, folder: Path, recipe: Recipe) -> None:
    path = folder / "resume" / "state.pt"
    path.parent.mkdir(exist_ok=True)
    temporary = path.with_suffix(".new")
    torch.save(training.state_dict() | {"recipe": _fingerprint(recipe)}, temporary)
    temporary.replace(path)
