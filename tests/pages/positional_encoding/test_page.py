"""The page on positions: its five parts, what their controls change, what is refused."""

import re

import numpy as np
import pytest
import torch

from lm_core.experiments.positional_encoding.equal_words import Telling
from pages.positional_encoding import fingerprints
from pages.positional_encoding.equal_words import verdict
from tests.pages.visits import text, visit


def arrive(part="Equal words", **asked):
    asked = {"part": part, "reveal": "equal_words,distance,buckets", **asked}
    return visit("pages/positional_encoding/page.py", **asked)


# Equal words ----------------------------------------------------------------------------------


def test_equal_words_wait_for_a_guess_and_are_alike_without_positions():
    app = arrive(reveal="")
    assert "told apart" not in text(app)
    app.radio(key="guess_equal_words").set_value("The same output three times").run()
    app.button(key="reveal_equal_words").click().run()
    assert "**Not told apart: can (3 times), a (2 times)**" in text(app)
    assert "**0.000**: the outputs have moved along" in text(app)


@pytest.mark.parametrize("position", ["learned codes", "sines and cosines", "rotary", "ALiBi"])
def test_positions_tell_them_apart(position):
    app = arrive(position=position)
    assert "**Told apart: can (3 times), a (2 times)**" in text(app)
    assert "the order of the words now means something" in text(app)
    assert not app.warning


def test_the_mask_alone_tells_apart_what_has_other_words_before_it():
    app = arrive(causal="true")
    assert "**Told apart: can" in text(app)
    app.text_input(key="sentence").set_value("ha ha ha").run()
    assert "**Not told apart: ha (3 times)**" in text(app)


def test_the_shuffle_keeps_the_words_and_their_outputs():
    app = arrive(order="3")
    typed, shuffled = (app.dataframe[i].value for i in (0, 1))
    assert sorted(name[3:] for name in typed["name"]) == sorted(n[3:] for n in shuffled["name"])
    assert list(typed["name"]) != list(shuffled["name"])
    rows = [
        {name[3:]: group["value"].to_numpy() for name, group in frame.groupby("name")}
        for frame in (typed, shuffled)
    ]
    for word, values in rows[0].items():
        assert np.allclose(rows[1][word], values, atol=1e-5)


def test_the_table_holds_every_kind_with_and_without_the_mask():
    table = arrive(all="true").dataframe[-1].value
    assert len(table) == 14
    alike = table[table["equal words"].str.startswith("Not told apart")]
    assert alike[["positions", "mask"]].values.tolist() == [["none", "none"]]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("alone", "a sentence has 2 to 12 words here, got 1"),
        ("<b>" + "x" * 30, "a word has at most 20 letters here"),
        ("a b " * 60, "the sentence may have at most 200 characters, got 240"),
    ],
)
def test_what_is_no_sentence_gets_a_message_and_the_way_back_is_open(sentence, message):
    app = arrive(sentence=sentence)
    assert message in app.error[0].value
    app.text_input(key="sentence").set_value("one two").run()
    assert not app.error
    assert "**No word stands twice in this sentence**" in text(app)


def test_words_of_both_kinds_are_named():
    telling = Telling("none", False, (1,), (0,), 0.5)
    said = verdict(telling, ("a", "b", "a", "b"), torch.tensor([0, 1, 0, 1]))
    assert said == "Not told apart: a (2 times). Told apart: b (2 times)"


# Fingerprints ---------------------------------------------------------------------------------


def test_two_positions_are_compared_and_learned_codes_are_said_to_be_missing():
    app = arrive("Fingerprints", width="4", base="100", first="3", second="10", positions="12")
    cosine = (np.cos(7) + np.cos(0.7)) / 2
    assert f"**Positions 3 and 10 in 2 waves: the cosine of their codes is {cosine:.3f}**" in text(
        app
    )
    assert "No model that comes with this lab has learned its positions" in text(app)
    app.slider(key="positions").set_value(8).run()
    assert not app.exception
    assert app.slider(key="second").value == 7


def test_binary_digits_are_counted():
    app = arrive("Fingerprints", code="binary digits", positions="16")
    assert "16 positions take 4 digits. The last digit changes 15 times" in text(app)
    assert "From 7 to 8 all 4 change" in text(app)


