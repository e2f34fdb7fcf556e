"""Words, bytes and characters: each tokenizer's rules, and that its trace is its encoding."""

import re
import unicodedata

import numpy as np
import pytest

from lm_core.errors import SettingError
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.corpora import load_text, locate
from lm_core.text.tokenizers.characters import ByteTokenizer, CharacterTokenizer
from lm_core.text.tokenizers.words import WordTokenizer, basic_english_words

QUESTION = "My name is John. What is your name?"
STRANGE = [
    "",
    " \n\t ",
    "word",
    "naïve «café» – 東京 😀👩‍👩‍👧 a\u0301\u0323",
    "שלום עולם",
    'a"b" "" \'tis; x:y <BR /> a<br />b <b> <br/>',
    "<unk> <0x41>",
    "\x00\x01\x7f",
]


def torchtext_basic_english(text):
    """The published rules of torchtext's tokenizer, one substitution after another."""
    text = text.lower()
    for pattern, replacement in [
        (r"\'", " '  "), (r"\"", ""), (r"\.", " . "), (r"<br \/>", " "), (r",", " , "),
        (r"\(", " ( "), (r"\)", " ) "), (r"\!", " ! "), (r"\?", " ? "), (r"\;", " "),
        (r"\:", " "), (r"\s+", " "),
    ]:  # fmt: skip
        text = re.sub(pattern, replacement, text)
    return text.split()


def test_the_sources_question_has_its_ten_tokens_and_eight_words():
    tokenizer = WordTokenizer.fit(QUESTION, "basic english", special_tokens=())
    assert tokenizer.symbols == ("my", "name", "is", "john", ".", "what", "your", "?")
    assert tokenizer.encode(QUESTION).tolist() == [0, 1, 2, 3, 4, 5, 2, 6, 1, 7]


@pytest.mark.parametrize("text", [QUESTION, *STRANGE, "It's 5.30, isn't it? (Yes!)", 'x" y'])
def test_basic_english_is_torchtexts(text):
    assert [word for word, _, _ in basic_english_words(text)] == torchtext_basic_english(text)


def test_whitespace_keeps_what_clings_to_a_word():
    tokenizer = WordTokenizer.fit(QUESTION, "whitespace", special_tokens=())
    assert tokenizer.symbols == ("My", "name", "is", "John.", "What", "your", "name?")
    assert tokenizer.decode(tokenizer.encode(QUESTION)) == QUESTION


def test_unknown_words_are_unk_or_left_out():
    named = WordTokenizer.fit("a b a", "whitespace")
    assert named.encode("b z a").tolist() == [2, 0, 1]
    assert [token.symbol for token in named.trace("z")] == ["<unk>"]
    bare = WordTokenizer.fit("a b a", "whitespace", special_tokens=())
    assert bare.encode("b z a").tolist() == [1, 0]


def test_rare_words_are_left_out_and_the_frequent_kept():
    text = "c b a b c d b"
    assert WordTokenizer.fit(text, "whitespace", minimum_count=2).symbols == ("<unk>", "c", "b")
    assert WordTokenizer.fit(text, "whitespace", most_words=1).symbols == ("<unk>", "b")
    assert WordTokenizer.fit(text, "whitespace", most_words=3).symbols == ("<unk>", "c", "b", "a")


def test_an_unknown_splitter_is_named():
    with pytest.raises(SettingError, match=r"\['basic english', 'whitespace'\], got 'greek'"):
        WordTokenizer.fit("a", "greek")


@pytest.mark.parametrize("text", [QUESTION, *STRANGE])
@pytest.mark.parametrize(
    "tokenizer",
    [
        WordTokenizer.fit(QUESTION, "whitespace"),
        WordTokenizer.fit(QUESTION, "basic english"),
        ByteTokenizer(),
        CharacterTokenizer(SOURCE),
        CharacterTokenizer(FULL),
    ],
    ids=["whitespace", "basic english", "bytes", "source", "full"],
)
def test_a_trace_is_the_encoding_and_covers_what_it_names(tokenizer, text):
    tokens = tokenizer.trace(text)
    assert [token.id for token in tokens] == tokenizer.encode(text).tolist()
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert all(token.symbol == tokenizer.symbols[token.id] for token in tokens)
    for token in tokens:  # a letter covers itself, with its accent at most
        covered = text[token.start : token.end]
        if isinstance(tokenizer, CharacterTokenizer) and token.symbol.isalpha():
            assert token.symbol in unicodedata.normalize("NFKD", covered)


def test_a_token_of_a_character_covers_it_where_it_stood():
    tokens = CharacterTokenizer(FULL).trace("«é» — ok")
    assert [(token.symbol, token.start, token.end) for token in tokens] == [
        ("e", 1, 2), (" ", 3, 4), ("-", 4, 5), ("-", 4, 5), (" ", 5, 6), ("o", 6, 7), ("k", 7, 8),
    ]  # fmt: skip


def test_a_vocabulary_is_fitted_to_the_characters_of_a_text():
    fitted = CharacterTokenizer.fit("bad «café»", FULL)
    assert fitted.symbols == ("<unk>", " ", "a", "b", "c", "d", "e", "f")
    assert fitted.encode("cabé z!").tolist() == [4, 2, 3, 6, 1, 0, 0]
    assert fitted.decode(fitted.encode("bad café")) == "bad cafe"
    assert fitted.vocabulary.name != FULL.name
    assert CharacterTokenizer.fit("", SOURCE).encode("ab").tolist() == [0, 0]


@pytest.mark.skipif(not locate(WAR_AND_PEACE.name), reason="War and Peace is not on this machine")
def test_the_book_has_all_characters_of_both_vocabularies():
    book = load_text(WAR_AND_PEACE.name)
    for vocabulary in (SOURCE, FULL):
        assert CharacterTokenizer.fit(book, vocabulary) == CharacterTokenizer(vocabulary)


def test_every_tokenizer_tells_the_bytes_of_a_token():
    words = WordTokenizer.fit("naïve", "whitespace", special_tokens=())
    assert words.bytes_of(0) == "naïve".encode()
    assert ByteTokenizer().bytes_of(0xC3) == b"\xc3"
    assert CharacterTokenizer(FULL).bytes_of(1) == b"\n"


@pytest.mark.parametrize("text", STRANGE)
def test_bytes_bring_every_text_back(text):
    ids = ByteTokenizer().encode(text)
    assert ids.dtype == np.int64
    assert ByteTokenizer().decode(ids) == text
    assert bytes(ids.tolist()) == text.encode()
