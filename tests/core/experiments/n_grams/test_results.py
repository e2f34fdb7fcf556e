"""n-gram scores: what is shipped holds together."""

import math

import pytest

from lm_core.experiments.n_grams.results import (
    BOOK,
    KS,
    LONGEST,
    NAMES,
    SYMBOLS_OF,
    TEXTS,
    NGramResults,
)


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_shipped_holds_together(text):
    results = NGramResults.load()
    scores, size = results.of_text(text), len(SYMBOLS_OF[text])
    assert [score.n for score in scores] == list(range(1, LONGEST + 1))
    for score, table, minimum in zip(
        scores, results.tables[text], results.minimum[text], strict=True
    ):
        assert score.possible == size ** (score.n - 1)
        assert len(table.contexts) <= score.seen <= score.possible
        if minimum == 1:
            assert len(table.contexts) == score.seen
        assert table.totals.min() >= minimum
        assert table.keys.max() < size**score.n
        assert score.unseen_share <= score.impossible_share
        assert score.kneser_ney <= min(score.add_k) + 0.005
    shares = [score.unseen_share for score in scores]
    assert shares == sorted(shares)
    training = [score.training_loss for score in scores]
    assert training == sorted(training, reverse=True)


def test_the_smoothings_agree_with_what_others_measured():
    results = NGramResults.load()
    # Kneser-Ney on the book without the licence, measured with another program.
    assert results.of_text(BOOK)[5].kneser_ney == pytest.approx(1.223, abs=2e-3)
    # The bigrams of all names, and with them the counts that the notebooks print.
    assert results.bigrams_of_all_names == pytest.approx(2.4540, abs=1e-4)
    pairs = results.tables[NAMES][1]
    assert math.exp(results.of_text(NAMES)[1].add_k[KS.index(1.0)]) < 27
    assert int(pairs.counts.sum()) == 182_625
