"""Multi30k as it lies on this machine; skipped where it does not."""

import pytest

from lm_core.errors import CorpusError
from lm_core.text import sentence_pairs
from lm_core.text.catalogue import MULTI30K
from lm_core.text.corpora import check
from lm_core.text.sentence_pairs import PARTS, SentencePair, load_pairs, missing_files

needs_pairs = pytest.mark.skipif(bool(missing_files()), reason="Multi30k is not on this machine")


@needs_pairs
@pytest.mark.parametrize(("part", "n_pairs"), list(zip(PARTS, (29_000, 1_014, 1_000), strict=True)))
def test_each_part_has_its_pairs(part, n_pairs):
    pairs = load_pairs(part)
    assert len(pairs) == n_pairs
    assert all(pair.source and pair.target for pair in pairs)
    assert max(len(pair.source.split()) for pair in pairs) < 50


@needs_pairs
def test_languages_are_not_mixed_up():
    pairs = load_pairs("val")
    english = sum(" the " in pair.source for pair in pairs)
    assert english > 200 > sum(" the " in pair.target for pair in pairs)


@needs_pairs
@pytest.mark.parametrize("corpus", MULTI30K, ids=lambda corpus: corpus.name)
def test_files_are_those_of_the_catalogue(corpus):
    assert check(corpus.name).verdict == "exact"
    assert check(corpus.name).path.stat().st_size == corpus.size_bytes


def test_sides_of_different_lengths_are_refused(monkeypatch):
    sides = {"multi30k/val.en": ["a", "b"], "multi30k/val.fr": ["c"]}
    monkeypatch.setattr(sentence_pairs, "_lines", sides.__getitem__)
    with pytest.raises(CorpusError, match="2 English and 1 French"):
        load_pairs("val")
    sides["multi30k/val.fr"].append("d")
    assert load_pairs("val") == (SentencePair("a", "c"), SentencePair("b", "d"))