def test_learned_codes_are_drawn_where_a_model_has_some(monkeypatch):
    codes = {"small one": torch.eye(20)}
    monkeypatch.setattr(fingerprints, "learned_codes", lambda: codes)
    fingerprints._learned.clear()
    try:
        app = arrive("Fingerprints", code="learned by small one", first="2", second="2")
        assert (
            "Positions 2 and 2 in learned by small one: the cosine of their codes is 1.000"
            in text(app)
        )
        assert "none to draw" not in text(app)
    finally:
        fingerprints._learned.clear()


# Clock hands ----------------------------------------------------------------------------------


def test_the_rotation_takes_one_position_to_the_other_wherever_it_stands():
    app = arrive("Clock hands", shift="2", pair="1", clock_base="100", at="7")
    angle = 2 * 100**-0.25 * 180 / np.pi
    assert f"**From position 7 to 9, hand 1 turns by {angle:.1f}°**" in text(app)
    latex = app.get("latex")[0].value
    cosine, sine = np.cos(2 * 100**-0.25), np.sin(2 * 100**-0.25)
    assert rf"{cosine:.3f} & {sine:.3f} \\ {-sine:.3f} & {cosine:.3f}" in latex
    assert rf"&= \begin{{pmatrix}} {np.sin(9 * 100**-0.25):.3f}" in latex
    assert re.search(r"agree with its own code to \d+e-0[78]", text(app))
    app.button(key="at_forward").click().run()
    assert "From position 8 to 10, hand 1 turns" in text(app)
    assert rf"{cosine:.3f} & {sine:.3f} \\ " in app.get("latex")[0].value


# By distance ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sines and cosines", "rotary", "T5's buckets", "ALiBi"])
def test_of_four_kinds_the_distance_alone_counts(kind):
    app = arrive("By distance", kind=kind)
    assert f"**{kind[0].upper()}{kind[1:]}: only the distance counts**" in text(app)
    assert "only **binary digits** gives scores" in text(app)


def test_of_binary_digits_it_does_not():
    app = arrive("By distance", kind="binary digits")
    assert "**Binary digits: scores at one distance differ by up to 6**" in text(app)


def test_the_heads_of_alibi_have_slopes_of_their_own():
    app = arrive("By distance", kind="ALiBi", head="2")
    frame = app.dataframe[0].value
    at = frame[(frame["query"] == "query 63") & (frame["distance"] == 8)]["score"].item()
    assert at == -2.0


# T5's buckets ---------------------------------------------------------------------------------


def test_the_source_rule_puts_far_keys_into_buckets_that_are_not_theirs():
    app = arrive("T5's buckets")
    assert "**All 576 pairs have one of 8 buckets**" in text(app)
    assert "30 behind belongs into bucket **3**, one 30 ahead into **7**" in text(app)
    assert "there the two come into **4** and **8**" in text(app)
    app.toggle(key="slip").set_value(True).run()
    assert "**36 of 576 pairs have a bucket that does not exist, 36 one of the other" in text(app)
    app.select_slider(key="most").set_value(32).run()
    assert "**0 of 576 pairs" in text(app)


def test_with_one_direction_the_slip_does_no_harm():
    app = arrive("T5's buckets", both="false", slip="true")
    assert "**0 of 576 pairs have a bucket that does not exist, 0 one of the other" in text(app)
    assert "the source's cap is the right one" in text(app)


def test_a_maximum_too_small_for_the_buckets_gets_a_message():
    app = arrive("T5's buckets", buckets="32", most="12", both="false")
    assert "max_distance must be above 16, got 12" in app.error[0].value
    app.select_slider(key="most").set_value(20).run()
    assert not app.error


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("Equal words", "position", "tea leaves"),
        ("Fingerprints", "width", "5"),
        ("Clock hands", "at", "61"),
        ("By distance", "kind", "learned codes"),
        ("T5's buckets", "buckets", "7"),
    ],
)
def test_a_foreign_value_falls_back_with_a_note(part, name, value):
    app = arrive(part, **{name: value})
    assert len(app.warning) == 1
    assert f"`{value}`" in app.warning[0].value
