"""Word vectors in the formats of other programs: what is read, what is left out, what is refused."""
# ruff: noqa: RUF001 (words of other scripts are what is tested)

import numpy as np
import pytest
import torch

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import TextError
from lm_core.models import vector_files
from lm_core.models.embeddings import vectors_csv, word2vec_text
from lm_core.models.vector_files import read_vectors
from lm_core.text.word_queries import parse_words

WORDS = ("the", "king", "queen", "rain")
NUMBERS = np.arange(12, dtype=np.float32).reshape(4, 3) / 8 - 0.5
TABLE = torch.from_numpy(NUMBERS)
ROWS = [
    f"{word} {' '.join(map(str, row.tolist()))}" for word, row in zip(WORDS, NUMBERS, strict=True)
]
TEXT = "\n".join(ROWS) + "\n"


def binary(words, numbers, n=None, end=b"\n"):
    rows = (
        w.encode() + b" " + row.astype("<f4").tobytes() + end
        for w, row in zip(words, numbers, strict=True)
    )
    return f"{n or len(words)} {numbers.shape[1]}\n".encode() + b"".join(rows)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"4 3\n{TEXT}".encode(), "word2vec's text format"),
        (
            f"4 3\n{TEXT}".replace("\n", " \r\n").encode(),
            "word2vec's text format",
        ),  # fastText's spaces
        (TEXT.encode(), "GloVe's format"),
        (b"\xef\xbb\xbf" + TEXT.encode(), "GloVe's format"),
        (TEXT.replace(" ", "\t").encode(), "separated by tabs"),
        (vectors_csv(WORDS, TABLE).encode(), "by commas"),
        (word2vec_text(WORDS, TABLE).encode(), "word2vec's text format"),
        (binary(WORDS, NUMBERS), "word2vec's binary format"),
        (binary(WORDS, NUMBERS, end=b""), "word2vec's binary format"),
    ],
)
def test_every_format_gives_the_same_vectors(content, said):
    found = read_vectors(content)
    assert found.vocabulary.words == WORDS
    assert found.input.tolist() == NUMBERS.tolist()
    assert said in found.read.line
    assert "4 words of 3 numbers each" in found.read.line
    assert found.read.notes == ()
    assert found.read.preview[1] == ("the", "-0.5", "-0.375", "-0.25")


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (f"9 3\n{TEXT}", WORDS, "promises 9 words, and the file holds 4"),
        (
            f"{TEXT}king 9 9 9\n",
            WORDS,
            "because it is not the first of that name, whose vector counts: “king” in line 5",
        ),
        (f"{TEXT}King 9 9 9\n", WORDS, "like one before but for capitals"),
        (f"{TEXT}snow 1 2\n", WORDS, "“snow 1 2” in line 5"),
        (f"{TEXT}snow 1 2 nan\n", WORDS, "not a number (NaN) in some place: “snow” in line 5"),
        (f"{TEXT}snow 1 2 inf\n", WORDS, "infinite"),
        (f"{TEXT}new york 1 2 3\n", (*WORDS, "new_york"), "the first is “new york” in line 5"),
        (f"{TEXT}snow 0 0 0\n", (*WORDS, "snow"), "1 vector is all zeros"),
        (f"{TEXT}1999 1 2 3\n", (*WORDS, "1999"), ""),
        (f"{TEXT}Straße 1 2 3\n", (*WORDS, "strasse"), ""),
        (f"{TEXT}війна 1 2 3\n", (*WORDS, "війна"), ""),
    ],
)
def test_what_cannot_be_used_is_left_out_and_named(text, words, said):
    found = read_vectors(text.encode())
    assert found.vocabulary.words == words
    assert said in " ".join(found.read.notes)
    assert bool(said) == bool(found.read.notes)


def test_a_file_that_ends_too_early_says_how_many_words_it_holds():
    found = read_vectors(binary(WORDS, NUMBERS)[:-6])
    assert found.vocabulary.words == WORDS[:3]
    assert "promises 4 words, and the file holds 3" in found.read.notes[0]


def test_words_in_another_encoding_are_left_out_or_read_in_it():
    content = TEXT.encode() + "łódź 1 2 3\n".encode("cp1250")
    assert "not in UTF-8" in " ".join(read_vectors(content).read.notes)
    assert read_vectors(content, encoding="cp1250").vocabulary.words[-1] == "łódź"


def test_of_many_words_the_first_are_used(monkeypatch):
    monkeypatch.setattr(vector_files, "MOST_WORDS", 3)
    found = read_vectors(f"{TEXT}snow 1 2 3\n".encode())
    assert found.vocabulary.words == WORDS[:3]
    assert "Only the first 3 of 5 words are used" in found.read.notes[0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "at least two lines"),
        (b"Call me Ishmael.\nSome years ago\n", "the first line here is “Call me Ishmael.”"),
        (b"king 1 2\n", "at least two lines"),
        (b"\x80\x04\x95pickle", "which can run any code when it is opened"),
        (b"\xba\x16\x4f\x2f" + bytes(40), "choose the .vec file beside it"),
        (b"\x1f\x8b\x08" + bytes(40), "unpack it first"),
        (("w " + "1 " * 2_001 + "\n").encode() * 3, "at most 2,000 numbers"),
        (b"99999 300\n" + bytes(200), "at least two lines"),
    ],
)
def test_other_files_are_refused_by_what_they_are(content, said):
    with pytest.raises(TextError, match=said):
        read_vectors(content)


def test_words_of_every_kind_can_be_asked_for():
    found = read_vectors(f"{TEXT}new york 1 2 3\nwell-known 1 0 0\nВойна 1 2 0\n".encode())
    vocabulary = found.vocabulary
    asked = parse_words("New_York, well-known ВОЙНА snow", vocabulary, most=9)
    assert [vocabulary.words[i] for i in asked.known] == ["new_york", "well-known", "война"]
    assert asked.unknown == ("snow",)
    space = WordSpace.of(vocabulary, found.input)
    assert vocabulary.most_frequent(2).find is vocabulary.find
    assert len(space.nearest(space.unit([0])[0], 3)) == 3
