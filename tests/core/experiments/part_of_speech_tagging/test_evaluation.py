"""Accuracies by group of words, and what is confused with what."""

import numpy as np
import pytest

from lm_core.experiments.part_of_speech_tagging.evaluation import Confusion, HeldOutWords
from lm_core.models.tag_counts import TagCounts
from lm_core.text.tagged_sentences import TAGS, TaggedSentence

NOUN, VERB, ADJ = (TAGS.index(tag) for tag in ("NOUN", "VERB", "ADJ"))


@pytest.fixture
def held_out():
    training = TagCounts.of([TaggedSentence(("walk", "walk", "owl"), (NOUN, VERB, NOUN))])
    sentences = [
        TaggedSentence(("walk", "owl"), (VERB, NOUN)),
        TaggedSentence(("Walk", "newest", "oldest"), (NOUN, ADJ, ADJ)),
    ]
    return HeldOutWords.of(sentences, training)


def test_words_belong_to_groups(held_out):
    assert held_out.sizes == {"every": 5, "seen": 3, "unseen": 2, "ambiguous": 2}


def test_each_group_has_its_own_accuracy(held_out):
    found = held_out.accuracies(np.array([VERB, NOUN, VERB, ADJ, NOUN]))
    assert found == pytest.approx((3 / 5, 2 / 3, 1 / 2, 1 / 2), abs=1e-5)


def test_confusions_are_counted_by_tag_and_prediction(held_out):
    predicted = np.array([NOUN, NOUN, VERB, NOUN, NOUN])
    counts = held_out.confusion_counts(predicted)
    assert counts.sum() == 5
    assert (counts[VERB, NOUN], counts[NOUN, NOUN], counts[ADJ, NOUN]) == (1, 1, 2)
    assert held_out.confusions(predicted) == [
        Confusion(NOUN, VERB, (("walk", 1),)),
        Confusion(VERB, NOUN, (("walk", 1),)),
        Confusion(ADJ, NOUN, (("newest", 1), ("oldest", 1))),
    ]
