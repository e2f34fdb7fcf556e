"""Training a sequence model: recipes, and the loop as a generator of immutable step records."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from lm_core.errors import DivergenceError, SettingError
from lm_core.experiments.sequence_models.tasks import (
    NameTask,
    ReversalTask,
    SequenceTask,
    SpeechTask,
)
from lm_core.models.registry import config_to_dict
from lm_core.models.seq2seq import (
    NameWriterConfig,
    ReverserConfig,
    SentenceReaderConfig,
    SequenceModel,
)
from lm_core.rng import generator
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import require, sha256_of
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.devices import describe_device
from lm_core.training.language_modelling import TrainingConfig
from lm_core.training.optimizers import learning_rate_at

ALPHABET = "letters"
"""In the provenances of these models: `lm_core.text.symbols`."""


class SequenceStep(NamedTuple):
    """What one optimizer step did."""

    step: int  # from 1
    loss: float  # nats per letter or sentence, before the step was taken
    seconds: float  # since the first step


@dataclass(frozen=True)
class SequenceRecipe:
    """One shipped model: its task, its size, its schedule.

    Attributes
    ----------
    name, title : str
    task : callable of the model's config, returning a SequenceTask
    model : a config of `lm_core.models.seq2seq`
    training : TrainingConfig
        Its window is the longest sequence, for the record.
    """

    name: str
    title: str
    task: Callable[[Any], SequenceTask]
    model: Any
    training: TrainingConfig


def _reader(name: str, title: str, **how: Any) -> SequenceRecipe:
    training = TrainingConfig(steps=700, batch=64, window=100, learning_rate=4e-3)
    return SequenceRecipe(name, title, SpeechTask, SentenceReaderConfig(**how), training)


RECIPES = {
    recipe.name: recipe
    for recipe in (
        SequenceRecipe(
            "name-writer",
            "GRU 1 x 64, vector to word",
            NameTask,
            NameWriterConfig(),
            TrainingConfig(steps=800, batch=128, window=13, learning_rate=4e-3),
        ),
        _reader("speech-last", "GRU 1 x 64, last state", pooling="last"),
        _reader("speech-mean", "GRU 1 x 64, mean state", pooling="mean"),
        _reader(
            "speech-both",
            "GRU 2 x 44, both directions, mean state",
            pooling="mean",
            bidirectional=True,
            hidden_size=44,
        ),
        SequenceRecipe(
            "reverser",
            "GRU 128 to GRU 128",
            ReversalTask,
            ReverserConfig(),
            TrainingConfig(steps=1_800, batch=64, window=9, learning_rate=4e-3),
        ),
    )
}


def recipe_named(name: str) -> SequenceRecipe:
    """Return the recipe of that name.

    Raises
    ------
    SettingError
        If there is none.
    """
    if name not in RECIPES:
        raise SettingError(f"recipe must be one of {sorted(RECIPES)}, got {name!r}")
    return RECIPES[name]


class SequenceTraining:
    """A training in progress: iterate over its steps, then save."""

    def __init__(self, recipe: SequenceRecipe) -> None:
        self.recipe = recipe
        self.task = recipe.task(recipe.model)
        self._rng = generator(recipe.training.seed)
        self.model: SequenceModel = self.task.build()
        self.model.initialise(self._rng)
        self._characters = 0
        self._done: SequenceStep | None = None

    def __iter__(self) -> Iterator[SequenceStep]:
        """Yield the steps; Adam, its rate warmed up and lowered to 0 by a cosine.

        Raises
        ------
        DivergenceError
            If the loss is not a number any more.
        """
        config = self.recipe.training
        optimizer = torch.optim.Adam(self.model.parameters(), lr=config.learning_rate)
        started = time.monotonic()
        self.model.train()
        for step in range(config.steps):
            optimizer.param_groups[0]["lr"] = learning_rate_at(
                step,
                steps=config.steps,
                peak=config.learning_rate,
                warmup_steps=config.warmup_steps,
            )
            batch = self.task.batch(config.batch, self._rng)
            self._characters += self.task.characters(batch)
            loss = self.task.loss(self.model, batch)
            if not loss.isfinite():
                raise DivergenceError(
                    f"the loss of step {step + 1} is {loss.item()}: lower the rate"
                )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), config.clip)
            optimizer.step()
            self._done = SequenceStep(step + 1, loss.item(), time.monotonic() - started)
            yield self._done
        self.model.eval()

    def save(self, root: Path) -> Path:
        """Judge the model and write its checkpoint below `root`; return its folder.

        Raises
        ------
        SettingError
            If no step was taken yet.
        """
        if self._done is None:
            raise SettingError("nothing was trained yet: iterate over the steps first")
        with torch.no_grad():
            scores = self.task.scores(self.model.eval())
        return save_checkpoint(root, self.model, self._meta(scores.loss, scores.others))

    def _meta(self, loss: float, others: dict[str, float]) -> CheckpointMeta:
        recipe, done, of_book = self.recipe, self._done, self.task.of_book
        return CheckpointMeta(
            name=recipe.name,
            title=recipe.title,
            config=config_to_dict(self.model.config),
            vocabulary=ALPHABET,
            corpus=WAR_AND_PEACE.name if of_book else "letters drawn at random",
            corpus_sha256=sha256_of(require(WAR_AND_PEACE.name)) if of_book else "",
            seed=recipe.training.seed,
            steps=done.step,
            characters_seen=self._characters,
            seconds=round(done.seconds, 1),
            device=describe_device(torch.device("cpu")),
            parameter_count=self.model.parameter_count,
            losses={"held out": loss},
            scores={name: round(score, 4) for name, score in others.items()},
            recipe=asdict(recipe.training),
            storage="float16",
        )


def shortened(recipe: SequenceRecipe, **changes: int) -> SequenceRecipe:
    """Return a recipe with other ``steps`` or another ``seed``."""
    return replace(recipe, training=replace(recipe.training, **changes))
