"""Gaps: chain rule, orders of filling, and what the left side alone expects, against direct calls of the models."""

import pytest
import torch

from lm_core.analysis.gaps import (
    AT_ONCE,
    CERTAIN_FIRST,
    LEFT_FIRST,
    ORDERS,
    RIGHT_FIRST,
    both_sides_probabilities,
    covered,
    fill_gaps,
    left_probabilities,
    pair_probabilities,
)
from lm_core.analysis.pseudo_log_likelihood import by_word, pseudo_log_likelihoods
from lm_core.errors import SettingError
from lm_core.models import masked_language_model
from lm_core.rng import generator
from tests.core.toy_models import random_lstm

V = 11
MASK = V
TEXT = torch.tensor([3, 1, 4, 1, 5, 9, 2])


@pytest.fixture(scope="module")
def model():
    model = masked_language_model.MaskedLanguageModel(
        masked_language_model.MaskedLanguageModelConfig(V, width=8, heads=2, layers=2, longest=12)
    )
    model.initialise(generator(3))
    with torch.no_grad():
        model.embedding.weight *= 50.0
        model.output.weight *= 50.0
        model.embedding.weight[MASK] = 0.0  # a gap says nothing, its neighbours decide
    return model.eval()


def at(model, tokens, place):
    """Return what the model expects at one place, by a plain call."""
    framed = masked_language_model.between_symbols(torch.tensor([tokens]), model.config)
    with torch.no_grad():
        return model(framed, torch.tensor([framed.shape[1]]))[0, place + 1].softmax(0)


def test_covering_leaves_the_text_itself_alone():
    assert covered(TEXT, (1, 2), MASK).tolist() == [3, MASK, MASK, 1, 5, 9, 2]
    assert TEXT.tolist() == [3, 1, 4, 1, 5, 9, 2]


def test_the_left_side_alone_is_the_causal_model():
    causal = random_lstm(V)
    found = left_probabilities(causal, TEXT)
    for place in range(1, len(TEXT)):
        logits, _ = causal(TEXT[None, :place], causal.initial_state(1))
        torch.testing.assert_close(found[place - 1], logits[0, -1].softmax(0))


def test_a_word_of_two_subwords_is_predicted_from_its_left_to_its_right(model):
    found = both_sides_probabilities(model, TEXT, [2, 3, 5], range(2, 4))
    torch.testing.assert_close(found[0], at(model, [3, 1, MASK, MASK, 5, MASK, 2], 2))
    torch.testing.assert_close(found[1], at(model, [3, 1, 4, MASK, 5, MASK, 2], 3))


def test_pairs_follow_the_chain_rule_either_way(model):
    pairs = pair_probabilities(model, TEXT, (2, 4), most=3)
    both = [3, 1, MASK, 1, MASK, 9, 2]
    first, second = at(model, both, 2), at(model, both, 4)
    assert pairs.first.tolist() == first.topk(3).indices.tolist()
    assert pairs.second.tolist() == second.topk(3).indices.tolist()
    for i, a in enumerate(pairs.first.tolist()):
        for j, b in enumerate(pairs.second.tolist()):
            given_a, given_b = (
                at(model, [3, 1, a, 1, MASK, 9, 2], 4),
                at(model, [3, 1, MASK, 1, b, 9, 2], 2),
            )
            expected = torch.stack(
                [first[a] * second[b], first[a] * given_a[b], second[b] * given_b[a]]
            )
            found = torch.stack([p[i, j] for p in pairs[2:]])
            torch.testing.assert_close(found, expected)


def test_the_two_gaps_must_be_two(model):
    with pytest.raises(SettingError, match="different places"):
        pair_probabilities(model, TEXT, (2, 2))


@pytest.mark.parametrize("order", ORDERS)
def test_gaps_are_filled_in_their_order(model, order):
    gaps = [1, 3, 4]
    filled = fill_gaps(model, TEXT, gaps, order)
    text = covered(TEXT, gaps, MASK).tolist()
    left = list(gaps)
    for place, probability in zip(filled.order, filled.probabilities, strict=True):
        best = {g: at(model, text, g).max(0) for g in left}
        if order in (LEFT_FIRST, AT_ONCE):
            assert place == min(left)
        elif order == RIGHT_FIRST:
            assert place == max(left)
        else:
            assert place == max(best, key=lambda g: best[g].values)
        assert int(filled.tokens[place]) == int(best[place].indices)
        assert probability == pytest.approx(float(best[place].values), rel=1e-5)
        left.remove(place)
        if order != AT_ONCE:
            text[place] = int(filled.tokens[place])
    assert not left
    untouched = [i for i in range(len(TEXT)) if i not in gaps]
    assert filled.tokens[untouched].tolist() == TEXT[untouched].tolist()


def test_another_order_may_fill_otherwise(model):
    texts = torch.randint(V, (20, 8), generator=generator(1))
    filled = [
        {tuple(fill_gaps(model, text, [2, 3, 4], order).tokens.tolist()) for order in ORDERS}
        for text in texts
    ]
    assert max(map(len, filled)) > 1


def test_unknown_orders_are_refused(model):
    with pytest.raises(SettingError, match=CERTAIN_FIRST):
        fill_gaps(model, TEXT, [1], "by luck")


def test_each_word_is_predicted_from_all_others(model):
    words = (range(1, 2), range(2, 5), range(6, 7))
    found = pseudo_log_likelihoods(model, TEXT, words)
    expected = []
    for word in words:
        for place in word:
            text = TEXT.tolist()
            text[place : word.stop] = [MASK] * (word.stop - place)
            expected.append(at(model, text, place)[TEXT[place]].log())
    torch.testing.assert_close(found, torch.stack(expected))
    assert by_word(found, words) == pytest.approx(
        [float(expected[0]), float(sum(expected[1:4])), float(expected[4])], rel=1e-5
    )
    assert len(pseudo_log_likelihoods(model, TEXT, ())) == 0
