"""Several choices, orders, pairs, marked words and cells: how they are asked, answered and counted."""

from dataclasses import replace

import pytest

from lm_core.classroom.numbered import LONGEST_OF_MARK, MOST_WORDS, in_words
from lm_core.classroom.questions import (
    LONGEST_REASON,
    checked_answer,
    checked_question,
    parse_question,
)
from lm_core.classroom.records import Question
from lm_core.classroom.summaries import is_right, summarise
from lm_core.errors import RoomError

SEVERAL = parse_question("Which remember? | *LSTM | bigram | *attention")
ORDER = parse_question("Sort > bytes > tokens > vectors")
MATCH = parse_question("Match | RNN -> a state | attention -> all tokens | MLP → a window")
MARK = parse_question("Which word decides? // It is not a *bad* film, is it?")
CELL = Question(
    "cell", "Where?", ("a", "b", "c"), ("row", "column"), right="3, 1", partners=("A", "B")
)
ALL = [SEVERAL, ORDER, MATCH, MARK, CELL]


@pytest.mark.parametrize("question", ALL, ids=lambda q: q.kind)
def test_what_holds_is_an_answer_and_right(question):
    assert checked_answer(question, question.right) == question.right
    assert is_right(question, question.right)
    assert is_right(replace(question, right=None), question.right) is None


def test_what_holds_reads_as_it_was_written():
    assert [in_words(question, question.right) for question in ALL] == [
        "LSTM; attention",
        "bytes → tokens → vectors",
        "RNN → a state; attention → all tokens; MLP → a window",
        "bad (word 5)",
        "c → A",
    ]


@pytest.mark.parametrize("n", range(3, 9))
def test_what_is_on_offer_does_not_tell_the_order(n):
    words = [f"word {i}" for i in range(n)]
    order = parse_question("Sort > " + " > ".join(words))
    assert sorted(order.options) == sorted(words)
    assert list(order.options) != words
    match = parse_question("Match | " + " | ".join(f"{word} -> {word.upper()}" for word in words))
    assert list(match.partners) != [word.upper() for word in words]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (SEVERAL, ""),
        (SEVERAL, "1, 1"),
        (SEVERAL, "0"),
        (SEVERAL, "4"),
        (SEVERAL, "LSTM"),
        (ORDER, "1, 2"),
        (ORDER, "1, 2, 2"),
        (ORDER, "1, 2, 3, 4"),
        (MATCH, "1, 1, 2"),
        (MATCH, "1, 2"),
        (CELL, "1"),
        (CELL, "4, 1"),
        (CELL, "3, 3"),
        (CELL, "0, 1"),
        (CELL, "1, 0"),
        (CELL, "1, 1, 1"),
        (MARK, "0"),
        (MARK, "9"),
        (MARK, "1, 2"),
        (MARK, "9" * 10_000),
        (MARK, "<b>"),
    ],
)
def test_what_is_no_answer_is_refused(question, value):
    with pytest.raises(RoomError, match="the answer must be"):
        checked_answer(question, value)


def test_several_choices_are_kept_in_one_order():
    assert checked_answer(SEVERAL, "3,1") == "1, 3"
    assert is_right(SEVERAL, "1, 3")
    assert not is_right(SEVERAL, "1")
    assert not is_right(SEVERAL, "1, 2, 3")


def test_a_class_s_answers_are_counted_by_choice_by_pair_by_order_and_by_word():
    assert summarise(SEVERAL, ["1, 3", "3"]).counts == {"LSTM": 1, "bigram": 0, "attention": 2}
    wrong = ", ".join(sorted(ORDER.right.split(", "), reverse=ORDER.right != "3, 2, 1"))
    counts = summarise(ORDER, [ORDER.right, ORDER.right, wrong]).counts
    assert next(iter(counts.items())) == ("bytes → tokens → vectors", 2)
    assert sum(counts.values()) == 3
    swapped = MATCH.right.split(", ")
    swapped = ", ".join([swapped[1], swapped[0], swapped[2]])
    counts = summarise(MATCH, [MATCH.right, swapped]).counts
    assert counts["MLP → a window"] == 2
    assert counts["RNN → a state"] == counts["RNN → all tokens"] == 1
    assert summarise(CELL, ["3, 1", "1, 2", "3, 1"]).counts == {"c → A": 2, "a → B": 1}
    assert summarise(MARK, ["5", "5", "3"]).counts == {"bad (word 5)": 2, "not (word 3)": 1}


