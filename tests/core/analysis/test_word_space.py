"""Words as points: cosines from 0 and from the mean, neighbours, analogies, and what was typed."""

import pytest
import torch

from lm_core.analysis.similarity import unit_vectors
from lm_core.analysis.word_space import WordSpace
from lm_core.errors import TextError
from lm_core.text.word_queries import LONGEST, nearest_spellings, read_asked
from lm_core.text.word_vocabulary import WordVocabulary, find_words, words_of


@pytest.fixture
def crowd():
    """9,000 random words around a point off 0, more than are looked at at a time."""
    vectors = torch.randn(9_000, 7, generator=torch.Generator().manual_seed(0)) + 0.5
    names = tuple(f"w{i}" for i in range(9_000))
    return WordVocabulary(names, tuple(range(9_000, 0, -1))), vectors


@pytest.mark.parametrize("without_mean", [False, True])
def test_cosines_are_those_of_vectors_from_the_origin(crowd, without_mean):
    vocabulary, vectors = crowd
    space = WordSpace.of(vocabulary, vectors, without_mean=without_mean)
    seen = vectors - vectors.mean(0) if without_mean else vectors
    wanted = torch.randn(7, generator=torch.Generator().manual_seed(1))
    expected = torch.cosine_similarity(seen, wanted[None])
    torch.testing.assert_close(space.cosines(wanted), expected, atol=2e-6, rtol=0)
    torch.testing.assert_close(space.cosines(wanted, 40), expected[:40], atol=2e-6, rtol=0)
    torch.testing.assert_close(space.unit([8_000, 3]), unit_vectors(seen[[8_000, 3]]))
    pair = space.pair(2, 8_500)
    assert pair.dot == pytest.approx(float(seen[2] @ seen[8_500]), abs=1e-5)
    assert pair.lengths[1] == pytest.approx(float(seen[8_500].norm()), rel=1e-5)
    assert pair.cosine == pytest.approx(pair.dot / pair.lengths[0] / pair.lengths[1], abs=1e-5)
    assert space.matrix([2, 8_500])[0, 1] == pytest.approx(pair.cosine, abs=1e-6)


def test_off_the_mean_random_words_have_nothing_in_common(crowd):
    plain, centred = (WordSpace.of(*crowd, without_mean=off) for off in (False, True))
    unit = unit_vectors(crowd[1])
    assert plain.mean_cosine() == pytest.approx(float((unit @ unit.T).mean()), abs=1e-5)
    assert plain.mean_cosine() > 0.1
    assert abs(centred.mean_cosine()) < 1e-3
    assert plain.vectors.data_ptr() == centred.vectors.data_ptr()


def test_neighbours_may_be_sought_among_the_most_frequent_alone(crowd):
    space = WordSpace.of(*crowd)
    wanted = space.vectors[8_999]
    assert space.nearest(wanted, 1)[0].id == 8_999
    found = space.nearest(wanted, 3, among=100, without=[8_999, 5])
    assert all(each.id < 100 for each in found)
    best = int(space.cosines(wanted, 100).argmax())
    assert found[0].id == best
    assert best not in [each.id for each in space.nearest(wanted, 3, among=100, without=[best])]


def test_an_analogy_is_a_step_from_a_third_word():
    words = WordVocabulary(("east", "northeast", "north", "west", "south"), (5, 4, 3, 2, 1))
    vectors = torch.tensor([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0], [-1.0, 0.0], [0.0, -1.0]])
    space = WordSpace.of(words, vectors)
    # north-east - east + north points to the north-west: west is nearest, the three passed over
    assert space.analogy(1, 0, 2, 2)[0].id == 3
    assert [each.id for each in space.analogy(1, 0, 2, 9)] == [3, 4]


def test_a_word_without_a_vector_is_no_division_by_zero():
    space = WordSpace.of(WordVocabulary(("a", "b"), (2, 1)), torch.tensor([[0.0, 0.0], [1.0, 0.0]]))
    assert space.cosines(space.vectors[1]).tolist() == [0.0, 1.0]
    assert space.unit([0]).tolist() == [[0.0, 0.0]]


# What was typed -------------------------------------------------------------------------------

WORDS = WordVocabulary(("the", "king", "kin", "queen", "sign"), (5, 4, 3, 2, 1))


def test_typed_words_are_read_as_the_text_was():
    assert read_asked("  King! ", WORDS).known == (1,)
    assert read_asked("king, queen KING foo", WORDS, fewest=2, most=4) == ((1, 3), ("foo",))
    assert read_asked("kîng", WORDS).known == (1,)
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
        read_asked(typed, WORDS)


def test_lists_have_a_least_and_a_most():
    with pytest.raises(TextError, match="type 3 to 12 words: this is 1 word, king"):
        read_asked("king king", WORDS, fewest=3, most=12)


def test_a_misspelt_word_finds_its_neighbours_in_spelling():
    assert nearest_spellings("kign", WORDS.words) == ["kin", "king", "sign"]
    assert nearest_spellings("qqqqqqqq", WORDS.words) == []
