"""One training from several seeds."""

from dataclasses import replace

import torch

from lm_core.experiments.commands import progress
from lm_core.experiments.normal_losses.recipes import KnownTraining
from lm_core.experiments.normal_losses.results import RecipeLosses
from lm_core.jobs.registry import kind_of

POINTS = 80
"""Of a curve, about: each is the mean of as many steps."""


def train_from_seeds(known: KnownTraining, seeds: range) -> RecipeLosses:
    """Carry a run out from each seed, as a worker would, and return its mean losses."""
    steps = known.config.training["steps"]
    together = max(1, steps // POINTS)
    losses, seconds = zip(*(_learned(known, seed, together) for seed in seeds), strict=True)
    ends = tuple(range(together, steps + 1, together))
    return RecipeLosses.of(known.config, sum(seconds) / len(seconds), ends, losses)


def _learned(known: KnownTraining, seed: int, together: int) -> tuple[tuple[float, ...], float]:
    """Return the mean losses of one seed, and the seconds of its steps."""
    config = replace(known.config, training=known.config.training | {"seed": seed})
    if known.steps_from:
        training = known.steps_from(seed)
    else:
        training = kind_of(config).prepare(config, known.text, torch.device("cpu"))
    watched = progress(training, f"{config.title}, seed {seed}", config.training["steps"])
    found, seconds = zip(*((step.loss, step.seconds) for step in watched), strict=True)
    starts = range(0, len(found) - together + 1, together)
    means = tuple(round(sum(found[i : i + together]) / together, 4) for i in starts)
    return means, seconds[-1]
