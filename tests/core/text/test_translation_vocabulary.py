"""The vocabulary of two languages: nothing is lost on the way to ids and back, and limits are named."""

import pytest
import torch

from lm_core.errors import TextError
from lm_core.text.tokenizers.tokenizer_json import from_tokenizer_json, to_tokenizer_json
from lm_core.text.translation_vocabulary import (
    END,
    MOST_TOKENS,
    MOST_WORDS,
    PAD,
    SIZE,
    SPECIAL_TOKENS,
    START,
    UNKNOWN_ID,
    TranslationVocabulary,
    normalised,
    padded,
    shipped_vocabulary,
)

PAIRS = ["Two young dogs run.", "Deux jeunes chiens courent, l'un après l'autre."] * 3


@pytest.fixture(scope="module")
def tiny():
    return TranslationVocabulary.learn("tiny", PAIRS, 60)


@pytest.mark.parametrize("vocabulary", ["tiny", "shipped"])
def test_a_sentence_comes_back(vocabulary, tiny):
    vocabulary = tiny if vocabulary == "tiny" else shipped_vocabulary()
    for sentence in PAIRS:
        ids = vocabulary.encode(sentence)
        assert vocabulary.decode([START, *ids, END, PAD, PAD]) == sentence
        assert "".join(vocabulary.symbols(ids)) == f" {sentence}"
        assert not set(ids) & {UNKNOWN_ID, PAD, START, END}


def test_the_first_word_is_spelled_as_in_the_middle():
    vocabulary = shipped_vocabulary()
    assert vocabulary.encode("man")[0] in vocabulary.encode("a man")


def test_the_shipped_vocabulary_has_its_size_and_both_languages():
    vocabulary = shipped_vocabulary()
    assert len(vocabulary) == SIZE
    assert vocabulary.tokenizer.symbols[: len(SPECIAL_TOKENS)] == SPECIAL_TOKENS
    for word in ("man", "homme", "dog", "chien", "woman", "femme"):
        assert len(vocabulary.encode(word)) == 1
    assert from_tokenizer_json(to_tokenizer_json(vocabulary.tokenizer)) == vocabulary.tokenizer


def test_special_tokens_are_not_read_from_a_text(tiny):
    ids = tiny.encode("<end> dogs <pad>")
    assert not set(ids) & {PAD, START, END}
    assert UNKNOWN_ID in ids


def test_accents_are_composed_and_apostrophes_straight():
    assert normalised("apre\u0300s  l\u2019e\u0301te\u0301\n") == "après l'été"


def test_shorter_sentences_are_filled_up():
    rows = padded([[5, 6, END], [7, END]])
    assert rows.ids.tolist() == [[5, 6, END], [7, END, PAD]]
    assert rows.lengths.tolist() == [3, 2]
    assert rows.ids.dtype == torch.int64


def test_a_visitors_sentence_is_read_up_to_the_limits(tiny):
    assert tiny.read("Two dogs") == [*tiny.encode("Two dogs"), END]
    assert len(tiny.read("a " * MOST_WORDS)) <= MOST_TOKENS
    for wrong, number in (
        ("\t\n", "empty"),
        ("a " * 61, "61"),
        ("ÿ" * 200, "201"),
        ("a" * 9_000, "1"),
    ):
        with pytest.raises(TextError, match=number):
            tiny.read(wrong)
