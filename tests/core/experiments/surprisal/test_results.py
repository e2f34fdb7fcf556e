"""Surprisal by kind of text: what is saved is read again, and what is shipped holds together."""

import json

import pytest

from lm_core.errors import ResultError
from lm_core.experiments.surprisal.results import (
    BOOK,
    CHARACTERS,
    KINDS,
    OWN,
    OWN_COOL,
    WORDS,
    KindScore,
    SurprisalResults,
    load_results,
    save_results,
)
from lm_core.training.checkpoints import list_language_models


def results():
    score = KindScore("model", BOOK, 1.5, 0.1, (0.5, 0.25, 0.125, 0.125), 100)
    return SurprisalResults({"date": "today"}, (score,), {"model": "The prince"})


def test_what_is_saved_is_read_again(tmp_path):
    save_results(tmp_path / "s.json", results())
    assert load_results(tmp_path / "s.json") == results()


@pytest.mark.parametrize(
    "change",
    [{"kind": "poems"}, {"bits": -1.0}, {"rank_shares": [1.0]}, {"extra": 1}, {"bits": None}],
    ids=lambda change: next(iter(change)),
)
def test_a_file_with_other_scores_is_refused(tmp_path, change):
    path = tmp_path / "s.json"
    save_results(path, results())
    document = json.loads(path.read_text())
    del document["sha256"]
    document["data"]["scores"][0] |= change
    path.write_text(json.dumps(document))
    with pytest.raises(ResultError):
        load_results(path)


def test_every_shipped_model_of_the_book_is_scored_on_every_kind():
    shipped = load_results()
    names = {meta.name for meta in list_language_models() if meta.snapshot_of is None}
    assert {score.model for score in shipped.scores} == names == set(shipped.written)
    for name in names:
        kinds = shipped.of_model(name)
        assert set(kinds) == set(KINDS)
        assert all(sum(score.rank_shares) == pytest.approx(1, abs=1e-3) for score in kinds.values())
        bits = {kind: score.bits for kind, score in kinds.items()}
        assert bits[OWN_COOL] < bits[OWN]
        assert bits[BOOK] < bits[WORDS] < bits[CHARACTERS]
