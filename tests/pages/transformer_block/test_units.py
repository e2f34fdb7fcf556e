"""Units of the feed-forward networks: painted, scored, held, and looked up in the book."""

import numpy as np
import pytest

from lm_core.analysis.feed_forward_units import read_units
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import locate
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.models.read_sentences import MODEL
from tests.pages import visits

PAGE, PART = "pages/transformer_block/page.py", "Units"


def strip(app, label):
    """What was sent to the text with a label that begins so."""
    found = visits.sent_to(app, "token_strip")
    return next(each for each in found if each["label"].startswith(label))


def answered(app):
    """The page once its question is answered."""
    (question,) = [r.key.removeprefix("guess_") for r in app.radio]
    return visits.guess(app, question)


def test_scores_wait_for_the_guess_and_are_on_the_part_that_found_nothing():
    app = visits.visit(PAGE, part=PART)
    assert "units_best" not in visits.charts(app)
    assert not visits.shows(app, "by which it was not found")
    app = answered(app)
    assert len(visits.numbers(visits.alt(app, "units_best"))) == 2 * 6 + 1
    assert visits.shows(app, "goes with “inside a quotation”")


def test_the_strip_is_the_units_activation():
    app = visits.visit(PAGE, part=PART, unit_layer=2, unit=7, unit_text="Two questions")
    shown = strip(app, "The text, each token in the colour")
    checkpoint = load_shipped(MODEL)
    vocabulary = vocabulary_of(checkpoint.meta)
    units = read_units(checkpoint.model, vocabulary.encode("".join(shown["tokens"])))
    expected = units[:, 1024 + 6]
    strengths = np.array([tint[1] for tint in visits.tints_of(shown)])
    np.testing.assert_allclose(strengths, np.clip(80 * expected / expected.max(), 0, 80), atol=0.56)


def test_what_is_painted_is_scored_at_once_and_a_single_span_on_nothing():
    app = visits.visit(PAGE, part=PART, unit_text="A letter")
    assert not app.radio
    assert visits.shows(app, "Found by the first 2 of 5 spans")
    app.multiselect(key="painted_words").set_value([1, 2, 3]).run()
    painted = strip(app, "The text, tinted where")
    on = "".join(
        t for t, tint in zip(painted["tokens"], visits.tints_of(painted), strict=True) if tint[1]
    )
    assert on == '"Is there a'
    assert any("two spans" in info.value for info in app.info)
    assert "units_best" not in visits.charts(app)


def test_a_row_a_unit_of_all_layers_and_the_best_is_looked_at():
    app = answered(visits.visit(PAGE, part=PART))
    rows = visits.drawn_rows(app, "units_matrix_best")
    assert len(rows) == 60
    assert rows["unit"].max() >= 1024
    app.number_input(key="unit").set_value(1).run()
    app = visits.press(app, "units_take_best")
    name = f"{app.selectbox(key='unit_layer').value}.{app.number_input(key='unit').value}"
    assert visits.alt(app, "units_best").split("held out: ")[1].startswith(f"{name} ")


def test_a_held_unit_changes_what_is_written():
    app = visits.visit(PAGE, part=PART)
    free, held = (strip(app, f"What the model writes, the unit {way}") for way in ("free", "held"))
    assert free["tokens"] != held["tokens"]
    assert visits.shows(app, "Held at")
    assert free["tokens"][:64] == held["tokens"][:64]  # what both continue


@pytest.mark.skipif(locate(WAR_AND_PEACE.name) is None, reason="needs the book")
def test_the_passages_are_those_with_the_largest_activations(monkeypatch):
    monkeypatch.setattr("pages.transformer_block.unit_runs.BOOK_TOKENS", 512)
    app = visits.press(visits.visit(PAGE, part=PART), "block_passages_wanted")
    shown = strip(app, "Passages of the book")
    titles = [t for t in shown["tokens"] if t.endswith(": ") and visits.numbers(t)]
    values = [visits.numbers(title)[0] for title in titles]
    assert values == sorted(values, reverse=True)
    assert len(values) == 4  # 512 tokens are four windows
