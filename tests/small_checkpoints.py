"""The stamp of a small model, as a trained one has it."""

from dataclasses import replace

from lm_core.models.registry import config_to_dict
from lm_core.training.checkpoints import CheckpointMeta


def meta_of(config, /, **said):
    """Return a stamp; what is not said is of a training of two steps. A config may be plain values."""
    config = config if isinstance(config, dict) else config_to_dict(config)
    counts = (1, 2, 3, 4.0, "cpu", 5)
    meta = CheckpointMeta("tiny", "Tiny", config, "source", "war-and-peace", "0" * 64, *counts)
    return replace(meta, **said)
