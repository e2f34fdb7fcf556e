"""The published transformer, trained on articles that are read in windows, each begun without memory."""

from dataclasses import asdict
from pathlib import Path

import torch

from lm_core.experiments.commands import progress
from lm_core.experiments.wikipedia.articles import Subwords
from lm_core.experiments.wikipedia.results import Length, Point, WikipediaResults
from lm_core.files import write_whole
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.language_model import LanguageModel
from lm_core.models.ngram import estimate
from lm_core.models.registry import config_to_dict
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from lm_core.text.vocabularies import SubwordVocabulary
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.evaluation import cold_window_losses
from lm_core.training.language_modelling import Training, TrainingConfig
from lm_core.training.model_vocabulary import vocabulary_fields
from lm_core.training.weight_storage import stored_weights, with_stored

CONTEXT = 48
BATCH, STEPS, POINTS = 32, 1_000, 10
"""Windows of a step, steps, and points of the curve."""
STRIDE = 2 * CONTEXT
"""Held-out subwords from the start of one window to that of the next."""
PROMPT, WRITTEN = "The film was", 40
SAMPLING = SamplingSettings(temperature=0.8)
MODEL, STORAGE = "wikipedia-transformer", "int8_rows"
"""Name of the checkpoint, and how it stores its weights."""


def network(vocabulary_size: int) -> TransformerLanguageModelConfig:
    """Return the published sizes, with 960 units inside a block instead of 1,024, and rotary positions.

    One matrix reads and writes subwords, so that the model is small enough to be shipped.
    """
    return TransformerLanguageModelConfig(
        vocabulary_size,
        192,
        8,
        4,
        context=CONTEXT,
        feed_forward=5,
        dropout=0.2,
        cold_starts=1.0,
        tied_output=True,
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
) -> tuple[TransformerLanguageModel, float, tuple[Point, ...]]:
    """Train on a text; return the model, the seconds of the steps, and `POINTS` points of the way.

    At the last point the weights are already rounded as a checkpoint stores them.
    """
    model = TransformerLanguageModel(network(len(vocabulary)))
    run = Training(model, training.ids, settings(steps))
    every, losses, points = max(1, steps // POINTS), list[float](), list[Point]()
    for step in progress(run, "Wikipedia", steps, every):
        losses.append(step.loss)
        if step.step % every:
            continue
        passes = round(step.step * BATCH * CONTEXT / len(training.ids), 2)
        if step.step == steps:
            with_stored(model, stored_weights(model, STORAGE))
        mean, unseen = round(sum(losses) / len(losses), 4), held_out_loss(model, held_out)
        points.append(Point(step.step, passes, mean, unseen, written(model, vocabulary)))
        losses.clear()
    return model, round(run.seconds, 1), tuple(points)


@torch.no_grad()
def begin_text(
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    prompt: str = PROMPT,
    temperature: float = SAMPLING.temperature,
    seed: int = 1,
) -> TextGeneration:
    """Return a text to be written after a prompt; TextError if the prompt is empty."""
    settings = SamplingSettings(temperature=temperature)
    return TextGeneration.begin(model.eval(), vocabulary.encode(prompt), settings, seed)


def written(model: LanguageModel, vocabulary: SubwordVocabulary) -> str:
    """Return what a model writes after the prompt, drawn with the same random numbers each time."""
    generation = begin_text(model, vocabulary)
    return vocabulary.decode([token.token for token in generation.write(WRITTEN)])


def save(
    assets: Path,
    model: TransformerLanguageModel,
    vocabulary: SubwordVocabulary,
    found: WikipediaResults,
) -> Path:
    """Write subwords and checkpoint below a folder of assets; CheckpointError if the latter cannot be written."""
    content = to_tokenizer_json(vocabulary.tokenizer)
    write_whole(assets / "tokenizers" / f"{vocabulary.name}.json", content)
    steps, made = found.points[-1].step, found.provenance
    seen = steps * BATCH * CONTEXT * found.learned.characters // found.learned.subwords
    nats = found.points[-1].held_out * found.held_out.subwords / found.held_out.characters
    meta = CheckpointMeta(
        name=MODEL,
        title="Transformer 4 x 192, read Wikipedia",
        config=config_to_dict(model.config),
        **vocabulary_fields(vocabulary),
        corpus=made["corpus"],
        corpus_sha256=made["corpus_sha256"],
        seed=made["seed"],
        steps=steps,
        characters_seen=seen,
        seconds=found.seconds,
        device=made["device"],
        parameter_count=model.parameter_count,
        losses={"validation": round(nats, 4)},
        recipe=asdict(settings(steps)),
        storage=STORAGE,
        experiment="wikipedia",
    )
    return save_checkpoint(assets / "checkpoints", model, meta)
