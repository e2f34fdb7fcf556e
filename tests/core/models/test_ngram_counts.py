"""Counts against a dictionary, the smoothings against their formulas, and EM against its laws."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.models import ngram_counts

V = 4
TEXT = np.array([0, 1, 2, 1, 2, 1, 0, 1, 2, 2, 1, 2, 0, 0, 1])
HELD_OUT = np.array([1, 2, 1, 0, 3, 1, 2, 2, 0, 1, 2, 1])


def tables(n=3, ids=TEXT):
    return [ngram_counts.count_ngrams(ids, V, length) for length in range(1, n + 1)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_ngram_is_counted_as_a_dictionary_counts_it(n):
    expected = Counter(tuple(TEXT[i : i + n].tolist()) for i in range(len(TEXT) - n + 1))
    table = ngram_counts.count_ngrams(TEXT, V, n)
    for key in range(V**n):
        gram = tuple((key // V ** (n - 1 - i)) % V for i in range(n))
        assert table.of_ngrams(np.array(key)) == expected[gram]
    assert table.counts.sum() == len(TEXT) - n + 1


def test_a_context_was_seen_as_often_as_its_row_sums_to():
    table = ngram_counts.count_ngrams(TEXT, V, 3)
    contexts = np.arange(V * V)
    np.testing.assert_array_equal(table.of_contexts(contexts), table.row(contexts).sum(1))


def test_only_what_is_predicted_is_counted():
    is_predicted = np.arange(len(TEXT)) % 2 == 0
    assert (
        ngram_counts.count_ngrams(TEXT, V, 2, is_predicted).counts.sum() == is_predicted[1:].sum()
    )


def test_rare_contexts_are_left_out_whole():
    table = ngram_counts.count_ngrams(TEXT, V, 2)
    kept = table.after(5)
    assert 0 < len(kept.contexts) < len(table.contexts)
    assert kept.totals.min() >= 5
    np.testing.assert_array_equal(kept.row(kept.contexts), table.row(kept.contexts))


@pytest.mark.parametrize(("n", "ids"), [(0, TEXT), (40, TEXT), (3, TEXT[:2])])
def test_a_length_that_cannot_be_counted_is_an_error(n, ids):
    with pytest.raises((SettingError, TextError)):
        ngram_counts.count_ngrams(ids, V, n)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_smoothings_give_distributions_after_every_seen_context(n):
    counted = tables(n)
    for context in counted[-1].contexts.tolist():
        digits = [(context // V ** (n - 2 - i)) % V for i in range(n - 1)]
        evidence = ngram_counts.evidence_after(counted, digits)
        for p in (
            ngram_counts.maximum_likelihood(evidence),
            ngram_counts.add_k(evidence, 0.3, V),
            ngram_counts.interpolate(evidence, [0.6] * n, V),
        ):
            assert p.sum() == pytest.approx(1.0)
            assert p.min() >= 0


def test_the_formulas_by_hand():
    # n(1) = 3 of 10 unigrams; after the context 2 times, of these once the symbol.
    evidence = ngram_counts.Evidence(np.array([3, 1]), np.array([10, 2]))
    assert ngram_counts.maximum_likelihood(evidence) == 0.5
    assert ngram_counts.add_k(evidence, 2.0, V) == pytest.approx(3 / 10)
    shorter = 0.8 * 0.3 + 0.2 * 0.25
    assert ngram_counts.interpolate(evidence, [0.8, 0.6], V) == pytest.approx(
        0.6 * 0.5 + 0.4 * shorter
    )


def test_after_an_unseen_context_interpolation_is_the_shorter_ones():
    seen = ngram_counts.Evidence(np.array([3]), np.array([10]))
    unseen = ngram_counts.Evidence(np.array([3, 0]), np.array([10, 0]))
    assert ngram_counts.interpolate(unseen, [0.8, 0.6], V) == ngram_counts.interpolate(
        seen, [0.8], V
    )
    assert ngram_counts.maximum_likelihood(unseen) == 0.0


def test_em_never_makes_the_text_less_likely_and_ends_at_its_best():
    evidence = ngram_counts.evidence_of_text(tables(), HELD_OUT)
    weights, losses = ngram_counts.fit_weights(evidence, V, steps=300)
    assert all(after <= before + 1e-12 for before, after in pairwise(losses))
    best = -np.log(ngram_counts.interpolate(evidence, weights, V)).mean()
    for n in range(3):
        for step in (-0.02, 0.02):
            moved = list(weights)
            moved[n] = min(max(moved[n] + step, 1e-6), 1 - 1e-6)
            assert -np.log(ngram_counts.interpolate(evidence, moved, V)).mean() >= best - 1e-9


def test_fitted_to_what_was_counted_the_longest_context_takes_all():
    weights, _ = ngram_counts.fit_weights(
        ngram_counts.evidence_of_text(tables(), TEXT), V, steps=400
    )
    assert weights[-1] > 0.95


@pytest.mark.parametrize(
    "config",
    [
        ngram_counts.NGramCountConfig(V, 3, ngram_counts.INTERPOLATION, weights=(0.9, 0.7, 0.5)),
        ngram_counts.NGramCountConfig(V, 3, ngram_counts.ADD_K, k=0.5),
    ],
)
def test_the_model_predicts_what_the_functions_say(config):
    counted = tables()
    model = ngram_counts.NGramCountModel(config, counted)
    logits, _ = model(torch.from_numpy(HELD_OUT)[None], model.initial_state(1))
    evidence = ngram_counts.evidence_of_text(counted, HELD_OUT)
    expected = (
        ngram_counts.interpolate(evidence, config.weights, V)
        if config.smoothing == ngram_counts.INTERPOLATION
        else ngram_counts.add_k(evidence, config.k, V)
    )
    found = logits[0, 1:-1].softmax(-1).numpy()[np.arange(len(HELD_OUT) - 2), HELD_OUT[2:]]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize(
    "settings",
    [{"smoothing": "other"}, {"weights": (0.5,)}, {"smoothing": ngram_counts.ADD_K, "k": -1.0}],
)
def test_settings_out_of_range_are_errors(settings):
    with pytest.raises(SettingError):
        ngram_counts.NGramCountConfig(V, 2, **settings)


def test_plain_counts_give_nothing_where_nothing_was_seen():
    model = ngram_counts.NGramCountModel(
        ngram_counts.NGramCountConfig(V, 2, ngram_counts.NONE), tables(2)
    )
    assert model.probabilities([3]).sum() == 0.0
