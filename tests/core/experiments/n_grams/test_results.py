"""n-gram scores: what is saved is read again, and what is shipped holds together."""

import json
import math

import numpy as np
import pytest

from lm_core.errors import ResultError
from lm_core.experiments.n_grams.results import (
    BOOK,
    KS,
    LONGEST,
    NAMES,
    TEXTS,
    load_results,
    save_results,
    symbols_of,
)


def test_what_is_saved_is_read_again(tmp_path):
    shipped = load_results()
    save_results(tmp_path / "n.json", shipped)
    found = load_results(tmp_path / "n.json")
    assert found.scores == shipped.scores
    for text in TEXTS:
        for a, b in zip(found.tables[text], shipped.tables[text], strict=True):
            np.testing.assert_array_equal(a.keys, b.keys)
            np.testing.assert_array_equal(a.counts, b.counts)


@pytest.mark.parametrize("missing", ["scores", "minimum", "bigrams_of_all_names"])
def test_a_file_without_a_part_is_an_error(tmp_path, missing):
    path = tmp_path / "n.json"
    save_results(path, load_results())
    document = json.loads(path.read_text())
    del document["data"][missing], document["sha256"]
    path.write_text(json.dumps(document))
    with pytest.raises(ResultError):
        load_results(path)


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_shipped_holds_together(text):
    results = load_results()
    scores, size = results.of_text(text), len(symbols_of(text))
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
    results = load_results()
    # Kneser-Ney on the book without the licence, measured with another program.
    assert results.of_text(BOOK)[5].kneser_ney == pytest.approx(1.223, abs=2e-3)
    # The bigrams of all names, and with them the counts that the notebooks print.
    assert results.bigrams_of_all_names == pytest.approx(2.4540, abs=1e-4)
    pairs = results.tables[NAMES][1]
    assert math.exp(results.of_text(NAMES)[1].add_k[KS.index(1.0)]) < 27
    assert int(pairs.counts.sum()) == 182_625
