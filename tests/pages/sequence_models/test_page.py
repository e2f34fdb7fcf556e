"""The page on what goes in and what comes out: three networks, each with the visitor's own input."""

import pytest

from pages.sequence_models import sentence_to_class, vector_to_word
from tests.pages.visits import text, visit

PAGE = "pages/sequence_models/page.py"
SHAPES = ("Vector to sequence", "Sequence to vector", "Sequence to sequence")


def arrive(**asked):
    return visit(PAGE, **asked)


def press(app, label):
    next(b for b in app.button if b.label == label).click().run()
    assert not app.exception


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_has_its_diagram_its_numbers_and_its_stamp(shape):
    page = arrive(shape=shape)
    assert not page.warning
    assert not page.error
    assert len(page.get("vega_lite_chart")) == 2
    waits_for_a_guess = shape == SHAPES[1]
    assert ("characters seen" in text(page)) is not waits_for_a_guess
    assert any(text.value for text in page.text)


# A word from a vector -------------------------------------------------------------------------


def test_the_same_vector_and_seed_write_the_same_word():
    page = arrive()
    first = text(page)
    page.number_input(key="seed").set_value(2).run()
    second = text(page)
    page.number_input(key="seed").set_value(1).run()
    assert second != first
    assert text(page) == first
    assert "(1, 7) becomes" in first


def test_the_length_of_many_words_waits_for_a_guess(monkeypatch):
    calls = []
    write = vector_to_word.sample_words
    monkeypatch.setattr(
        vector_to_word, "sample_words", lambda *a, **k: calls.append(1) or write(*a, **k)
    )
    page = arrive()
    assert "of 200 words" not in text(page)
    assert not calls
    press(page, "Show without a guess")
    assert "of 200 words have 7 letters" in text(page)
    page.slider(key="letters").set_value(4).run()
    assert "of 200 words have 4 letters" in text(page)
    page.slider(key="letters").set_value(7).run()
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("name", "value"), [("name", "2"), ("letters", "0"), ("temperature", "nan"), ("shape", "x")]
)
def test_foreign_values_fall_back_with_a_note(name, value):
    assert f"`{value}`" in arrive(**{name: value}).warning[0].value


# A verdict on a sentence ----------------------------------------------------------------------


def test_the_visitors_sentence_is_judged_after_each_character():
    page = arrive(shape=SHAPES[1])
    page.text_input(key="sentence").set_value("I love you—said nobody!").run()
    assert "Read as `i love you said nobody`" in text(page)
    assert "**Speech? last state: " in text(page)
    assert "both ways: " in text(page)


def test_a_verdict_is_computed_once(monkeypatch):
    calls = []
    running = sentence_to_class.speech_probabilities
    monkeypatch.setattr(
        sentence_to_class, "speech_probabilities", lambda *a: calls.append(1) or running(*a)
    )
    page = arrive(shape=SHAPES[1])
    page.segmented_control(key="reader").set_value("speech-both").run()
    assert not page.exception
    assert len(calls) == 3


def test_which_reader_is_best_waits_for_a_guess():
    page = arrive(shape=SHAPES[1])
    assert "% right" not in text(page)
    press(page, "Show without a guess")
    assert "% right · " in text(page)
    table = next(d.value for d in page.dataframe if "Right" in d.value)
    assert table["Right"].between(60, 100).all()
    assert table["Parameters"].max() < 1.1 * table["Parameters"].min()


# A word from a word ---------------------------------------------------------------------------


def test_a_word_comes_back():
    page = arrive(shape=SHAPES[2], word="tsar")
    assert "tsar comes back as rast, right" in text(page)
    page.text_input(key="word").set_value("incomprehensible").run()
    assert "wrong: elbisneherpmocni was asked for" in text(page)


def test_where_it_fails_waits_for_a_guess():
    page = arrive(shape=SHAPES[2])
    assert "whole at 8 letters" not in text(page)
    press(page, "Show without a guess")
    assert "whole at 8 letters" in text(page)
    assert len(page.get("vega_lite_chart")) == 3


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "key", "text", "message"),
    [
        (SHAPES[2], "word", "", "the word is empty"),
        (SHAPES[2], "word", "two words", "letters from a to z only"),
        (SHAPES[2], "word", "x" * 5_000, "at most 16 letters"),
        (SHAPES[1], "sentence", "42!", "there is no letter"),
        (SHAPES[1], "sentence", "so " * 5_000, "at most 120 characters"),
    ],
)
def test_what_cannot_be_read_gets_a_message_and_the_rest_stays(shape, key, text, message):
    page = arrive(shape=shape)
    page.text_input(key=key).set_value(text).run()
    assert not page.exception
    assert message in page.error[0].value
    assert page.text_input(key=key).value == text
    assert page.subheader[-1].value == "Try this"
