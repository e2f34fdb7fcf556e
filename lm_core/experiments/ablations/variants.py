"""The models that are compared: one whole, and others that differ from it in one thing each.

All learn from the same characters in the same order, and all but one with the same learning rate: one
that suits the whole model, and was fixed before any of the others was trained. Others might do better
with a rate of their own, so the one that learns least has a second trial with a lower one.
"""

from dataclasses import dataclass, replace

from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.language_modelling import TrainingConfig

WHOLE = TransformerLanguageModelConfig(
    vocabulary_size=len(SOURCE), width=128, heads=4, layers=4, context=64, cold_starts=1.0
)
DEEP = replace(WHOLE, layers=8)

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
    """One of the models.

    Attributes
    ----------
    name : str
        Unique; lower-case letters, digits and hyphens.
    title : str
        For people, short and unique: what is missing.
    model : TransformerLanguageModelConfig
    seed : int
    learning_rate : float
    is_kept : bool
        Whether its weights are kept, for a page to let it write.
    """

    name: str
    title: str
    model: TransformerLanguageModelConfig
    seed: int = TRAINING.seed
    learning_rate: float = TRAINING.learning_rate
    is_kept: bool = False

    @property
    def training(self) -> TrainingConfig:
        """How it is trained."""
        return replace(TRAINING, seed=self.seed, learning_rate=self.learning_rate)


_ALL = (
    Variant("whole", "whole", WHOLE, is_kept=True),
    Variant("no-mask", "no mask", replace(WHOLE, causal=False), is_kept=True),
    Variant("no-residual", "no residual", replace(WHOLE, residual=False)),
    Variant("no-norm", "no norm", replace(WHOLE, norm="none")),
    Variant("neither", "neither", replace(WHOLE, residual=False, norm="none")),
    Variant(
        "no-residual-slowly",
        "no residual, 0.0003",
        replace(WHOLE, residual=False),
        learning_rate=3e-4,
    ),
    Variant("no-positions", "no positions", replace(WHOLE, position="none")),
    Variant("post-norm", "norm after", replace(WHOLE, norm="post")),
    Variant("one-layer", "1 layer", replace(WHOLE, layers=1)),
    Variant("one-head", "1 head", replace(WHOLE, heads=1)),
    Variant("two-heads", "2 heads", replace(WHOLE, heads=2)),
    Variant("eight-heads", "8 heads", replace(WHOLE, heads=8)),
    Variant("whole-again", "whole, seed 2", WHOLE, seed=2),
    Variant("whole-once-more", "whole, seed 3", WHOLE, seed=3),
    Variant("deep", "8 layers", DEEP),
    Variant("deep-no-residual", "no residual (8)", replace(DEEP, residual=False)),
    Variant("deep-no-norm", "no norm (8)", replace(DEEP, norm="none")),
    Variant("deep-neither", "neither (8)", replace(DEEP, residual=False, norm="none")),
    Variant("deep-post-norm", "norm after (8)", replace(DEEP, norm="post")),
)

VARIANTS = {variant.name: variant for variant in _ALL}
"""By name, in the order in which they are trained."""
