"""The targets of each pattern by hand, and a head that follows one."""

import math

import pytest
import torch

from lm_core.analysis.head_patterns import PATTERNS, find_head_patterns, pattern_targets
from lm_core.errors import ShapeError
from tests.core.models.test_transformer import tokens_of


def targets_of(text, pattern):
    """Return the targets of a pattern, by position, for a text of letters and spaces."""
    vocabulary = sorted(set(text))
    tokens = torch.tensor([vocabulary.index(c) for c in text])
    word = torch.tensor([c != " " for c in vocabulary])
    targets = pattern_targets(tokens, word)
    assert not targets[pattern].triu(1).any()
    return {
        i: row.nonzero().flatten().tolist() for i, row in enumerate(targets[pattern]) if row.any()
    }


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("itself", {i: [i] for i in range(7)}),
        ("previous character", {i: [i - 1] for i in range(1, 7)}),
        ("first character", {i: [0] for i in range(1, 7)}),
        ("start of the word", {0: [0], 1: [0], 3: [3], 4: [3], 5: [3], 6: [3]}),
        ("end of the word before", {3: [2], 4: [2], 5: [2], 6: [2]}),
        ("same character earlier", {3: [0], 4: [1]}),
        ("after the same character", {3: [1], 4: [2]}),
        ("after the same two characters", {4: [2]}),
    ],
)
def test_patterns_by_hand(pattern, expected):
    assert targets_of("ab abcd", pattern) == expected


def test_a_head_that_follows_a_pattern_is_found():
    tokens, word = tokens_of(1, 40)[0], torch.ones(11, dtype=torch.bool)
    even = torch.ones(40, 40).tril()
    weights = torch.stack([even, even]).repeat(2, 1, 1, 1)
    weights[1, 0] = torch.diag(torch.ones(39), -1)
    weights[1, 0, 0, 0] = 1.0
    weights = weights / weights.sum(-1, keepdim=True)
    found = find_head_patterns(weights, tokens, word)
    assert (found[0].layer, found[0].head, found[0].pattern) == (1, 0, "previous character")
    assert found[0].share == pytest.approx(1.0)
    assert found[0].n_tokens == 39
    for pattern in found:
        if (pattern.layer, pattern.head) != (1, 0):
            assert pattern.share == pytest.approx(pattern.uniform_share, abs=1e-6)
    assert {pattern.pattern for pattern in found} <= set(PATTERNS)
    assert math.isclose(found[0].uniform_share, sum(1 / n for n in range(2, 41)) / 39, rel_tol=1e-5)
    with pytest.raises(ShapeError, match="3 tokens"):
        find_head_patterns(weights, tokens[:3], word)
