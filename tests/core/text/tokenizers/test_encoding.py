"""The tokens of a text: counts, gaps, what is lost, what a token reads as."""

import pytest

from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.characters import ByteTokenizer, CharacterTokenizer
from lm_core.text.tokenizers.tokenizer import token_text, tokenize
from lm_core.text.tokenizers.words import WordTokenizer
from tests.core.text.tokenizers.test_tokenizers import QUESTION, STRANGE


def test_the_sources_question_counted():
    words = WordTokenizer.fit(QUESTION, "basic english", special_tokens=())
    found = tokenize(words, QUESTION)
    assert (len(found), found.vocabulary_size) == (10, 8)
    assert found.tokens_per_word == 10 / 8
    assert found.lost == ""
    assert {QUESTION[start:end] for start, end in found.gaps} == {" "}


def test_unknown_words_are_counted():
    found = tokenize(WordTokenizer.fit("a b", "whitespace"), "a z b y")
    assert found.n_unknown == 2


def test_what_no_token_covers_is_lost():
    found = tokenize(CharacterTokenizer(SOURCE), "«Sí», 東 (ok) 東")
    assert found.lost == "«í»()東"
    assert "".join(token.symbol for token in found.tokens) == "S, ok "
    assert tokenize(CharacterTokenizer(FULL), "«Sí» (ok)").lost == "«»"
    assert tokenize(ByteTokenizer(), "«Sí», 東").gaps == []


@pytest.mark.parametrize("text", STRANGE)
@pytest.mark.parametrize(
    "tokenizer",
    [ByteTokenizer(), CharacterTokenizer(FULL), BytePairTokenizer.fit(QUESTION, 260)],
    ids=["bytes", "full", "byte-pair encoding"],
)
def test_tokens_and_gaps_make_up_the_text(tokenizer, text):
    found = tokenize(tokenizer, text)
    stretches = [(token.start, token.end) for token in found.tokens] + found.gaps
    assert {i for start, end in stretches for i in range(start, end)} == set(range(len(text)))
    for start, end in found.gaps:
        assert not any(token.start < end and start < token.end for token in found.tokens)


def test_no_text_has_no_tokens():
    found = tokenize(ByteTokenizer(), "")
    assert (len(found), found.tokens_per_word) == (0, 0.0)
    assert found.gaps == []


def test_parts_of_a_character_read_as_bytes():
    tokenizer = BytePairTokenizer.fit("東東東 name name", 260)
    readings = [token_text(tokenizer, token.id) for token in tokenizer.trace("東京 name")]
    assert "".join(readings[:-1]).startswith("東")
    assert readings[1:4] == ["⟨E4⟩", "⟨BA⟩", "⟨AC⟩"]
    assert token_text(WordTokenizer.fit("naïve", "whitespace"), 1) == "naïve"
