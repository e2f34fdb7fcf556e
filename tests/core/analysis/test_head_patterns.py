"""The targets of each pattern by hand, and heads that follow one."""

import pytest
import torch

from lm_core.analysis.head_patterns import (
    PATTERNS,
    find_head_patterns,
    pattern_targets,
    shuffled_targets,
    weight_on,
)
from lm_core.errors import ShapeError
from lm_core.rng import generator

WORDS = [
    "He",
    " said",
    ' "',
    "Go",
    "!",
    '"',
    " and",
    " Nat",
    "asha",
    " went",
    ".",
    " He",
    " saw",
    " her",
]


def targets_of(symbols, pattern):
    """Return the targets of a pattern, by position."""
    targets = pattern_targets(symbols)[pattern]
    assert not targets.triu(1).any()
    return {i: row.nonzero().flatten().tolist() for i, row in enumerate(targets) if row.any()}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("itself", {i: [i] for i in range(7)}),
        ("previous token", {i: [i - 1] for i in range(1, 7)}),
        ("first token", {i: [0] for i in range(1, 7)}),
        ("start of the word", {0: [0], 1: [0], 3: [3], 4: [3], 5: [3], 6: [3]}),
        ("end of the word before", {3: [2], 4: [2], 5: [2], 6: [2]}),
        ("start of the sentence", {i: [0] for i in range(1, 7)}),
        ("same token earlier", {3: [0], 4: [1]}),
        ("token after the same token", {3: [1], 4: [2]}),
        ("token after the same two tokens", {4: [2]}),
        ("name of a pronoun", {}),
        ("opening quote", {}),
    ],
)
def test_patterns_by_hand(pattern, expected):
    assert targets_of("ab abcd", pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (
            "start of the word",
            {i: [7 if i == 8 else i] for i in range(14) if i not in (2, 4, 5, 10)},
        ),
        (
            "start of the sentence",
            {**{i: [0] for i in (1, 2, 3, 4)}, 7: [6], 8: [6], 9: [6], 10: [6], 12: [11], 13: [11]},
        ),
        ("same token earlier", {}),
        ("name of a pronoun", {13: [7, 8]}),
        ("opening quote", {5: [2]}),
    ],
)
def test_patterns_of_subwords_by_hand(pattern, expected):
    assert targets_of(WORDS, pattern) == expected


def test_one_token_alike_is_no_pair():
    assert targets_of("xaya", "token after the same two tokens") == {}
    assert targets_of("xaya", "token after the same token") == {3: [2]}


def test_a_pronoun_attends_to_names_of_its_kind_alone():
    symbols = ["Pierre", " saw", " Natasha", " and", " he", " knew", " her"]
    assert targets_of(symbols, "name of a pronoun") == {4: [0], 6: [2]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a" "b"', {2: [0], 6: [4]}),
        ('a" "b"', {5: [3]}),  # the first was opened before the text began
        ('"a\n"b"', {5: [3]}),  # each paragraph of a long speech opens anew
        ('"a""', {2: [0]}),
    ],
)
def test_a_closing_quote_belongs_to_the_last_that_opened(text, expected):
    assert targets_of(text, "opening quote") == expected


def test_shuffled_targets_are_those_of_others_as_far_back():
    targets = pattern_targets("ab abcd ab")["same token earlier"]
    found = shuffled_targets(targets, generator(0))
    distances = {
        name: sorted(int(i - j) for i, j in of.nonzero())
        for name, of in {"targets": targets, "shuffled": found}.items()
    }
    assert set(distances["shuffled"]) <= set(distances["targets"])
    assert not found.triu(1).any()
    rows = targets.any(-1)
    assert not found[~rows].any()
    # No token keeps its own, where no two tokens have their targets at the same distances.
    lone = torch.zeros(9, 9, dtype=torch.bool)
    lone[[8, 7, 6], [6, 2, 5]] = True
    for seed in range(5):
        moved = shuffled_targets(lone, generator(seed))
        assert not (moved & lone).any()
        assert moved.sum() == 3


