"""The Brown corpus: its tags become the universal ones, and no text is in two parts."""

import io
import zipfile
from collections import Counter

import pytest

from lm_core.errors import CorpusError
from lm_core.text import tagged_sentences
from lm_core.text.catalogue import BROWN
from lm_core.text.corpora import locate


@pytest.mark.parametrize(
    ("tag", "universal"),
    [
        ("nn", "NOUN"),
        ("NN-TL-HL", "NOUN"),
        ("np$", "NOUN"),
        ("bez*", "VERB"),
        ("*", "ADV"),
        ("fw-in-tl", "X"),
        ("pps+bez", "PRT"),
        ("in+ppo", "ADP"),
        ("pp$", "DET"),
        ("pp$$", "PRON"),
        ("--", "."),
        ("(-hl", "."),
        ("to", "PRT"),
    ],
)
def test_a_tag_of_the_corpus_has_a_universal_one(tag, universal):
    assert tagged_sentences.universal_tag(tag) == universal


def test_a_tag_that_the_corpus_does_not_have_is_refused():
    with pytest.raises(CorpusError, match="vbx"):
        tagged_sentences.universal_tag("vbx")


def test_texts_are_read_by_name_and_other_files_are_left_out():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("brown/cb02", "\n\n\tA/at b/nn ./.\n")
        archive.writestr("brown/ca01", "1/2/cd\n")
        archive.writestr("brown/README", "no/text")
    found = list(tagged_sentences.brown_texts(buffer.getvalue()))
    assert [name for name, _ in found] == ["ca01", "cb02"]
    assert found[1][1].split() == ["A/at", "b/nn", "./."]


def test_of_ten_texts_one_is_for_the_test_and_another_for_validation():
    texts = [tagged_sentences.TaggedText(f"ca{i:02d}", ()) for i in range(30)]
    parts = {
        part: tagged_sentences.texts_of_part(texts, part)
        for part in (tagged_sentences.TRAIN, tagged_sentences.VALIDATION, tagged_sentences.TEST)
    }
    assert [len(part) for part in parts.values()] == [24, 3, 3]
    names = [text.name for part in parts.values() for text in part]
    assert sorted(names) == [text.name for text in texts]


@pytest.mark.skipif(locate(BROWN.name) is None, reason="the Brown corpus is not on this machine")
def test_the_corpus_has_as_many_words_of_each_tag_as_published():
    texts = tagged_sentences.load_texts()
    tags = Counter(tag for text in texts for s in text.sentences for tag in s.tags)
    assert len(texts) == 500
    assert sum(tags.values()) == 1_161_192
    published = {"NOUN": 275_558, "CONJ": 38_151, "NUM": 14_874, "DET": 137_019, ".": 147_565}
    assert {tag: tags[tagged_sentences.TAGS.index(tag)] for tag in published} == published
    that = Counter(
        tagged_sentences.TAGS[tag]
        for text in texts
        for sentence in text.sentences
        for word, tag in zip(sentence.words, sentence.tags, strict=True)
        if word.lower() == "that"
    )
    assert [tag for tag, _ in that.most_common(4)] == ["ADP", "DET", "PRON", "ADV"]
    assert that["ADV"] > 50 > that.total() - sum(n for _, n in that.most_common(4))
    held_out = tagged_sentences.sentences_of_part(texts, tagged_sentences.TEST)
    assert 100_000 < sum(len(sentence.words) for sentence in held_out) < 130_000
    assert all(len(sentence.words) == len(sentence.tags) for sentence in held_out)
