"""What is trained: the models that are compared, and how each learns."""

from dataclasses import dataclass, replace

from lm_core.errors import SettingError, require_at_least_1, require_positive
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.text.translation_vocabulary import SIZE
from lm_core.training.muon import ADAMW_SHARE
from lm_core.training.optimizers import OPTIMIZERS

EXPERIMENT = "translation"
_SEED = "-seed-"

ModelConfig = EncoderDecoderConfig | EncoderDecoderTransformerConfig


@dataclass(frozen=True)
class TranslationTrainingConfig:
    """How a model learns to translate."""

    steps: int
    batch_tokens: int = 2_600
    """Most target tokens of a batch, padding included."""
    learning_rate: float = 3e-3
    """Highest: reached after `warmup_steps`, then lowered to 0 by a cosine."""
    warmup_steps: int = 200
    weight_decay: float = 0.0
    clip: float = 1.0
    """Largest norm of the gradient."""
    label_smoothing: float = 0.1
    """In [0, 1). Share of each target's probability that is spread evenly over the vocabulary
    (Szegedy et al. 2016, https://arxiv.org/abs/1512.00567)."""
    sampled: float = 0.0
    """In [0, 1]. Scheduled sampling: share of the tokens read that are the model's own
    predictions, in the last step; 0 is teacher forcing."""
    sampled_from: float = 0.0
    """In [0, 1]. Share of the steps after which that share begins to rise from 0, in a straight
    line."""
    optimizer: str = "adamw"
    """``adamw`` or ``muon``: `lm_core.training.optimizers`."""
    adamw_share: float = ADAMW_SHARE
    """Beside Muon, AdamW's learning rate as a share of it. Recurrent matrices, read again at
    every token, bear shorter steps of Muon than those of a transformer; embeddings do not."""
    seed: int = 1

    def __post_init__(self) -> None:
        require_at_least_1(steps=self.steps, batch_tokens=self.batch_tokens)
        require_positive(
            learning_rate=self.learning_rate, clip=self.clip, adamw_share=self.adamw_share
        )
        for name in ("label_smoothing", "sampled", "sampled_from"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise SettingError(f"{name} must lie in [0, 1], got {getattr(self, name)}")
        if self.optimizer not in OPTIMIZERS:
            raise SettingError(f"optimizer must be one of {OPTIMIZERS}, got {self.optimizer!r}")

    def sampled_at(self, step: int) -> float:
        """Return the share of own predictions that are read in a step, counted from 0.

        Examples
        --------
        >>> config = TranslationTrainingConfig(steps=100, sampled=0.5, sampled_from=0.5)
        >>> [config.sampled_at(step) for step in (0, 50, 75)]
        [0.0, 0.0, 0.25]
        """
        first = self.sampled_from * self.steps
        if step <= first:
            return 0.0
        return self.sampled * (step - first) / (self.steps - first)


@dataclass(frozen=True)
class TranslationRecipe:
    """One training."""

    name: str
    title: str
    """`name` and `title`: of the checkpoint that comes out of it."""
    model: ModelConfig
    training: TranslationTrainingConfig
    snapshot_steps: tuple[int, ...] = ()
    starts_from: str | None = None
    """Name of the checkpoint whose weights the training begins with; None for a fresh start."""

    def with_seed(self, seed: int) -> "TranslationRecipe":
        """Return the same training from other random numbers; its name says so."""
        if seed == self.training.seed:
            return self
        training = replace(self.training, seed=seed)
        return replace(self, name=f"{self.name}{_SEED}{seed}", training=training)


def without_seed(name: str) -> str:
    """Return the name of the recipe, of one from other random numbers as well.

    Examples
    --------
    >>> without_seed("translation-attention-seed-2")
    'translation-attention'
    """
    return name.partition(_SEED)[0]


_RECURRENT = EncoderDecoderConfig(SIZE, embedding_size=192, encoder_size=192, dropout=0.1)
_RECURRENT_TRAINING = TranslationTrainingConfig(
    steps=1_500,
    learning_rate=5e-3,
    warmup_steps=100,
    weight_decay=0.02,
    optimizer="muon",
    adamw_share=0.4,
)

CONTEXT_SIZES = (32, 64, 128, 256, 512)

_TRANSFORMER_EARLY = TranslationRecipe(
    "translation-transformer-early",
    "Transformer, 3 + 3 blocks of 128, half trained",
    EncoderDecoderTransformerConfig(SIZE, width=128, heads=4, layers=3, dropout=0.1),
    TranslationTrainingConfig(
        steps=1_700,
        batch_tokens=3_600,
        learning_rate=1.2e-2,
        warmup_steps=150,
        weight_decay=0.05,
        optimizer="muon",
    ),
)

_ATTENTION_EARLY = TranslationRecipe(
    "translation-attention-early",
    "GRU with additive attention, trained as long as the one with one vector",
    _RECURRENT,
    _RECURRENT_TRAINING,
)

_TRANSFORMER_MIDDLE = TranslationRecipe(
    "translation-transformer-middle",
    "Transformer, 3 + 3 blocks of 128, two thirds trained",
    replace(_TRANSFORMER_EARLY.model, dropout=0.15),
    replace(_TRANSFORMER_EARLY.training, steps=1_200, learning_rate=8e-3, warmup_steps=30, seed=2),
    starts_from=_TRANSFORMER_EARLY.name,
)

_ATTENTION_MIDDLE = TranslationRecipe(
    "translation-attention-middle",
    "GRU with additive attention, half trained",
    replace(_RECURRENT, dropout=0.15),
    replace(_RECURRENT_TRAINING, steps=650, learning_rate=4e-3, warmup_steps=30, seed=2),
    starts_from=_ATTENTION_EARLY.name,
)

_MAIN = (
    TranslationRecipe(
        "translation-transformer",
        "Transformer, 3 + 3 blocks of 128",
        replace(_TRANSFORMER_MIDDLE.model, dropout=0.2),
        replace(_TRANSFORMER_MIDDLE.training, steps=1_500, seed=3),
        starts_from=_TRANSFORMER_MIDDLE.name,
    ),
    TranslationRecipe(
        "translation-attention",
        "GRU with additive attention",
        _ATTENTION_MIDDLE.model,
        replace(_ATTENTION_MIDDLE.training, steps=1_500, seed=3),
        starts_from=_ATTENTION_MIDDLE.name,
    ),
    TranslationRecipe(
        "translation-one-vector",
        "GRU with one context vector",
        replace(_RECURRENT, attention="none"),
        _RECURRENT_TRAINING,
    ),
)

_SWEEP = tuple(
    TranslationRecipe(
        f"translation-context-{size}",
        f"GRU with one context vector of {size}",
        replace(_RECURRENT, attention="none", context_size=size),
        replace(_RECURRENT_TRAINING, steps=400),
    )
    for size in CONTEXT_SIZES
)

_SAMPLED = TranslationRecipe(
    "translation-sampled",
    "GRU with one context vector, 500 more steps with scheduled sampling",
    replace(_RECURRENT, attention="none"),
    replace(
        _RECURRENT_TRAINING,
        steps=500,
        learning_rate=3e-3,
        warmup_steps=30,
        sampled=0.5,
        sampled_from=0.1,
        seed=2,
    ),
    starts_from="translation-one-vector",
)

_CONTROL = replace(
    _SAMPLED,
    name="translation-more-steps",
    title="GRU with one context vector, 500 more steps without scheduled sampling",
    training=replace(_SAMPLED.training, sampled=0.0, sampled_from=0.0),
)

SHIPPED_RECIPES = tuple(recipe.name for recipe in (*_MAIN, _SAMPLED))
"""Trainings whose weights are shipped, not their scores alone."""

RECIPES = {
    recipe.name: recipe
    for recipe in (
        _TRANSFORMER_EARLY,
        _TRANSFORMER_MIDDLE,
        _ATTENTION_EARLY,
        _ATTENTION_MIDDLE,
        *_MAIN,
        _SAMPLED,
        _CONTROL,
        *_SWEEP,
    )
}
