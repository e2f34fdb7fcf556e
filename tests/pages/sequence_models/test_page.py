"""The page on what goes in and what comes out: three networks, each with the visitor's own input."""

import re

import pytest

from lm_core.experiments.sequence_models.inference import speech_probabilities
from lm_core.text.symbols import read_sentence
from lm_core.training.checkpoints import SHIPPED, load_checkpoint
from pages.sequence_models import sentences, words
from tests.pages.visits import alt, data, drawn_rows, guess, holds, numbers, shows, text, visit

PAGE = "pages/sequence_models/page.py"
SHAPES = ("Vector to sequence", "Sequence to vector", "Sequence to sequence")
N_CHARTS = dict(zip(SHAPES, (3, 2, 4), strict=True))


def arrive(**asked):
    return visit(PAGE, **asked)


def skip_the_guess(app, name):
    app.button(key=f"skip_{name}").click().run()
    assert not app.exception


def first_bold(page):
    return next(m.value for m in page.markdown if m.value.startswith("**"))


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_has_its_diagram_its_numbers_and_its_provenance(shape):
    page = arrive(shape=shape)
    assert not page.warning
    assert not page.error
    assert len(page.get("vega_lite_chart")) == N_CHARTS[shape]
    waits_for_a_guess = shape == SHAPES[1]
    assert ("characters seen" in text(page)) is not waits_for_a_guess
    assert any(text.value for text in page.text)


# A word from a vector -------------------------------------------------------------------------


def test_the_same_vector_and_seed_write_the_same_word():
    page = arrive(shape=SHAPES[0])
    first = text(page)
    page.number_input(key="seed").set_value(2).run()
    second = text(page)
    page.number_input(key="seed").set_value(1).run()
    assert second != first
    assert text(page) == first
    assert "(1, 7/12)" in first


def test_the_length_of_many_words_waits_for_a_guess(monkeypatch):
    calls = []
    write = words.sample_words
    monkeypatch.setattr(words, "sample_words", lambda *a, **k: calls.append(1) or write(*a, **k))
    page = arrive(shape=SHAPES[0])
    assert not shows(page, 200, 7)
    assert not calls
    skip_the_guess(page, "generator_length")
    assert shows(page, 200, 7)
    page.slider(key="letters").set_value(4).run()
    assert shows(page, 200, 4)
    page.slider(key="letters").set_value(7).run()
    assert len(calls) == 2


# A class for a sentence ------------------------------------------------------------------------


def test_the_visitors_sentence_is_classified_by_each_network():
    page = arrive(shape=SHAPES[1])
    typed = "I love you—said nobody!"
    page.text_input(key="sentence").set_value(typed).run()
    assert read_sentence(typed) in text(page)
    found = dict(re.findall(r"((?:last|mean) state|bidirectional): (\d+)\s%", first_bold(page)))
    assert set(found) == set(sentences.CLASSIFIERS.values())
    for name, title in sentences.CLASSIFIERS.items():
        model, _ = load_checkpoint(SHIPPED / name)
        end = speech_probabilities(model, read_sentence(typed))[-1]
        assert int(found[title]) == pytest.approx(100 * end, abs=0.51)


def test_a_probability_is_computed_once(monkeypatch):
    calls = []
    running = sentences.speech_probabilities
    monkeypatch.setattr(
        sentences, "speech_probabilities", lambda *a: calls.append(1) or running(*a)
    )
    page = arrive(shape=SHAPES[1])
    page.segmented_control(key="classifier").set_value("speech-both").run()
    assert not page.exception
    assert len(calls) == 3


def test_which_classifier_is_best_waits_for_a_guess():
    page = arrive(shape=SHAPES[1])
    assert "% right" not in text(page)
    skip_the_guess(page, "classifier_best")
    assert "% right · " in text(page)
    table = next(d.value for d in page.dataframe if "Right" in d.value)
    assert table["Right"].between(60, 100).all()
    assert table["Parameters"].max() < 1.1 * table["Parameters"].min()


