"""Telling contexts: counted by hand, ranked beyond chance, without stop words; the shipped tables."""

import math

import numpy as np
import pytest

from lm_core.errors import ResultError
from lm_core.experiments.word2vec import telling_contexts as module
from lm_core.experiments.word2vec.telling_contexts import (
    SHIPPED,
    STOP_WORDS,
    counts_near,
    load_contexts,
    save_contexts,
    telling_contexts,
)
from lm_core.training.checkpoints import load_shipped


def test_counts_are_those_counted_by_hand():
    words = np.array([0, 1, 2, 1, 3])
    assert counts_near(words, 3, 4, 1).tolist() == [[0, 1, 0, 0], [1, 0, 2, 1], [0, 2, 0, 0]]
    wider = counts_near(words, 4, 4, 2)
    assert wider[1].tolist() == [1, 2, 2, 1]
    assert (wider == wider.T).all()


def test_what_meets_more_often_than_by_chance_is_told_in_bits(monkeypatch):
    monkeypatch.setattr(module, "STOP_WORDS", 1)
    rng = np.random.default_rng(0)
    words = rng.integers(4, 50, 6_000)
    words[::3] = 0
    words[10::300], words[11::300] = 2, 3  # always together, twenty times
    found = telling_contexts(words, counts_near(words, 50, 50, 1), 1)
    assert found.ids[2, 0] == 3
    often = np.bincount(words)
    expected = math.log2(20 * len(words) / (2 * often[2] * often[3]))
    assert found.bits[2, 0] == pytest.approx(expected)
    assert 0 not in found.ids[found.bits > 0], "a stop word"


def test_shared_contexts_are_ranked_by_the_weaker_of_both_bonds():
    table = module.TellingContexts(
        np.array([[7, 8, 9], [9, 8, 5]], np.uint16), np.array([[3.0, 2.0, 1.0], [4.0, 2.5, 1.0]])
    )
    assert table.shared(0, 1) == [(8, 2.0, 2.5), (9, 1.0, 4.0)]


def test_a_table_comes_back_as_it_was_saved_and_a_damaged_one_is_refused(tmp_path):
    words = np.random.default_rng(1).integers(0, 300, 4_000)
    table = telling_contexts(words, counts_near(words, 200, 300, 5), 5)
    save_contexts({"a": (300, table)}, tmp_path / "c.safetensors")
    read = load_contexts("a", 300, tmp_path / "c.safetensors")
    assert (read.ids == table.ids).all()
    assert np.abs(read.bits - table.bits).max() <= 1 / 32
    assert load_contexts("a", 299, tmp_path / "c.safetensors") is None
    assert load_contexts("b", 300, tmp_path / "c.safetensors") is None
    (tmp_path / "c.safetensors").write_bytes(b"no table")
    with pytest.raises(ResultError, match="damaged"):
        load_contexts("a", 300, tmp_path / "c.safetensors")
    with pytest.raises(ResultError, match="missing"):
        load_contexts("a", 300, tmp_path / "none.safetensors")


def test_the_shipped_tables_tell_why_hands_are_like_arms():
    assert SHIPPED.stat().st_size <= 2 << 20
    for name in ("library-skip-gram", "book-cbow"):
        vocabulary = load_shipped(name).model.vocabulary
        table = load_contexts(name, len(vocabulary))
        near, far = (
            table.shared(vocabulary.ids["hand"], vocabulary.ids[word]) for word in ("arm", "tea")
        )
        assert len(near) > 3 * len(far)
        assert "pressed" in [vocabulary.words[i] for i, *_ in near[:10]]
        assert (table.ids[table.bits > 0] >= STOP_WORDS).all()
