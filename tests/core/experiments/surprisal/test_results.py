"""Surprisal by kind of text: what is saved is read again, and what is shipped holds together."""

import pytest

from lm_core.experiments.surprisal import results
from lm_core.training.checkpoints import list_language_models


def test_every_shipped_model_of_the_book_is_scored_on_every_kind():
    shipped = results.SurprisalResults.load()
    names = {meta.name for meta in list_language_models() if meta.snapshot_of is None}
    assert {score.model for score in shipped.scores} == names == set(shipped.written)
    for name in names:
        kinds = shipped.of_model(name)
        assert set(kinds) == set(results.KINDS)
        assert all(sum(score.rank_shares) == pytest.approx(1, abs=1e-3) for score in kinds.values())
        bits = {kind: score.bits for kind, score in kinds.items()}
        assert bits[results.OWN_COOL] < bits[results.OWN]
        assert bits[results.BOOK] < bits[results.WORDS] < bits[results.CHARACTERS]
