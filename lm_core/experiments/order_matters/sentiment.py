"""Is a sentence of a film review positive? Three models learn it from the same words, each in its own way."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.experiments.order_matters.models import BAG, WINDOW
from lm_core.experiments.order_matters.reviews import (
    MINIMUM_COUNT,
    MOST_WORDS,
    Reviews,
    encode,
    side_by_side,
)
from lm_core.models import text_classifiers as classifiers
from lm_core.models.fast.recurrent import FusedCell
from lm_core.models.recurrent import Cell
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.word_vocabulary import WordVocabulary, read_words
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rate_at, make_optimizer

LSTM = "LSTM"
_AT_ONCE = 256


@dataclass(frozen=True)
class SentimentRecipe:
    """How one classifier learns; chosen on sentences of the training part alone."""

    config: Callable[[int], Any]
    """From the number of ids."""
    epochs: int
    learning_rate: float
    """Highest: the first one, then lowered to 0 by a cosine."""
    weight_decay: float
    batch: int = 50


RECIPES = {
    BAG: SentimentRecipe(classifiers.BagClassifierConfig, 6, 1e-2, 0.0),
    WINDOW: SentimentRecipe(classifiers.WindowClassifierConfig, 6, 3e-3, 0.01),
    LSTM: SentimentRecipe(classifiers.LSTMClassifierConfig, 6, 3e-3, 0.01),
}


def vocabulary_of(training: Reviews) -> WordVocabulary:
    """Return the words of the reviews to learn from that are frequent enough."""
    vocabulary, _ = read_words(training.texts, MINIMUM_COUNT)
    return vocabulary.most_frequent(MOST_WORDS)


class SentimentTraining:
    """A training in progress; iterate over it for its steps. The model is up to date at the last."""

    def __init__(
        self, recipe: SentimentRecipe, n_ids: int, rows: list[list[int]], targets: Tensor, seed: int
    ) -> None:
        self.recipe, self._rows, self._targets = recipe, rows, targets
        self._rng = generator(seed)
        self.model: classifiers.TextClassifier = build(recipe.config(n_ids))
        self.model.initialise(self._rng)
        self.n_steps = recipe.epochs * -(-len(rows) // recipe.batch)
        self._batches = self._passes()

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the steps, losses in nats a sentence."""
        model, recipe = self.model, self.recipe
        cell = model.cell if isinstance(model, classifiers.LSTMClassifier) else None
        if cell is not None:
            model.cell = FusedCell(cast(Cell, cell))
        loop = TrainingLoop(
            model.parameters(),
            self._next_loss,
            make_optimizer(model, recipe.weight_decay),
            steps=self.n_steps,
            learning_rate=partial(learning_rate_at, steps=self.n_steps, peak=recipe.learning_rate),
            clip=clip_by_norm(1.0),
        )
        for step in loop:
            if step.step == self.n_steps and cell is not None:
                cast(FusedCell, model.cell).copy_to(cast(Cell, cell))
                model.cell = cell
            yield step
        model.eval().requires_grad_(False)

    def _passes(self) -> Iterator[Tensor]:
        while True:
            yield from torch.randperm(len(self._rows), generator=self._rng).split(self.recipe.batch)

    def _next_loss(self) -> Tensor:
        chosen = next(self._batches)
        words, lengths = side_by_side([self._rows[i] for i in chosen.tolist()])
        log_odds = self.model.training_log_odds(words, lengths, rng=self._rng)
        return functional.binary_cross_entropy_with_logits(log_odds, self._targets[chosen])


class TrainedClassifier(NamedTuple):
    """A model after its training."""

    model: classifiers.TextClassifier
    seconds: float
    """Of the processor, for the training."""


def train_on_words(
    training: Reviews, vocabulary: WordVocabulary, seed: int
) -> dict[str, TrainedClassifier]:
    """Return the three models of words after their training, by name."""
    rows, found = encode(vocabulary, training.texts), {}
    for name, recipe in RECIPES.items():
        began = time.process_time()
        steps = SentimentTraining(recipe, len(vocabulary) + 1, rows, training.is_positive, seed)
        for _ in steps:
            pass
        found[name] = TrainedClassifier(steps.model, time.process_time() - began)
    return found


@torch.no_grad()
def log_odds_of(model: classifiers.TextClassifier, rows: list[list[int]]) -> Tensor:
    """Return the log-odds that texts of ids are positive, (N,)."""
    parts = [rows[i : i + _AT_ONCE] for i in range(0, len(rows), _AT_ONCE)]
    return torch.cat([model(*side_by_side(part)) for part in parts])
