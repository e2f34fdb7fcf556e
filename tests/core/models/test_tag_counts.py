"""The most frequent tag, by counting."""

import pytest

from lm_core.models.tag_counts import TagCounts
from lm_core.text.tagged_sentences import TAGS, TaggedSentence

NOUN, VERB, ADJ = (TAGS.index(tag) for tag in ("NOUN", "VERB", "ADJ"))


@pytest.fixture
def counts():
    return TagCounts.of(
        [
            TaggedSentence(("Increase", "increase", "fast"), (VERB, NOUN, ADJ)),
            TaggedSentence(("increase", "owl", "bird", "bird"), (NOUN, NOUN, NOUN, NOUN)),
        ]
    )


def test_a_word_is_counted_in_any_case(counts):
    assert counts.shares("INCREASE")[[NOUN, VERB]].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert counts.most_frequent("increase") == NOUN
    assert counts.most_frequent("fast") == ADJ


def test_a_new_word_has_the_tags_of_those_read_once(counts):
    assert not counts.has("parliament")
    assert counts.shares("parliament")[[NOUN, ADJ]].tolist() == [0.5, 0.5]
    assert counts.shares("parliament").sum() == 1.0


def test_only_a_word_with_several_tags_is_ambiguous(counts):
    found = {word: counts.is_ambiguous(word) for word in ("increase", "bird", "parliament")}
    assert found == {"increase": True, "bird": False, "parliament": False}


def test_a_rare_second_tag_does_not_make_a_word_ambiguous():
    many = [TaggedSentence(("the",) * 96, (NOUN,) * 95 + (VERB,))]
    assert not TagCounts.of(many).is_ambiguous("the")
    some = [TaggedSentence(("the",) * 20, (NOUN,) * 19 + (VERB,))]
    assert TagCounts.of(some).is_ambiguous("the")