# A word from a word ---------------------------------------------------------------------------


def test_a_word_is_reversed():
    page = arrive(shape=SHAPES[2], word="tsar")
    assert holds(alt(page, "reverser_diagram"), "tsar", "rast")
    assert text(page).count("rast") == 1
    page.text_input(key="word").set_value("incomprehensible").run()
    assert "elbisneherpmocni" not in alt(page, "reverser_diagram")
    assert "elbisneherpmocni" in text(page), "the right answer is named beside the wrong one"


def test_wrong_letters_are_marked_in_the_picture():
    nodes = drawn_rows(arrive(shape=SHAPES[2], word="petersburg"), "reverser_diagram")
    outputs = nodes[nodes["role"].isin(["output", "wrong"])].sort_values("x")
    given, wanted = "".join(outputs["label"]), "grubsretep⊣"
    assert given == "grubrsetep⊣"
    marked = [role == "wrong" for role in outputs["role"]]
    assert marked == [a != b for a, b in zip(given, wanted, strict=True)]
    right = drawn_rows(arrive(shape=SHAPES[2], word="tsar"), "reverser_diagram")
    assert "wrong" not in set(right["role"])


def test_the_page_opens_on_a_word_that_is_too_long_and_hides_only_how_many_are():
    page = arrive()
    assert holds(alt(page, "reverser_diagram"), "petersburg", "grubrsetep")
    hidden = data(page, "reverser_lengths")
    assert hidden["length"].max() == 8
    assert hidden.set_index("length")["accuracy"][8] > 0.9
    guess(page, "reverser_longer", 3)
    accuracy = data(page, "reverser_lengths").set_index("length")["accuracy"]
    assert accuracy.index.max() == 16
    assert numbers(alt(page, "reverser_lengths"))[:2] == [round(100 * accuracy[8], 1), 8]
    assert shows(page, round(100 * accuracy[10], 1), 10)
    assert ":green-badge[" in text(page)


def test_of_the_least_certain_letter_the_right_one_is_marked():
    page = arrive(word="petersburg")
    bars = data(page, "reverser_least_certain")
    (marked,) = bars.query("is_marked")["symbol"]
    assert marked in "grubsretep"
    assert bars["probability"].max() < 0.6


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "key", "text", "named"),
    [
        (SHAPES[2], "word", "", ()),
        (SHAPES[2], "word", "two words", ("a", "z")),
        (SHAPES[2], "word", "x" * 5_000, (16, 5_000)),
        (SHAPES[1], "sentence", "42!", ()),
        (SHAPES[1], "sentence", "so " * 5_000, (120, 15_000)),
    ],
)
def test_what_cannot_be_read_gets_a_message_and_the_rest_stays(shape, key, text, named):
    page = arrive(shape=shape)
    page.text_input(key=key).set_value(text).run()
    assert not page.exception
    (error,) = page.error
    assert holds(error.value, *named)
    assert page.text_input(key=key).value == text
    assert page.header[-1].value == "Try this"


# A curve from a vector ------------------------------------------------------------------------


def test_two_curves_are_drawn_from_the_vector_and_the_band_waits_for_the_guess():
    page = arrive(shape="Vector to curve", period="16", height="2")
    rows = drawn_rows(page, "drawn_curves")
    assert set(rows["name"].dropna()) >= {"a first curve", "a second one"}
    assert not rows.get("low", rows["y"] * float("nan")).notna().any()
    assert "curve_deviations" not in {c.proto.id for c in page.get("vega_lite_chart")}
    answered = arrive(shape="Vector to curve", period="16", height="2", reveal="curve_known")
    shown = drawn_rows(answered, "drawn_curves")
    band = shown[shown["low"].notna()]
    assert len(band) == 48
    deviations = drawn_rows(answered, "curve_deviations").query("name == 'deviation'")["y"]
    first = band.iloc[0]
    assert (first["high"] - first["low"]) / 4 == pytest.approx(deviations.iloc[0], rel=0.02)
