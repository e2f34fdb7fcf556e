import math
from contextlib import suppress
from dataclasses import replace

import pytest

from lm_core.classroom import questions
from lm_core.classroom.records import Question
from lm_core.classroom.summaries import N_BINS, Bin, is_right, summarise
from lm_core.errors import RoomError

CHOICE = Question("choice", "Which?", ("RNN", "LSTM"), right="LSTM")
NUMBER = Question("number", "How many?", lowest=0.0, highest=120.0, right="42")
POINT = Question("point", "Where?", axes=("x", "y"), lowest=-5.0, highest=5.0)
TOKEN = Question("token", "The next letter of langua_", right="g")
WORD = Question("word", "Which word is nearest?", right="Prince")
MARKUP = "<script>alert(1)</script> $x$ **b**"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (" Which?  | RNN | *LSTM ", CHOICE),
        ("What is P(A|B)? | a | *b", Question("choice", "What is P(A|B)?", ("a", "b"), right="b")),
        ("What is P(A|B)|", Question("word", "What is P(A|B)|")),
        ("Which? | RNN | LSTM", replace(CHOICE, right=None)),
        ("How many? 0..120 = 42", NUMBER),
        ("How many? 0 .. 120", replace(NUMBER, right=None)),
        ("How warm? -2.5..-1", Question("number", "How warm?", lowest=-2.5, highest=-1.0)),
        ("Where? x, y -5..5", POINT),
        ("Where? x, y -5..5 = 1, -2", replace(POINT, right="1, -2")),
        ("The next letter of langua_ = g", TOKEN),
        ("The next letter of langua_?", Question("token", "The next letter of langua_?")),
        ("Which word is nearest? = Prince", WORD),
        ("Which word\tis\nnearest?", replace(WORD, right=None)),
        ("Is 1=1 a sum?", Question("word", "Is 1=1 a sum?")),
        ("Is 2 + 2 = 4?", Question("word", "Is 2 + 2 = 4?")),
        ("Is 2 + 2 = 4? = yes", Question("word", "Is 2 + 2 = 4?", right="yes")),
        ("Is P(a|b) = P(b|a)?", Question("word", "Is P(a|b) = P(b|a)?")),
        ("Is P(A | B) = P(B | A)?", Question("word", "Is P(A | B) = P(B | A)?")),
        (
            "Is P(A | B) = P(B | A)? | *no | yes",
            Question("choice", "Is P(A | B) = P(B | A)?", ("no", "yes"), right="no"),
        ),
        ("How was it? | :( | :)", Question("choice", "How was it?", (":(", ":)"))),
        (
            "Wie viel? 0,5..1,5 = 0,7",
            Question("number", "Wie viel?", lowest=0.5, highest=1.5, right="0.7"),
        ),
        ("What\x00 is\u202e this?\x07", Question("word", "What is this?")),
    ],
)
def test_a_line_is_read_as_its_question(line, expected):
    assert questions.parse_question(line) == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "1 to 300 characters, this one 0"),
        (" \x00\n", "this one 0"),
        ("x" * 301, "this one 301"),
        ("x" * 10_000, "at most 2,000 characters, got 10,000"),
        ("Which? |", "2 to 12 different answers"),
        ("Which? | one", "this one 1"),
        ("Which? | a | a", "different answers, this one 1"),
        ("Which?" + "".join(f" | {i}" for i in range(questions.MOST_OPTIONS + 1)), "this one 13"),
        ("Which? | a |", "an answer to choose has 1 to 120 characters, one has 0"),
        ("Which? | a | " + "b" * 121, "one has 121"),
        ("How many? 5..5", "the first below the second"),
        ("How many? 9..1", "this one is 9..1"),
        (f"How many? 0..{'9' * 400}", "finite ends"),
        (f"How many? -{'9' * 308}..{'9' * 308}", "finite ends"),
        (f"How many? 0..0.{'0' * 323}5", "the first below the second"),
        ("How many? 0..10 = 11", "must lie between 0 and 10, got '11'"),
        ("How many? 0..10 = many", "must be a number, got 'many'"),
        ("How many? 0..1,000", "the end of an axis must be a number, got '1,000'"),
        ("Where? x, y 0..9 = 3", "a point is two numbers"),
        ("Next? langua_ = " + "g" * 17, "a token has 1 to 16 characters"),
    ],
)
def test_a_line_that_cannot_be_asked_says_why(line, message):
    with pytest.raises(RoomError, match=message):
        questions.parse_question(line)


@pytest.mark.parametrize(
    "filler", [" ", "1", "a", "a ", "=", ". ", " = ", " => ", " > ", " // ", "*", "* ", " | * -> "]
)
def test_the_longest_line_is_read_in_no_time(filler):
    """An expression that backtracks from every letter would take minutes, and hold the server."""
    line = (filler * questions.LONGEST_LINE)[: questions.LONGEST_LINE - 1] + "!"
    with suppress(RoomError):
        questions.parse_question(line)


def test_markup_in_a_question_is_kept_as_it_is():
    asked = questions.parse_question(f"{MARKUP} | <b>a</b> | *<i>b</i>")
    assert asked.text == MARKUP
    assert asked.options == ("<b>a</b>", "<i>b</i>")
    assert asked.right == "<i>b</i>"


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (replace(NUMBER, highest=math.nan), "finite ends"),
        (replace(NUMBER, highest=math.inf), "finite ends"),
        (replace(POINT, axes=("x",)), "two axes"),
        (replace(CHOICE, right="GRU"), "one of those on offer, got 'GRU'"),
        (replace(CHOICE, options=()), "2 to 12"),
    ],
)
def test_a_pages_question_is_checked_as_well(question, message):
    with pytest.raises(RoomError, match=message):
        questions.checked_question(question)


