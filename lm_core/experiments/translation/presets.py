"""The small translators that a visitor may train: what can be chosen, and the recipe that follows."""

from dataclasses import replace

from lm_core.errors import SettingError
from lm_core.experiments.translation import settings
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.text.translation_vocabulary import SIZE

ARCHITECTURES = {
    "none": "One vector",
    "additive": "Additive attention",
    "dot": "Dot-product attention",
    "transformer": "Transformer",
}
WIDTHS = (64, 128, 192)
"""Numbers of an embedding, a state and a context vector; of a transformer, of its residual stream."""

STEPS = (100, 200, 400, 800, 1_600)
SNAPSHOT_STEPS = (10, 25, 50, 100, 200, 400, 800)
"""Steps after which a visitor's training saves its model, a byte for each parameter."""

_BATCH_TOKENS = 1_300
_WARMUP_STEPS = 50


def small_translator(architecture: str, width: int, steps: int) -> settings.TranslationRecipe:
    """Return the training of a small translator; it learns as the shipped ones do, from smaller batches.

    Raises SettingError if the architecture is unknown or a number below 1.

    `architecture`: str, one of `ARCHITECTURES`.
    """
    if architecture not in ARCHITECTURES:
        raise SettingError(
            f"architecture must be one of {sorted(ARCHITECTURES)}, got {architecture!r}"
        )
    kind = "one-vector" if architecture == "none" else architecture
    return settings.TranslationRecipe(
        name=f"translator-{kind}-{width}",
        title=f"{ARCHITECTURES[architecture]}, width {width}, {steps:,} steps",
        model=_model(architecture, width),
        training=replace(
            _learning(architecture),
            steps=steps,
            batch_tokens=_BATCH_TOKENS,
            warmup_steps=min(_WARMUP_STEPS, steps),
        ),
        snapshot_steps=tuple(step for step in SNAPSHOT_STEPS if step < steps),
    )


def _model(architecture: str, width: int) -> settings.ModelConfig:
    if architecture == "transformer":
        return EncoderDecoderTransformerConfig(SIZE, width, heads=4, layers=2, dropout=0.1)
    return EncoderDecoderConfig(
        SIZE,
        architecture,
        embedding_size=width,
        encoder_size=width,
        hidden_size=width,
        context_size=width,
        attention_size=width,
        dropout=0.1,
    )


def _learning(architecture: str) -> settings.TranslationTrainingConfig:
    """Return how the shipped model of that kind began to learn."""
    is_recurrent = architecture != "transformer"
    return settings.RECIPES[
        "translation-one-vector" if is_recurrent else "translation-transformer-early"
    ].training
