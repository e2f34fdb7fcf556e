"""Head patterns: the share of a head's attention that goes to targets one can name.

Each pattern has, for each token of a text, some earlier tokens as its targets. A head's score is the
mean weight that it gives to these targets, over the tokens that have any; beside it is what
uniform attention would give, because a pattern with many targets gets much by chance.

References
----------
Clark et al. 2019, "What Does BERT Look At?" https://arxiv.org/abs/1906.04341
Olsson et al. 2022, "In-context Learning and Induction Heads". https://arxiv.org/abs/2209.11895
"""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import ShapeError

PATTERNS = (
    "itself",
    "previous character",
    "first character",
    "start of the word",
    "end of the word before",
    "same character earlier",
    "after the same character",
    "after the same two characters",
)


class HeadPattern(NamedTuple):
    """How much of a head's attention follows one pattern.

    Attributes
    ----------
    layer, head : int
    pattern : str
        One of `PATTERNS`.
    share : float in [0, 1]
        Mean weight on the pattern's targets.
    uniform_share : float in [0, 1]
        What uniform attention to all visible tokens would give.
    n_tokens : int
        Tokens for which the pattern has a target.
    """

    layer: int
    head: int
    pattern: str
    share: float
    uniform_share: float
    n_tokens: int


def pattern_targets(tokens: Tensor, word_characters: Tensor) -> dict[str, Tensor]:
    """Return the targets of each pattern, bool (T, T): queries down, keys across, never ahead.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,)
    word_characters : bool Tensor of shape (V,)
        Which tokens are part of words.
    """
    n = len(tokens)
    steps = torch.arange(n)
    back = steps[:, None] - steps  # (T, T)
    is_word = word_characters[tokens]
    before = torch.cat([is_word.new_zeros(1), is_word[:-1]])
    start = torch.where(is_word & ~before, steps, -1).cummax(0).values
    starts = (steps == start[:, None]) & is_word[:, None]
    gap = torch.where(~is_word, steps, -1).cummax(0).values  # the last character that is in no word
    ends = (steps == gap[:, None]) & is_word[:, None] & (gap[:, None] >= 0)
    same = (tokens[:, None] == tokens) & (back > 0)
    after_same = _shifted(same) & (back > 0)
    pairs = torch.zeros_like(same)
    pairs[1:, 1:] = same[1:, 1:] & same[:-1, :-1]
    after_pairs = _shifted(pairs) & (back > 0)
    found = (
        back == 0,
        back == 1,
        (steps == 0) & (back > 0),
        starts,
        ends,
        same,
        after_same,
        after_pairs,
    )
    return dict(zip(PATTERNS, found, strict=True))


def find_head_patterns(
    weights: Tensor, tokens: Tensor, word_characters: Tensor
) -> list[HeadPattern]:
    """Score every head of every layer by every pattern.

    Parameters
    ----------
    weights : Tensor of shape (layers, H, T, T)
        Of a causal model, as in `TransformerTrace.weights`; better of 200 tokens or more.
    tokens, word_characters
        As for `pattern_targets`.

    Returns
    -------
    list of HeadPattern
        The clearest first: those whose share is furthest above the uniform one.

    Raises
    ------
    ShapeError
        If the weights are not of these tokens.
    """
    n_layers, n_heads, *squares = weights.shape
    if squares != [len(tokens)] * 2:
        raise ShapeError(f"weights must be of {len(tokens)} tokens, got {tuple(weights.shape)}")
    uniform = torch.ones(len(tokens), len(tokens)).tril()
    uniform = uniform / uniform.sum(-1, keepdim=True)
    found = []
    for pattern, targets in pattern_targets(tokens, word_characters).items():
        has_target = targets.any(-1)
        if not has_target.any():
            continue
        shares = (weights * targets).sum(-1)[..., has_target].mean(-1)  # (layers, H)
        by_chance = float((uniform * targets).sum(-1)[has_target].mean())
        found += [
            HeadPattern(
                layer, head, pattern, float(shares[layer, head]), by_chance, int(has_target.sum())
            )
            for layer in range(n_layers)
            for head in range(n_heads)
        ]
    return sorted(found, key=lambda p: p.uniform_share - p.share)


def _shifted(matches: Tensor) -> Tensor:
    """Return the keys after the matches."""
    after = torch.zeros_like(matches)
    after[:, 1:] = matches[:, :-1]
    return after
