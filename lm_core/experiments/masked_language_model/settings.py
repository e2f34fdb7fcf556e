"""The masked language models that are trained, and how."""

from dataclasses import dataclass, field

from lm_core.errors import SettingError, require_at_least_1, require_positive
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.text.vocabularies import FULL_SUBWORDS, FULL_SUBWORDS_SIZE
from lm_core.training.masking import MaskingConfig

EXPERIMENT = "masked-language-model"
CAUSAL = "book-subword-transformer"
"""Name of the causal model of the same sizes, on the same subwords of the same nine tenths of the book."""

VOCABULARY = FULL_SUBWORDS
HELD_OUT = 0.05
"""Last share of the training part on which settings are compared; the main model learns it in the end."""


@dataclass(frozen=True)
class MaskedTrainingConfig:
    """How a masked language model is trained."""

    steps: int
    """Optimizer steps."""
    batch_tokens: int = 2_048
    """Places of a batch, padding included."""
    lengths: tuple[int, ...] = (24, 48, 120)
    """Tokens of a segment; each batch has one of them, drawn evenly."""
    learning_rate: float = 1e-2
    """Highest of Muon's, reached after `warmup_steps`; AdamW takes a fifth."""
    warmup_steps: int = 100
    weight_decay: float = 0.1
    clip: float = 1.0
    """`weight_decay` and `clip`: as in `lm_core.training.language_modelling.TrainingConfig`."""
    seed: int = 1
    """Of weights, segments, masks and dropout."""
    dtype: str = "float32"
    """``float32`` or ``bfloat16``: arithmetic of the blocks."""
    held_out: float = HELD_OUT
    """In [0, 0.5]. Last share of the training part that is never learned."""
    masking: MaskingConfig = field(default_factory=MaskingConfig)

    def __post_init__(self) -> None:
        require_at_least_1(steps=self.steps, batch_tokens=self.batch_tokens)
        require_positive(learning_rate=self.learning_rate, clip=self.clip)
        if not self.lengths or min(self.lengths) < 8 or max(self.lengths) > self.batch_tokens:
            raise SettingError(
                f"lengths must lie between 8 and the {self.batch_tokens} tokens of a batch, got"
                f" {self.lengths}"
            )
        if not 0.0 <= self.held_out <= 0.5:
            raise SettingError(f"held_out must lie in [0, 0.5], got {self.held_out}")
        if self.dtype not in (known := ("float32", "bfloat16")):
            raise SettingError(f"dtype must be one of {known}, got {self.dtype!r}")


@dataclass(frozen=True)
class MaskedRecipe:
    """One model and its training."""

    name: str
    title: str
    """`name` and `title`: of the checkpoint."""
    model: MaskedLanguageModelConfig
    training: MaskedTrainingConfig
    starts_from: str | None = CAUSAL
    """Name of the shipped causal model whose weights it begins with; None for weights drawn
    anew."""


_ENCODER = MaskedLanguageModelConfig(FULL_SUBWORDS_SIZE)
_SMALL = MaskedLanguageModelConfig(FULL_SUBWORDS_SIZE, width=128, heads=4, layers=2)

MAIN = "book-masked-transformer"
EIGHTY, ALL_MASKED, ALL_RANDOM = "masked-80-10-10", "masked-100-0-0", "masked-0-0-100"
SPLITS = {
    EIGHTY: MaskingConfig(),
    ALL_MASKED: MaskingConfig(masked=1.0, random=0.0),
    ALL_RANDOM: MaskingConfig(masked=0.0, random=1.0),
}
"""Names of the small models that differ in nothing but what stands in the place of a chosen word."""
SINGLE_TOKENS = "masked-80-10-10-tokens"
"""Name of a small model like `EIGHTY`, whose tokens are chosen one by one instead of word by word."""
SMALL = (*SPLITS, SINGLE_TOKENS)


def _small(name: str, title: str, masking: MaskingConfig) -> MaskedRecipe:
    training = MaskedTrainingConfig(
        steps=1_600, learning_rate=2e-2, dtype="bfloat16", masking=masking
    )
    return MaskedRecipe(name, title, _SMALL, training, starts_from=None)


RECIPES = {
    recipe.name: recipe
    for recipe in (
        MaskedRecipe(
            MAIN,
            "Masked transformer 4 x 256",
            _ENCODER,
            MaskedTrainingConfig(steps=8_000, dtype="bfloat16"),
        ),
        *(
            _small(name, f"Masked transformer 2 x 128, {name.removeprefix('masked-')}", masking)
            for name, masking in SPLITS.items()
        ),
        _small(
            SINGLE_TOKENS,
            "Masked transformer 2 x 128, 80-10-10 of single subwords",
            MaskingConfig(whole_words=False),
        ),
    )
}