@pytest.mark.parametrize(
    ("question", "value", "kept"),
    [
        (CHOICE, "RNN", "RNN"),
        (NUMBER, "7", "7"),
        (NUMBER, " 7.50 ", "7.5"),
        (NUMBER, "120", "120"),
        (NUMBER, "1e2", "100"),
        (NUMBER, "0.30000000000000004", "0.3"),
        (POINT, "1,-2", "1, -2"),
        (POINT, " -5 , 5.0", "-5, 5"),
        (TOKEN, " the", " the"),
        (TOKEN, "<b>", "<b>"),
        (WORD, "  the \n prince ", "the prince"),
        (WORD, "I", "I"),
        (WORD, MARKUP, MARKUP),
        (WORD, "x" * questions.LONGEST_WORD, "x" * questions.LONGEST_WORD),
        (WORD, "köńig 王", "köńig 王"),
    ],
)
def test_an_answer_is_kept_in_one_way_of_writing(question, value, kept):
    assert questions.checked_answer(question, value) == kept
    assert questions.checked_answer(question, kept) == kept


@pytest.mark.parametrize("question", [CHOICE, NUMBER, POINT, TOKEN, WORD], ids=lambda q: q.kind)
@pytest.mark.parametrize(
    "value",
    ["", "x" * 10_000, "9" * 10_000, "a\x00b", "a\x1b[31m", "a\u202eb", "\ud800", ",", " \n "],
    ids=["empty", "10 kB", "digits", "null", "escape", "override", "surrogate", "comma", "blank"],
)
def test_what_is_no_answer_is_refused_in_a_line(question, value):
    if (question.kind, value) in {("token", ","), ("word", ",")}:
        return  # a comma is a token, and a word to those who say so
    with pytest.raises(RoomError) as refused:
        questions.checked_answer(question, value)
    message = str(refused.value)
    assert len(message) < 200
    assert message.isprintable()


@pytest.mark.parametrize(
    "number", ["nan", "inf", "-inf", "1e400", "-0.001", "120.1", "12 3", "0x1"]
)
def test_a_number_outside_of_its_axis_is_refused(number):
    with pytest.raises(RoomError):
        questions.checked_answer(NUMBER, number)
    with pytest.raises(RoomError):
        questions.checked_answer(replace(POINT, lowest=0.0, highest=120.0), f"0, {number}")


def test_a_number_at_the_end_of_its_axis_stays_on_it():
    """Ten digits would round it off the axis, and the picture of all answers would refuse it."""
    long = replace(POINT, lowest=0.0, highest=12345678899.0)
    kept = questions.checked_answer(long, "12345678899, 12345678899")
    assert summarise(long, [kept]).points == ((12345678899.0, 12345678899.0),)


def test_a_choice_counts_every_option_in_its_order():
    summary = summarise(CHOICE, ["LSTM", "LSTM"])
    assert summary.n == 2
    assert list(summary.counts.items()) == [("RNN", 0), ("LSTM", 2)]
    assert summary.median == ()


def test_numbers_fall_into_bins_the_last_with_its_upper_end():
    summary = summarise(NUMBER, ["0", "9.99", "10", "120"])
    assert len(summary.bins) == N_BINS
    assert summary.bins[0] == Bin(0.0, 10.0, 2)
    assert summary.bins[1] == Bin(10.0, 20.0, 1)
    assert summary.bins[-1] == Bin(110.0, 120.0, 1)
    assert summary.median == (pytest.approx(9.995),)


def test_points_have_a_median_by_coordinate():
    summary = summarise(POINT, ["0, 1", "1, 5", "5, 3"])
    assert summary.points == ((0.0, 1.0), (1.0, 5.0), (5.0, 3.0))
    assert summary.median == (1.0, 3.0)


def test_words_are_the_same_however_capitalised_and_tokens_are_not():
    assert summarise(WORD, ["King", "queen", "king"]).counts == {"king": 2, "queen": 1}
    assert summarise(TOKEN, ["a", "A", " a", "A"]).counts == {"A": 2, "a": 1, " a": 1}


@pytest.mark.parametrize("question", [CHOICE, NUMBER, POINT, TOKEN, WORD], ids=lambda q: q.kind)
def test_a_class_that_said_nothing_has_a_summary(question):
    summary = summarise(question, [])
    assert summary.n == 0
    assert not any(summary.counts.values())
    assert summary.median == ()


@pytest.mark.parametrize(
    ("question", "value", "right"),
    [
        (CHOICE, "LSTM", True),
        (CHOICE, "RNN", False),
        (replace(CHOICE, right=None), "LSTM", None),
        (NUMBER, "48", True),
        (NUMBER, "48.1", False),
        (NUMBER, "36", True),
        (POINT, "0, 0", None),
        (replace(POINT, right="0, 0"), "0, 0", None),
        (TOKEN, "g", True),
        (TOKEN, "G", False),
        (WORD, "PRINCE", True),
        (WORD, "princess", False),
    ],
)
def test_an_answer_is_right_by_the_rule_of_its_kind(question, value, right):
    assert is_right(question, value) is right


def test_where_no_step_reaches_the_answer_the_finest_is_taken():
    steps = [
        questions.number_step(Question("number", "How likely?", lowest=0, highest=1, right=right))
        for right in ("0.5", "0.123", "0.1234567")
    ]
    assert steps == [0.01, 0.001, 1e-05]
