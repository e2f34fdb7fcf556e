"""What the page's answers for teachers say, held to the tokenizers that it shows."""

import re

from lm_core.text.character_vocabulary import normalise_source
from pages.shared.models.tokenizers import CHATGPT, GPT2, published_tokenizer
from pages.tokenization.examples import EXAMPLES, LANGUAGES
from pages.tokenization.rows import CHARACTERS, rows_of
from tests.pages.answering import assert_says

HERE = "tokenization"


def pieces(name, text):
    return [token.symbol for token in rows_of([name], text, by_the_book=True)[0].encoding.tokens]


def test_four_invented_words_are_one_number_and_three_words_are_known():
    row = rows_of(["Whitespace"], EXAMPLES["Unknown words"], by_the_book=True)[0]
    assert row.encoding.n_unknown == 4
    assert len({token.id for token in row.encoding.tokens}) == 1 + len(("The", "prince", "his"))
    spelled = [f"*{piece}*" for piece in pieces(CHATGPT, "blorked")]
    assert_says(HERE, "Take *Unknown words*", *spelled)


def test_a_million_is_read_from_the_left():
    read = pieces(CHATGPT, "1000000")
    assert_says(HERE, "Take *Numbers*", f"{read[0]}, {read[1]} and {read[2]}")
    assert read == ["100", "000", "0"]


def test_hindi_has_most_bytes_and_greek_most_tokens_for_chatgpt():
    def dearest(cost):
        return max(LANGUAGES, key=lambda language: cost(LANGUAGES[language]))

    found = [dearest(lambda text: len(text.encode()))]
    for name in (GPT2, CHATGPT):
        tokenizer = published_tokenizer(name)
        found.append(dearest(lambda text, by=tokenizer: len(by.encode(text))))
    assert found == ["Hindi", "Hindi", "Greek"]
    assert_says(HERE, "Take *One sentence", *found)


def test_one_word_has_four_ids():
    for name in (CHATGPT, GPT2):
        encode = published_tokenizer(name).encode
        spellings = (encode(" house"), encode("house"), encode("House"), encode("HOUSE"))
        assert len({tuple(ids) for ids in spellings}) == 4
        assert max(map(len, spellings[:3])) == 1
        assert len(spellings[3]) == (2 if name == GPT2 else 1)
    assert_says(HERE, "Type the same word", "Four", "two tokens for *HOUSE*")


def test_only_characters_without_accents_see_the_same_word():
    one, other = EXAMPLES["Accents, built in two ways"].split("?")[0].split(" or ")
    for name in (CHATGPT, GPT2, "Bytes"):
        assert pieces(name, one) != pieces(name, other)
    typed = rows_of(["Basic English"], f"{one} {other}", by_the_book=False)[0].encoding.tokens
    assert len({token.id for token in typed}) == 2
    assert list(CHARACTERS.encode(one)) == list(CHARACTERS.encode(other))


def test_the_regular_expressions_of_the_reduced_characters():
    beginning = "By which regular expressions"
    patterns = (r"[^A-Za-z0-9 \-.;,\n?!]", r"\n+", " {2,}")
    assert_says(HERE, beginning, r"[A-Za-z0-9 \-.;,\n?!]", r"\n+", "{2,}")
    text = "He said:\n\n“It's — été, at 5 -- isn't it?”  \n"
    reduced = re.sub(patterns[0], "", text)
    for pattern in patterns[1:]:
        reduced = re.sub(pattern, " ", reduced)
    assert reduced == normalise_source(text)


def test_which_names_the_tokenizers_of_words_keep_whole():
    kept = {
        tokenizer: [len(pieces(tokenizer, name)) for name in ("Jean-Luc", "O'Neil")]
        for tokenizer in ("Whitespace", "Basic English")
    }
    assert kept == {"Whitespace": [1, 1], "Basic English": [1, 3]}
    assert_says(HERE, "Type your own name", "three tokens", "stays one")
    assert_says(
        HERE, "Type your own name", "as far as the book has its letters", "the first is left out"
    )
    name = "Łukasz"
    assert len(pieces("Bytes", name)) == len(name.encode())
    for characters in ("Characters, full", "Characters, reduced"):
        assert "".join(pieces(characters, name)) == name[1:]
