"""One small translator, trained as a visitor may train it."""

from collections.abc import Sequence

from lm_core.experiments.attention_scores.results import STEPS, WIDTH, ScoredTraining
from lm_core.experiments.commands import progress
from lm_core.experiments.translation.batches import EncodedPair
from lm_core.experiments.translation.presets import small_translator
from lm_core.experiments.translation.training import TranslationTraining

_MEASURED_AT = (10, 25, 50, 100, 150, 200, 250, 300, 350, 400)


def train_scored(
    attention: str,
    seed: int,
    pairs: Sequence[EncodedPair],
    validation: Sequence[EncodedPair],
    *,
    steps: int = STEPS,
    width: int = WIDTH,
) -> ScoredTraining:
    """Train a translator, and measure it on other captions on its way."""
    recipe = small_translator(attention, width, steps).with_seed(seed)
    training = TranslationTraining(recipe.model, recipe.training, pairs, validation)
    losses, seconds = [], 0.0
    for step in progress(training, f"{attention}, seed {seed}", steps):
        seconds = step.seconds
        if step.step in _MEASURED_AT:
            training.model.eval()
            losses.append((step.step, round(training.validation_loss(), 4)))
            training.model.train()
    n_parameters = sum(p.numel() for p in training.model.parameters())
    return ScoredTraining(attention, seed, n_parameters, round(seconds, 1), tuple(losses))
