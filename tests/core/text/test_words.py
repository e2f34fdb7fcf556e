"""Words: read from texts, numbered, found in their places, typed by somebody, misspelt."""

import pytest

from lm_core.errors import TextError
from lm_core.text.word_queries import LONGEST, nearest_spellings, parse_words
from lm_core.text.word_vocabulary import WordVocabulary, find_words, read_words, words_of

WORDS = WordVocabulary(("the", "king", "kin", "queen", "sign"), (5, 4, 3, 2, 1))


def test_typed_words_are_read_as_the_text_was():
    assert parse_words("  King! ", WORDS).known == (1,)
    assert parse_words("king, queen KING foo", WORDS, fewest=2, most=4) == ((1, 3), ("foo",))
    assert parse_words("kîng", WORDS).known == (1,)
    assert words_of("It's a KING.") == ["it's", "a", "king"]


@pytest.mark.parametrize(
    "text",
    [
        "It's a KING.",
        "Natásha’s café, Nata\u0301sha\u0301!",
        "ﬁne ½ Ⅳ Straße İstanbul 🙂 x",
        "",
        "1 2",
    ],
)
def test_words_are_found_where_they_stand(text):
    found = find_words(text)
    assert [each.word for each in found] == words_of(text)
    for each in found:
        assert words_of(text[each.begin : each.end]) == [each.word]
    places = [place for each in found for place in (each.begin, each.end)]
    assert places == sorted(places)


def test_an_accent_belongs_to_its_word():
    found = find_words("a cafe\u0301 x")
    assert (found[1].word, found[1].begin, found[1].end) == ("cafe", 2, 7)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "type 1 word: there is no letter"),
        ("  \n", "there is no letter"),
        ("🙂 Бог 王", "there is no letter"),
        ("anne-marie", "1 word, please: this is read as 2, anne, marie"),
        ("a b c d e f", "read as 6, a, b, c, d, …"),
        ("x" * 300 + " y", "read as 2, x{20}…, y"),
        ("a" * (LONGEST + 1), "at most 400 characters, please: this has 401"),
    ],
)
def test_what_is_no_single_word_is_answered_with_how_it_was_read(typed, message):
    with pytest.raises(TextError, match=message):
        parse_words(typed, WORDS)


def test_lists_have_a_least_and_a_most():
    with pytest.raises(TextError, match="type 3 to 12 words: this is 1 word, king"):
        parse_words("king king", WORDS, fewest=3, most=12)


def test_a_misspelt_word_finds_its_neighbours_in_spelling():
    assert nearest_spellings("kign", WORDS.words) == ["kin", "king", "sign"]
    assert nearest_spellings("qqqqqqqq", WORDS.words) == []


def test_names_are_not_cut_at_their_accents():
    assert words_of("Natásha’s Ménage, NAÏVE ﬁre — ‘Ça!’") == [
        "natasha's",
        "menage",
        "naive",
        "fire",
        "ca",
    ]


def test_words_and_their_numbers():
    words = words_of("The Count's count was the count, the 2nd!")
    assert words == ["the", "count's", "count", "was", "the", "count", "the", "nd"]
    texts = ["Count the", "counts: the count's", "count was the the 2nd count!"]
    vocabulary, ids = read_words(texts, minimum_count=2)
    assert vocabulary.words == ("the", "count")  # four times, three times
    assert vocabulary.counts == (4, 3)
    assert ids.tolist() == [1, 0, 0, 1, 0, 0, 1]
    assert vocabulary.encode(words_of(texts[2])).tolist() == ids[3:].tolist()
    assert "was" not in vocabulary
    with pytest.raises(TextError, match="4 times or more, 1 do"):
        read_words(texts, minimum_count=4)


def test_equally_frequent_words_keep_the_order_of_the_text():
    vocabulary, _ = read_words(["zebra apple zebra mango apple mango mango"], minimum_count=2)
    assert vocabulary.words == ("mango", "zebra", "apple")
