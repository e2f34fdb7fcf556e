"""Why two words are close: shared neighbours, looked up in a text."""

import pytest

from lm_core.analysis.shared_contexts import Concordance
from lm_core.errors import TextError

TEXT = (
    "Mr. Grey saw the mighty king on a throne. The mighty queen sat there.\n"
    "A king wore the golden crown! “The queen wore the crown.” The king and the golden queen met.\n\n"
    "The dog barked\n\nThe queen smiled"
)


def within(pieces, window):
    return [piece.word for piece in pieces if piece.word and 0 < abs(piece.distance) <= window]


@pytest.fixture
def read():
    return Concordance.of(TEXT)


def test_words_are_found_where_they_stand(read):
    assert read.count("king") == 3
    assert read.count("King") == read.count("emperor") == 0
    for place in read.places("queen"):
        begin, end = read.spans[place]
        assert TEXT[begin:end] == "queen"
    assert read.sentences[read.places("mr")[0]] == read.sentences[read.places("throne")[0]]
    assert read.sentences[read.places("barked")[0]] != read.sentences[read.places("smiled")[0]]


def test_shared_words_come_rarest_first_and_not_from_a_sentence_with_both(read):
    found = read.shared("king", "queen", 3)
    assert [(c.word, c.occurrences, c.times) for c in found.contexts] == [
        ("mighty", 2, (1, 1)),
        ("wore", 2, (1, 1)),
        ("the", 9, (2, 4)),
    ]
    by_word = {c.word: c for c in found.contexts}
    assert set(by_word) == {"mighty", "wore", "the"}
    assert "golden" not in by_word
    for word, context in by_word.items():
        for place, middle in zip(context.places, ("king", "queen"), strict=True):
            pieces = read.passage(place)
            assert [p.word for p in pieces if p.word and p.distance == 0] == [middle]
            assert word in within(pieces, 3)


def test_a_narrower_window_shares_less(read):
    assert {c.word for c in read.shared("king", "queen", 1).contexts} == {"mighty", "wore"}
    assert len(read.shared("king", "queen", 3, most=1).contexts) == 1
    assert read.shared("king", "queen", 1).n_neighbours == (4, 5)


def test_words_that_share_nothing_and_words_that_are_not_there(read):
    assert read.shared("dog", "grey", 1).contexts == ()
    with pytest.raises(TextError, match="'emperor' does not occur"):
        read.shared("emperor", "king", 2)
    with pytest.raises(TextError, match="at least one word"):
        Concordance.of("1 2 3 ...")


def test_a_passage_is_its_sentence_and_a_long_one_is_cut(read):
    assert "".join(p.text for p in read.passage(read.places("sat")[0])) == (
        "The mighty queen sat there"
    )
    long = Concordance.of(" ".join(["left"] * 40 + ["here"] + ["right"] * 40))
    pieces = long.passage(40)
    assert (pieces[0].text, pieces[-1].text) == ("… ", " …")
    assert sum(bool(p.word) for p in pieces) == 29
    assert within(pieces, 2) == ["left", "left", "right", "right"]
