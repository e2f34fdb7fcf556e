"""What a run has trained, among the shipped models: in 8-bit rows where that costs next to nothing."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch

from lm_core.jobs.run_folder import RunFolder
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import (
    CheckpointMeta,
    list_checkpoints,
    load_checkpoint,
    read_meta,
    save_checkpoint,
)
from lm_core.training.language_modelling import mean_loss
from lm_core.training.model_vocabulary import vocabulary_of

LARGEST_RISE = 0.001
"""Nats a token that a finished model may lose by being stored in 8-bit rows; else it is not."""
_LOOK = 65_536  # tokens of the validation text on which that is measured


def ship(run: RunFolder, root: Path) -> Iterator[tuple[CheckpointMeta, float]]:
    """Write a run's model and its snapshots below `root`, in 8-bit rows.

    A model whose loss rises by more than `LARGEST_RISE` in them is stored as the run stored it. That is
    judged by the end of the training part, which the recipes hold out for their choices: the last
    tenth decides nothing. Raises CheckpointError if one cannot be read or written.

    Yields
    ------
    tuple of (CheckpointMeta, float)
        What was written, and by how many nats a token 8-bit rows raise its loss.
    """
    for found in list_checkpoints(run.checkpoints):
        model, meta = load_checkpoint(run.checkpoints / found.name)
        judged_by = torch.from_numpy(load_book(vocabulary_of(meta)).train[-_LOOK:])
        before = mean_loss(model, judged_by)
        folder = save_checkpoint(root, model, replace(meta, storage="int8_rows"))
        rise = mean_loss(load_checkpoint(folder).model, judged_by) - before
        if rise > LARGEST_RISE and meta.snapshot_of is None:
            save_checkpoint(root, model, meta)
        yield read_meta(folder), rise
