"""The published transformer, trained on articles that are read in windows, each begun without memory."""

import torch

from lm_core.experiments.commands import progress
from lm_core.experiments.wikipedia.articles import Subwords
from lm_core.experiments.wikipedia.results import Length, Point
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.language_model import LanguageModel
from lm_core.models.ngram import estimate
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.text.vocabularies import SubwordVocabulary
from lm_core.training.evaluation import cold_window_losses
from lm_core.training.language_modelling import Training, TrainingConfig

CONTEXT = 48
BATCH, STEPS, POINTS = 32, 1_000, 10
"""Windows of a step, steps, and points of the curve."""
STRIDE = 2 * CONTEXT
"""Held-out subwords from the start of one window to that of the next."""
PROMPT, WRITTEN = "The film was", 40
SAMPLING = SamplingSettings(temperature=0.8)


def network(vocabulary_size: int) -> TransformerLanguageModelConfig:
    """Return the published sizes; its blocks have 1,024 units inside, ours 960, and rotary positions."""
    return TransformerLanguageModelConfig(
        vocabulary_size, 192, 8, 4, context=CONTEXT, feed_forward=5, dropout=0.2, cold_starts=1.0
    )


def settings(steps: int) -> TrainingConfig:
    """Return how a training of so many steps goes."""
    return TrainingConfig(
        steps=steps,
        batch=BATCH,
        window=CONTEXT,
        learning_rate=2e-3,
        warmup_steps=steps // 20,
        weight_decay=0.1,
        dtype="bfloat16",
    )


def length_of(articles: list[str], read: Subwords) -> Length:
    """Return how long articles are."""
    return Length(len(articles), len(read.ids), read.words, read.characters)


def held_out_loss(model: LanguageModel, held_out: Subwords) -> float:
    """Return nats a subword in windows of `CONTEXT`, each begun without memory, as published."""
    losses = cold_window_losses(model.eval(), held_out.ids, window=CONTEXT, stride=STRIDE, batch=64)
    return round(float(losses.mean()), 4)


def trigram_loss(training: Subwords, held_out: Subwords, vocabulary_size: int) -> float:
    """Return the loss of counts of three subwords in the same windows."""
    return held_out_loss(estimate(training.ids.numpy(), vocabulary_size, 2), held_out)


def read(
    training: Subwords, held_out: Subwords, vocabulary: SubwordVocabulary, steps: int
) -> tuple[float, tuple[Point, ...]]:
    """Train on a text, and return the seconds of the steps and `POINTS` points of the way."""
    model = TransformerLanguageModel(network(len(vocabulary)))
    run = Training(model, training.ids, settings(steps))
    every, losses, points = max(1, steps // POINTS), list[float](), list[Point]()
    for step in progress(run, "Wikipedia", steps, every):
        losses.append(step.loss)
        if step.step % every:
            continue
        passes = round(step.step * BATCH * CONTEXT / len(training.ids), 2)
        mean, unseen = round(sum(losses) / len(losses), 4), held_out_loss(model, held_out)
        points.append(Point(step.step, passes, mean, unseen, written(model, vocabulary)))
        losses.clear()
    return round(run.seconds, 1), tuple(points)


@torch.no_grad()
def written(model: LanguageModel, vocabulary: SubwordVocabulary) -> str:
    """Return what a model writes after the prompt, drawn with the same random numbers each time."""
    generation = TextGeneration.begin(model.eval(), vocabulary.encode(PROMPT), SAMPLING, seed=1)
    return vocabulary.decode([token.token for token in generation.write(WRITTEN)])
