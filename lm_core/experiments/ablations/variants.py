"""The models that are compared: the full one, and others that differ from it in one thing each.

All learn from the same characters in the same order, and all but one with the same learning rate. It
suits the full model, and was fixed before any other was trained. Others might do better with a rate of
their own, so the one that learns least has a second trial with a lower one.
"""

from dataclasses import dataclass, replace

from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.language_modelling import TrainingConfig

NAME = "ablations"

FULL = TransformerLanguageModelConfig(
    vocabulary_size=len(SOURCE), width=128, heads=4, layers=4, context=64, cold_starts=1.0
)
DEEP = replace(FULL, layers=8)

TRAINING = TrainingConfig(
    steps=1_200,
    batch=16,
    window=64,
    learning_rate=2e-3,
    warmup_steps=100,
    dtype="bfloat16",
    held_out=0.05,
)
"""How each of them is trained, where it does not say otherwise."""


@dataclass(frozen=True)
class Variant:
    """One of the models."""

    name: str
    """Unique; lower-case letters, digits and hyphens."""
    title: str
    """For people, short and unique: what is ablated."""
    model: TransformerLanguageModelConfig
    seed: int = TRAINING.seed
    learning_rate: float = TRAINING.learning_rate
    has_checkpoint: bool = False
    """Whether its weights are stored, so that a page can generate text with it."""

    @property
    def checkpoint(self) -> str:
        """Name of its checkpoint, if its weights are stored."""
        return f"{NAME}-{self.name}"

    @property
    def training(self) -> TrainingConfig:
        """How it is trained."""
        return replace(TRAINING, seed=self.seed, learning_rate=self.learning_rate)


_MODERN = (
    Variant("rms-norm", "RMSNorm", replace(FULL, normalisation="rms_norm")),
    Variant("swiglu", "SwiGLU", replace(FULL, activation="swiglu")),
    Variant(
        "grouped-queries", "grouped queries", replace(FULL, key_value_heads=2, feed_forward=4.5)
    ),
    Variant(
        "modern",
        "modern, all three",
        replace(
            FULL,
            normalisation="rms_norm",
            activation="swiglu",
            key_value_heads=2,
            feed_forward=4.5,
        ),
    ),
)
"""Parts of today's language models in place of older ones. What two key/value heads in place of four spare
is spent on wider networks, so that all have equally many weights, to 0.2 %."""

_ALL = (
    Variant("full", "full model", FULL, has_checkpoint=True),
    Variant("no-mask", "no mask", replace(FULL, causal=False), has_checkpoint=True),
    Variant("no-residual", "no residual", replace(FULL, residual=False)),
    Variant("no-norm", "no norm", replace(FULL, norm="none")),
    Variant("neither", "no residual or norm", replace(FULL, residual=False, norm="none")),
    Variant(
        "no-residual-low-rate",
        "no residual, rate 0.0003",
        replace(FULL, residual=False),
        learning_rate=3e-4,
    ),
    Variant("no-positions", "no positions", replace(FULL, position="none")),
    Variant("post-norm", "post-norm", replace(FULL, norm="post")),
    Variant("one-layer", "1 layer", replace(FULL, layers=1)),
    Variant("one-head", "1 head", replace(FULL, heads=1)),
    Variant("two-heads", "2 heads", replace(FULL, heads=2)),
    Variant("eight-heads", "8 heads", replace(FULL, heads=8)),
    Variant("full-seed-2", "full model, seed 2", FULL, seed=2),
    Variant("full-seed-3", "full model, seed 3", FULL, seed=3),
    Variant("deep", "8 layers", DEEP),
    Variant("deep-no-residual", "no residual, 8 layers", replace(DEEP, residual=False)),
    Variant("deep-no-norm", "no norm, 8 layers", replace(DEEP, norm="none")),
    Variant(
        "deep-neither", "no residual or norm, 8 layers", replace(DEEP, residual=False, norm="none")
    ),
    Variant("deep-post-norm", "post-norm, 8 layers", replace(DEEP, norm="post")),
    *_MODERN,
)

VARIANTS = {variant.name: variant for variant in _ALL}
"""By name, in the order in which they are trained."""

MODERN = tuple(variant.name for variant in _MODERN)
"""Names of the models with modern parts: each part alone, then all three."""

COMPARISONS = {
    "Mask": ("full", "no-mask"),
    "Residual and norm": (
        "full",
        "no-residual",
        "no-residual-low-rate",
        "no-norm",
        "neither",
        "post-norm",
    ),
    "8 layers": ("deep", "deep-no-residual", "deep-no-norm", "deep-neither", "deep-post-norm"),
    "Positions, heads, layers": (
        "full",
        "no-positions",
        "one-layer",
        "one-head",
        "two-heads",
        "eight-heads",
    ),
}
"""Variants that are compared in one chart, by what differs between them."""
