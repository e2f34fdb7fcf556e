"""Training the sequence models: the recipes of the shipped ones, and the batches that they learn from."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.experiments.sequence_models import tasks
from lm_core.models.registry import config_to_dict
from lm_core.models.seq2seq import (
    NameGeneratorConfig,
    SentenceClassifierConfig,
    SequenceModel,
    WordReverserConfig,
)
from lm_core.rng import generator
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import require, sha256_of
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.devices import describe_device
from lm_core.training.eager_optimizers import Adam
from lm_core.training.language_modelling import TrainingConfig
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rates_of

VOCABULARY = "letters"
"""In the provenances of these models: `lm_core.text.symbols`."""


@dataclass(frozen=True)
class SequenceRecipe:
    """One shipped model: its task, its size, its schedule."""

    name: str
    title: str
    task: Callable[[Any], tasks.SequenceTask]
    """Callable of the model's config, returning a SequenceTask."""
    model: Any
    """A config of `lm_core.models.seq2seq`."""
    training: TrainingConfig
    """Its window is the longest sequence, for the record."""


def _classifier(name: str, title: str, config: SentenceClassifierConfig) -> SequenceRecipe:
    training = TrainingConfig(steps=700, batch=64, window=100, learning_rate=4e-3)
    return SequenceRecipe(name, title, tasks.SpeechTask, config, training)


RECIPES = {
    recipe.name: recipe
    for recipe in (
        SequenceRecipe(
            "name-generator",
            "GRU 1 x 64, vector to word",
            tasks.NameTask,
            NameGeneratorConfig(),
            TrainingConfig(steps=800, batch=128, window=13, learning_rate=4e-3),
        ),
        _classifier("speech-last", "GRU 1 x 64, last state", SentenceClassifierConfig("last")),
        _classifier("speech-mean", "GRU 1 x 64, mean state", SentenceClassifierConfig("mean")),
        _classifier(
            "speech-both",
            "GRU 2 x 44, both directions, mean state",
            SentenceClassifierConfig("mean", bidirectional=True, hidden_size=44),
        ),
        SequenceRecipe(
            "word-reverser",
            "GRU 128 to GRU 128",
            tasks.ReversalTask,
            WordReverserConfig(),
            TrainingConfig(steps=1_800, batch=64, window=9, learning_rate=4e-3),
        ),
    )
}


class SequenceTraining:
    """A training in progress: iterate over its steps, then save."""

    def __init__(self, recipe: SequenceRecipe) -> None:
        self.recipe = recipe
        self.task = recipe.task(recipe.model)
        self._rng = generator(recipe.training.seed)
        self.model: SequenceModel = self.task.build()
        self.model.initialise(self._rng)
        self._characters = 0
        self._last: TrainStep | None = None

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the steps, with losses per letter or sentence.

        Adam; its learning rate is warmed up, then lowered to 0 by a cosine. Raises DivergenceError
        if the loss or the gradient is no number any more.
        """
        config = self.recipe.training
        loop = TrainingLoop(
            self.model.parameters(),
            self._next_loss,
            Adam(self.model.parameters()),
            steps=config.steps,
            learning_rate=learning_rates_of(config),
            clip=clip_by_norm(config.clip),
        )
        self.model.train()
        for self._last in loop:
            yield self._last
        self.model.eval()

    def _next_loss(self) -> Tensor:
        batch = self.task.batch(self.recipe.training.batch, self._rng)
        self._characters += self.task.characters(batch)
        return self.task.loss(self.model, batch)

    def save(self, root: Path) -> Path:
        """Evaluate the model and write its checkpoint below `root`; return its folder.

        Raises SettingError if no step was taken yet.
        """
        if self._last is None:
            raise SettingError("nothing was trained yet: iterate over the steps first")
        with torch.no_grad():
            scores = self.task.scores(self.model.eval())
        return save_checkpoint(root, self.model, self._meta(self._last, scores))

    def _meta(self, last: TrainStep, scores: tasks.Scores) -> CheckpointMeta:
        recipe, of_book = self.recipe, self.task.of_book
        return CheckpointMeta(
            name=recipe.name,
            title=recipe.title,
            config=config_to_dict(self.model.config),
            vocabulary=VOCABULARY,
            corpus=WAR_AND_PEACE.name if of_book else "letters drawn at random",
            corpus_sha256=sha256_of(require(WAR_AND_PEACE.name)) if of_book else "",
            seed=recipe.training.seed,
            steps=last.step,
            characters_seen=self._characters,
            seconds=round(last.seconds, 1),
            device=describe_device(torch.device("cpu")),
            parameter_count=self.model.parameter_count,
            losses={"held out": scores.loss},
            scores={name: round(score, 4) for name, score in scores.others.items()},
            recipe=asdict(recipe.training),
            storage="float16",
        )


def shortened(recipe: SequenceRecipe, **changes: Any) -> SequenceRecipe:
    """Return a recipe with other ``steps`` or another ``seed``."""
    return replace(recipe, training=replace(recipe.training, **changes))
