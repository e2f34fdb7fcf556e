"""What is trained: taggers that see more or less of a word's context, and how each learns."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from lm_core.errors import SettingError, require_at_least_1, require_positive
from lm_core.models.tagger import (
    AVERAGED,
    CONCATENATED,
    RecurrentTaggerConfig,
    TransformerTaggerConfig,
    WindowTaggerConfig,
)
from lm_core.text.tagged_sentences import TAGS
from lm_core.training.muon import ADAMW_SHARE

EXPERIMENT = "part-of-speech-tagging"

ModelConfig = WindowTaggerConfig | RecurrentTaggerConfig | TransformerTaggerConfig

WINDOWS = (0, 1, 2, 3, 4, 5)
SEEDS = (1, 2)
LEAST_COUNT, LEAST_WORDS = 8, 20
"""Words read less often have no vector of their own; affixes of fewer words are left out."""


@dataclass(frozen=True)
class TaggerTrainingConfig:
    """How a tagger learns."""

    steps: int
    batch_tokens: int = 2_500
    """Most words of a batch, padding included."""
    learning_rate: float = 4e-2
    """Highest: reached after `warmup_steps`, then lowered to 0 by a cosine."""
    warmup_steps: int = 50
    weight_decay: float = 0.02
    clip: float = 1.0
    """Largest norm of the gradient."""
    word_dropout: float = 0.5
    """a: a word read c times in all is read as an unknown one with probability a / (a + c), so
    that training shows what unknown words are like (Kiperwasser & Goldberg 2016,
    https://arxiv.org/abs/1603.04351)."""
    adamw_share: float = ADAMW_SHARE
    """Of Muon's learning rate, for the word vectors."""
    seed: int = 1

    def __post_init__(self) -> None:
        require_at_least_1(steps=self.steps, batch_tokens=self.batch_tokens)
        require_positive(
            learning_rate=self.learning_rate, clip=self.clip, adamw_share=self.adamw_share
        )
        if not self.word_dropout >= 0.0:
            raise SettingError(f"word_dropout must be at least 0, got {self.word_dropout}")


@dataclass(frozen=True)
class TaggerRecipe:
    """One training."""

    name: str
    title: str
    """`name` and `title`: of the tagger that comes out of it."""
    model: Callable[[int], ModelConfig]
    """Callable of int -> ModelConfig. From the number of features."""
    training: TaggerTrainingConfig
    """Of the first seed."""

    def with_seed(self, seed: int) -> "TaggerRecipe":
        """Return the same training from other random numbers."""
        return replace(self, training=replace(self.training, seed=seed))


RECURRENT, TRANSFORMER = "bidirectional-lstm", "transformer-encoder"


def window_name(combination: str, window: int) -> str:
    """Return the name of a window tagger; of no neighbours, averaged and concatenated are the same."""
    return f"{combination}-{window}" if window else "no-context"


def _window_recipe(combination: str, window: int) -> TaggerRecipe:
    return TaggerRecipe(
        window_name(combination, window),
        f"Window of {window}, {combination}" if window else "No context",
        partial(WindowTaggerConfig, tags=len(TAGS), window=window, combination=combination),
        TaggerTrainingConfig(steps=600),
    )


RECIPES = {
    recipe.name: recipe
    for recipe in (
        *(_window_recipe(CONCATENATED, window) for window in WINDOWS),
        *(_window_recipe(AVERAGED, window) for window in WINDOWS[1:]),
        TaggerRecipe(
            RECURRENT,
            "Bidirectional LSTM",
            partial(RecurrentTaggerConfig, tags=len(TAGS), dropout=0.2),
            TaggerTrainingConfig(steps=900, learning_rate=2e-2),
        ),
        TaggerRecipe(
            TRANSFORMER,
            "Transformer encoder",
            partial(TransformerTaggerConfig, tags=len(TAGS), dropout=0.1),
            TaggerTrainingConfig(steps=900, learning_rate=2e-2, warmup_steps=100),
        ),
    )
}
