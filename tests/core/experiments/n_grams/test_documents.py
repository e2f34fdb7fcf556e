"""N-grams of own documents: counted within each, in any script, and each step knows where it comes from."""
# ruff: noqa: RUF001 (words of other scripts are what is tested)

from collections import Counter

import pytest

from lm_core.errors import TextError
from lm_core.experiments.n_grams.documents import (
    MOST_CHARACTERS,
    Document,
    Documents,
    beginning_as_read,
    spaced,
    split,
    what_was_read,
)
from lm_core.rng import generator

CAT = Document("cat.txt", "the cat sleeps on the sofa. " * 4)
DOG = Document("dog.txt", "the dog sleeps in the garden. " * 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Straße, żółw!", ["Straße", ",", "żółw", "!"]),
        ("Мать и дочь", ["Мать", "и", "дочь"]),
        ("ο άνθρωπος", ["ο", "άνθρωπος"]),
        ("磨坊主 去了 河边。", ["磨坊主", "去了", "河边", "。"]),
        ("ذهبَ الطحان", ["ذهبَ", "الطحان"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("it’s well-known\n\nso", ["it’s", "well-known", "\n\n", "so"]),
    ],
)
def test_words_of_every_script_are_whole(text, words):
    assert split(text, of_words=True) == words
    assert "".join(split(text, of_words=False)) == text


def test_no_context_reaches_into_another_document():
    both = Documents.read([CAT, DOG], of_words=True)
    end = [both.number_of[word] for word in ("sofa", ".")]
    assert len(both.places_after(end)) == 3  # after its last one comes the other document
    assert {both.symbols[both.ids[place]] for place in both.places_after(end)} == {"the"}


@pytest.mark.parametrize("of_words", [True, False])
def test_each_step_ends_an_n_gram_of_the_documents_that_it_names(of_words):
    both = Documents.read([CAT, DOG], of_words=of_words)
    read = split("the", of_words=of_words)
    for step in both.continued("the", 4, 60, generator(0)):
        gram = [*read[len(read) - step.n + 1 :], step.symbol]
        for number, document in enumerate((CAT, DOG)):
            tokens = split(document.text, of_words=of_words)
            holds = any(tokens[i : i + step.n] == gram for i in range(len(tokens)))
            assert holds == (number in step.documents)
        read.append(step.symbol)


def test_what_was_never_seen_is_continued_from_a_shorter_context():
    both = Documents.read([CAT, DOG], of_words=True)
    steps = [next(both.continued("zebra cat", 3, 1, generator(seed))) for seed in range(5)]
    assert {(step.symbol, step.n, step.documents) for step in steps} == {("sleeps", 2, (0,))}
    assert next(both.continued("zebra", 3, 1, generator(0))).n == 1


def test_a_step_is_drawn_as_often_as_it_was_counted():
    text = Documents.read([Document("a", "x a " * 30 + "x b " * 10)], of_words=True)
    drawn = Counter(next(text.continued("x", 2, 1, generator(seed))).symbol for seed in range(400))
    assert drawn["a"] / 400 == pytest.approx(0.75, abs=0.07)


def test_words_are_written_with_the_spaces_that_people_write():
    text = "He said: “Go (now), please.”\nAnd so on."
    assert "".join(spaced(split(text, of_words=True))) == text


def test_what_was_read_has_a_row_for_each_document():
    read = what_was_read(Documents.read([CAT, DOG], of_words=True), ["Mine."])
    assert read.line == "Read as 2 documents, 56 words and signs, 9 different ones."
    assert read.notes == ("Mine.",)
    name, size, begins = read.preview[2]
    assert (name, size) == ("dog.txt", "28")
    assert begins.startswith("the dog sleeps in the garden. the dog")


@pytest.mark.parametrize(
    ("beginning", "line", "notes"),
    [
        ("the cat", "a beginning of 2 words", ""),
        (
            "cow",
            "a beginning of 1 word",
            "1 word is in no document: “cow”. Nothing was counted after it,",
        ),
        (
            "the cow moos",
            "a beginning of 3 words",
            "2 words are in no document; the first is “cow”. Nothing was counted after them,",
        ),
    ],
)
def test_of_a_beginning_it_is_said_what_nothing_was_counted_after(beginning, line, notes):
    read = beginning_as_read(Documents.read([CAT, DOG], of_words=True), beginning)
    assert read.facts == (line,)
    assert " ".join(read.notes).startswith(notes)
    assert bool(read.notes) == bool(notes)


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([], "1 to 6 documents"),
        ([CAT] * 7, "got 7"),
        ([Document("a", "x" * (MOST_CHARACTERS + 1))], "got 1 of 300,001"),
        ([Document("a", "too short")], "at least 20 words"),
        (
            [Document("a", "磨坊主去了河边说今天天气很好他的女儿笑了。" * 9)],
            "words must be separated by spaces",
        ),
    ],
)
def test_too_much_and_too_little_are_refused(documents, said):
    with pytest.raises(TextError, match=said):
        Documents.read(documents, of_words=True)
