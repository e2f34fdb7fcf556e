"""The part that tests whether two lists of words keep different company: its picture, its question, its fields."""

import pytest

from pages.embeddings.associated_lists import EXAMPLES, FIELDS
from tests.pages.visits import alt, charts, data, guess, numbers, shows, text, visit

PAGE = "pages/embeddings/page.py"
NAME = "association_library-skip-gram"


def arrive(**asked):
    return visit(PAGE, part="Bias test", **asked)


def test_what_chance_does_waits_for_a_guess():
    app = arrive()
    assert charts(app)[:2] == ["association_words", "association_splits"]
    assert len(data(app, "association_words")) == 18
    assert "0.11" not in text(app)
    assert "split by chance" not in data(app, "association_splits").to_string()
    app = guess(app, NAME, 2)
    assert shows(app, 0.11)
    assert "split by chance" in data(app, "association_splits").to_string()
    assert 48_620 in numbers(text(app))


@pytest.mark.parametrize("title", list(EXAMPLES)[1:])
def test_an_example_fills_all_four_lists_and_asks_nothing(title):
    app = arrive(**dict(zip(FIELDS, EXAMPLES[title], strict=True)))
    assert not [radio for radio in app.radio if radio.key.startswith("guess_")]
    first, second = (words.split() for words in EXAMPLES[title][:2])
    assert set(data(app, "association_words")["word"]) == {*first, *second}
    assert "of these differ at least as much in the same direction" in text(app)


def test_what_has_no_vector_is_left_out_by_name_and_too_few_words_are_refused():
    app = arrive(target_1="king prince xyzzy")
    assert shows(app, "xyzzy")
    assert "xyzzy" not in alt(app, "association_words")
    app.get_by_key("target_1").set_value("xyzzy king").run()
    assert not app.exception
    assert "First list: at least 2 of its words must have a vector" in app.error[0].value
    assert "association_words" not in charts(app)
    app.get_by_key("target_1").set_value("king King, KING").run()
    assert app.error


def test_the_same_words_on_both_sides_differ_by_nothing():
    app = arrive(target_1="king queen", target_2="king queen")
    assert not app.exception
    assert shows(app, "effect size", 0.0)
    app = arrive(attribute_1="king queen", attribute_2="king queen")
    assert not app.exception
    assert shows(app, "effect size", 0.0)
