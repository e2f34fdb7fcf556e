"""A visitor's sentence as words of the corpus, and the probabilities of their tags."""

import numpy as np
import pytest
import torch

from lm_core.errors import TextError
from lm_core.experiments.part_of_speech_tagging import inference
from lm_core.models.registry import build
from lm_core.models.tagger import WindowTaggerConfig
from lm_core.rng import generator
from lm_core.text.tagged_sentences import TAGS
from lm_core.text.word_features import FeatureVocabulary


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("please increase the volume.", ["please", "increase", "the", "volume", "."]),
        ("It isn’t John's.", ["It", "isn't", "John's", "."]),
        ("“Go!” he said", ["``", "Go", "!", "''", "he", "said"]),
        ("Mr. Lee of the U.S. paid 1,200.50 dollars", None),
        ("well-known — or not", ["well-known", "--", "or", "not"]),
        ("привет мир", ["привет", "мир"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("l'été d'Été", ["l'été", "d'Été"]),
        ("\N{GRINNING FACE}", ["\N{GRINNING FACE}"]),
        ("<b>", ["<", "b", ">"]),
    ],
)
def test_a_sentence_is_cut_into_words_and_signs(text, words):
    expected = words or ["Mr.", "Lee", "of", "the", "U.S.", "paid", "1,200.50", "dollars"]
    assert list(inference.words_of_sentence(text)) == expected


@pytest.mark.parametrize(
    "text", ["", "   ", "word " * (inference.MOST_WORDS + 1), "x" * (inference.MOST_CHARACTERS + 1)]
)
def test_an_empty_or_a_long_sentence_is_refused(text):
    with pytest.raises(TextError):
        inference.words_of_sentence(text)


def test_the_longest_sentence_is_read():
    assert len(inference.words_of_sentence("word " * inference.MOST_WORDS)) == inference.MOST_WORDS


def test_each_word_has_a_distribution_over_the_tags():
    vocabulary = FeatureVocabulary.learn({"the": 3, "owl": 3}, least_count=1, least_words=1)
    model = build(WindowTaggerConfig(len(vocabulary), len(TAGS), window=1))
    model.initialise(generator(1))
    words = ("the", "owl", "слово")
    found = inference.tag_probabilities(model, vocabulary, words)
    assert found.shape == (3, len(TAGS))
    np.testing.assert_allclose(found.sum(1), 1.0, rtol=1e-5)
    features = torch.from_numpy(vocabulary.encode(words))[None]
    logits = model(features, torch.tensor([3]))[0]
    np.testing.assert_array_equal(found.argmax(1), logits.argmax(1))
