"""A recipe of language models from several seeds."""

from collections.abc import Iterator
from dataclasses import replace

from torch import Tensor

from lm_core.experiments.commands import progress
from lm_core.experiments.normal_losses.results import RecipeLosses
from lm_core.models.registry import build
from lm_core.training.language_modelling import train
from lm_core.training.recipes import Recipe

TOGETHER = 25
"""Steps that one loss is the mean over."""


def train_from_seeds(recipe: Recipe, seeds: range, tokens: Tensor) -> RecipeLosses:
    """Train a recipe from each seed, and return the mean losses of every `TOGETHER` steps."""
    losses = tuple(tuple(_means(recipe, seed, tokens)) for seed in seeds)
    return RecipeLosses.of(recipe, range(TOGETHER, recipe.training.steps + 1, TOGETHER), losses)


def _means(recipe: Recipe, seed: int, tokens: Tensor) -> Iterator[float]:
    config = replace(recipe.training, seed=seed)
    steps = train(build(recipe.model), tokens, config)
    losses: list[float] = []
    for step in progress(steps, f"{recipe.name}, seed {seed}", config.steps, every=500):
        losses.append(step.loss)
        if len(losses) == TOGETHER:
            yield round(sum(losses) / TOGETHER, 4)
            losses.clear()
