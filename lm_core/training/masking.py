"""What a masked language model is asked: some words of a text covered, replaced, or left as they are.

Of all words a share (BERT: 15 %) is chosen to be predicted. Of the chosen tokens most are covered with
``[MASK]``, some are replaced by a token drawn at random, and the rest are left; BERT's shares are 80, 10
and 10 %. The last two are there because no text has ``[MASK]`` in it once the training is over: the
model must say what belongs at a place, whether or not it is told that the place is in doubt.

References
----------
Devlin et al. 2019, "BERT", section 3.1 and appendix C.2. https://arxiv.org/abs/1810.04805
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.masked_language_model import MaskedLanguageModelConfig


@dataclass(frozen=True)
class MaskingConfig:
    """Which tokens are to be predicted, and what stands in their place."""

    share: float = 0.15
    """In (0, 1]. Of the words, or of the tokens, that are chosen."""
    masked: float = 0.8
    random: float = 0.1
    """`masked` and `random`: in [0, 1], together at most 1. Of the chosen tokens: covered, and
    replaced by a token drawn evenly from all. The rest is left."""
    whole_words: bool = True
    """Whether all tokens of a word are chosen together."""

    def __post_init__(self) -> None:
        if not 0.0 < self.share <= 1.0:
            raise SettingError(f"share must lie in (0, 1], got {self.share}")
        if min(self.masked, self.random) < 0.0 or self.masked + self.random > 1.0 + 1e-9:
            raise SettingError(
                "masked and random must not be negative and add up to at most 1, got"
                f" {self.masked} and {self.random}"
            )


class MaskedTokens(NamedTuple):
    """What the model reads, int64 (B, T), and which places it must predict, bool (B, T)."""

    inputs: Tensor
    is_target: Tensor


def mask_tokens(
    tokens: Tensor,
    starts_word: Tensor,
    masking: MaskingConfig,
    model: MaskedLanguageModelConfig,
    rng: torch.Generator,
) -> MaskedTokens:
    """Choose the tokens to be predicted, and cover, replace or leave them.

    Parameters
    ----------
    tokens : int64 Tensor of shape (B, T), special symbols among them are never chosen
    starts_word : bool Tensor of shape (B, T)
        Where a word begins; every other token belongs to the word of the one before it.
    model : MaskedLanguageModelConfig, says which ids are subwords
    """
    drawn = torch.rand(tokens.shape, generator=rng)
    if masking.whole_words:
        word = (starts_word.cumsum(1) - 1).clamp_min(0)  # number of each token's word, (B, T)
        drawn = drawn.gather(1, word)
    is_target = (drawn < masking.share) & (tokens < model.vocabulary_size)
    fate = torch.rand(tokens.shape, generator=rng)
    others = torch.randint(model.vocabulary_size, tokens.shape, generator=rng)
    inputs = torch.where(is_target & (fate < masking.masked), model.mask_id, tokens)
    is_replaced = (fate >= masking.masked) & (fate < masking.masked + masking.random)
    return MaskedTokens(torch.where(is_target & is_replaced, others, inputs), is_target)