@pytest.mark.parametrize("lacks", ["options", "partners"])
def test_a_picture_to_mark_has_rows_and_columns(lacks):
    with pytest.raises(RoomError, match="rows and columns"):
        checked_question(replace(CELL, right=None, **{lacks: ()}))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Mark // one", "2 to 60 words"),
        ("Mark // " + "a " * (MOST_WORDS + 1), "this one 61"),
        ("Mark // a " + "b" * (LONGEST_OF_MARK + 1), "at most 31"),
        ("Mark // *a* *b*", "here 2 have them"),
        ("Match | a -> x | b -> x", "2 to 12 different answers"),
        ("Match | a -> x | a -> y", "2 to 12 different answers"),
        ("Sort > a > a > b", "2 to 12 different answers"),
        ("How many? 0..10 = 5 ± 11", "a tolerance lies between 0 and the axis's 10, got 11"),
        ("Which? | a | *b => " + "x" * (LONGEST_REASON + 1), "a reason has at most 600"),
    ],
)
def test_what_cannot_be_asked_says_why(line, message):
    with pytest.raises(RoomError, match=message):
        parse_question(line)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Is 3 > 2 > 1 true?", "word"),
        ("Which? | a -> b | *c -> d", "choice"),
        ("Which? | a -> b | c", "choice"),
        ("Is http://a.b a link?", "word"),
        ("What does => mean?", "word"),
        ("Which word? // a text without stars", "mark"),
    ],
)
def test_signs_within_words_ask_what_they_asked_before(line, kind):
    assert parse_question(line).kind == kind


@pytest.mark.parametrize("tolerance", [0, 10])
def test_a_tolerance_reaches_from_nothing_to_the_whole_axis(tolerance):
    read = parse_question(f"How many? 0..10 = 5 ± {tolerance}")
    assert read.tolerance == tolerance


@pytest.mark.parametrize("sign", ["±", "+-", "+/-", " ± ", "% ± "])
def test_a_number_holds_within_its_tolerance(sign):
    asked = parse_question(f"How many? 0..100 = 42{sign}0.3")
    assert (asked.right, asked.tolerance) == ("42", 0.3)
    said = ["41.6", "41.7", "42", "42.3", "42.4"]
    assert [is_right(asked, value) for value in said] == [False, True, True, True, False]


def test_the_reason_is_what_stands_behind_the_last_arrow():
    asked = parse_question("What does => mean? | a | *b => Because it is so.")
    assert (asked.text, asked.right) == ("What does => mean?", "b")
    assert asked.reason == "Because it is so."


SETTINGS = parse_question("Make k-means fail (settings)")


def test_settings_are_a_page_with_its_parameters():
    link = "clustering?clusters=5&data=95+%3A+5"
    assert (SETTINGS.kind, SETTINGS.text) == ("settings", "Make k-means fail")
    assert checked_answer(SETTINGS, link) == link
    assert in_words(SETTINGS, link) == "clustering: clusters 5, data 95 : 5"
    assert summarise(SETTINGS, [link, link]).counts == {"clustering: clusters 5, data 95 : 5": 2}
    assert is_right(SETTINGS, link) is None


@pytest.mark.parametrize(
    "value",
    ["", "//evil.example", "https://evil.example", "javascript:x", "a b", "a?b c", "a?\n", "<b>"],
)
def test_what_is_no_page_of_the_lab_is_no_setting(value):
    with pytest.raises(RoomError, match="settings are a page"):
        checked_answer(SETTINGS, value)


def test_settings_that_are_too_long_say_what_to_do():
    with pytest.raises(RoomError, match="set back what you do not need"):
        checked_answer(SETTINGS, "clustering?" + "x" * 300)