def heads(n):
    """Return weights of four hand-made heads on n tokens: uniform, previous, one and two before."""
    uniform = torch.ones(n, n).tril()
    previous = torch.diag(torch.ones(n - 1), -1)
    previous[0, 0] = 1.0
    window = previous + torch.diag(torch.ones(n - 2), -2)
    weights = torch.stack([torch.stack([uniform, previous]), torch.stack([previous, window])])
    return weights / weights.sum(-1, keepdim=True)


def by_head(found, pattern):
    return {(p.layer, p.head): p for p in found if p.pattern == pattern}


def test_a_head_that_follows_a_pattern_is_found_and_a_uniform_one_is_at_chance():
    symbols = list("the prince had the letter that the princess had written to the prince ")
    n = len(symbols)
    found = find_head_patterns([(heads(n), symbols)])
    assert found[0].pattern == "previous token"
    assert {(p.layer, p.head) for p in found[:2]} == {(0, 1), (1, 0)}
    assert found[0].share == pytest.approx(1.0)
    assert found[0].n_tokens == n - 1
    chance = sum(1 / i for i in range(2, n + 1)) / (n - 1)
    assert found[0].uniform_share == pytest.approx(chance, rel=1e-5)
    assert found[0].shuffled_share == found[0].uniform_share
    for pattern in found:
        if (pattern.layer, pattern.head) == (0, 0):
            assert pattern.share == pytest.approx(pattern.uniform_share, abs=1e-6)
    assert {pattern.pattern for pattern in found} <= set(PATTERNS)


def test_an_exact_induction_head_scores_one_and_its_control_nothing():
    symbols = [*"abcdefgh", *"hgfedcba", *"cafebedh"]
    targets = pattern_targets(symbols)["token after the same token"]
    exact = torch.where(targets.any(-1, keepdim=True), targets, torch.eye(24)).float()
    exact = (exact / exact.sum(-1, keepdim=True))[None, None]
    scored = by_head(find_head_patterns([(exact, symbols)]), "token after the same token")[0, 0]
    assert scored.share == pytest.approx(1.0)
    assert scored.shuffled_share < 0.4
    assert scored.excess == pytest.approx(1.0 - max(scored.shuffled_share, scored.uniform_share))


def test_looking_a_little_back_is_no_content_and_the_control_says_so():
    symbols = list("aabbccddeeffgghh")  # the same token is one before, for every second token
    found = find_head_patterns([(heads(16), symbols)])
    scored = by_head(found, "same token earlier")[0, 1]
    assert scored.share == scored.shuffled_share == pytest.approx(1.0)
    assert scored.excess == pytest.approx(0.0)
    ranked = [p.excess for p in found]
    assert ranked == sorted(ranked, reverse=True)
    assert ranked[0] > 0.5


def test_texts_are_pooled_token_by_token():
    short, long = list("abcab"), list("the same again, the same")
    apart = [
        by_head(find_head_patterns([(heads(len(s)), s)]), "first token")[0, 0]
        for s in (short, long)
    ]
    pooled = by_head(find_head_patterns((heads(len(s)), s) for s in (short, long)), "first token")
    n = [p.n_tokens for p in apart]
    assert pooled[0, 0].n_tokens == sum(n) == 4 + 23
    expected = sum(p.share * count for p, count in zip(apart, n, strict=True)) / sum(n)
    assert pooled[0, 0].share == pytest.approx(expected)


def test_a_single_token_with_targets_has_no_control():
    scored = by_head(find_head_patterns([(heads(3), list("aba"))]), "same token earlier")[0, 0]
    assert scored.shuffled_share is None
    assert scored.excess == pytest.approx(0.0)


def test_weights_of_another_text_are_refused():
    with pytest.raises(ShapeError, match="3 tokens"):
        find_head_patterns([(heads(5), list("abc"))])


def test_the_weight_on_targets_is_added_up():
    weights = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]])
    targets = torch.tensor([[0, 0, 0], [1, 0, 0], [1, 1, 0]]).bool()
    assert weight_on(weights, targets).tolist() == [0.5, 0.5]
