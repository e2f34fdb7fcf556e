"""The page inside a writer: what it asks and tints, which units it finds, and what a clamp changes."""

import numpy as np
import pytest

from lm_core.analysis.text_spans import QUOTATION, inside_quotation
from lm_core.analysis.unit_activations import CELL
from lm_core.experiments.inside_a_writer.results import UnitResults
from pages.inside_a_writer.subject import LETTER, MOST_CHARACTERS, OWN, TEXTS_READ
from pages.shared.units.painting import tapped, word_at
from tests.pages import visits

PAGE = "pages/inside_a_writer/page.py"
BEST = UnitResults.load().of_kind(QUOTATION, CELL).units[0].unit
PAINT = "in a span that you paint"
QUESTION = "unclosed_"


def strips(app):
    """What was sent to the texts on the page, by key."""
    return visits.sent_to(app, "token_strip")


def question(app):
    return next(r.key.removeprefix("guess_") for r in app.radio if QUESTION in r.key)


def strengths(strip):
    return np.array([tint[1] for tint in visits.tints_of(strip)])


def test_the_first_picture_is_a_unit_that_is_on_inside_quotations():
    app = visits.visit(PAGE)
    (strip,) = strips(app)
    text = "".join(strip["tokens"])
    assert text == TEXTS_READ[0] == LETTER.replace("\n\n", "\n")
    drawn = np.array(["masked" not in tint[0] for tint in visits.tints_of(strip)])
    inside = inside_quotation(text) > 0
    assert strengths(strip)[drawn & inside].mean() > 3 * strengths(strip)[drawn & ~inside].mean()


def test_the_unclosed_quotation_is_masked_until_the_guess_which_is_then_drawn():
    app = visits.visit(PAGE)
    masked = [i for i, tint in enumerate(visits.tints_of(strips(app)[0])) if "masked" in tint[0]]
    assert masked == list(range(masked[0], len(TEXTS_READ[0])))
    rows = visits.drawn_rows(app, "writer_line")
    assert (rows["kind"] == "value").sum() == masked[0]
    app = visits.guess(app, question(app), 1)
    assert not any("masked" in tint[0] for tint in visits.tints_of(strips(app)[0]))
    rows = visits.drawn_rows(app, "writer_line")
    assert (rows["kind"] == "value").sum() == len(TEXTS_READ[0])
    assert {"guess", "mark"} <= set(rows["kind"])


def test_another_unit_or_text_is_asked_nothing():
    assert not visits.visit(PAGE, text="Two questions").radio
    app = visits.visit(PAGE)
    other = next(u for u in range(640) if UnitResults.load().found(u, CELL) is None)
    app.selectbox(key="unit").set_value(other).run()
    assert not app.exception
    assert not app.radio


def test_fewer_words_read_leave_the_rest_of_the_line_out():
    app = visits.visit(PAGE, text="Two questions", read="5")
    rows = visits.drawn_rows(app, "writer_line")
    n = (rows["kind"] == "value").sum()
    text = "".join(strips(app)[0]["tokens"])
    assert text[:n].split() == text.split()[:6]


def test_units_are_found_by_kind():
    app = visits.visit(PAGE, part="Find")
    scores = UnitResults.load().of_kind(QUOTATION, CELL)
    assert visits.numbers(visits.alt(app, "units_best"))[-1] == pytest.approx(
        scores.chance, abs=0.006
    )
    rows = visits.drawn_rows(app, "units_matrix_best")
    assert len(rows) == 60
    assert rows["correlation"].is_monotonic_decreasing
    assert rows.loc[rows["is_chosen"], "unit"].tolist() == [BEST]
    app.segmented_control(key="rows").set_value("All").run()
    assert len(visits.drawn_rows(app, "units_matrix_all")) == 640


def painted(app):
    """The words that are tinted whole."""
    (strip,) = strips(app)
    on = "".join(t if s else "|" for t, s in zip(strip["tokens"], strengths(strip), strict=True))
    return [span.split() for span in on.split("|") if span]


def test_quotations_are_painted_first_and_their_unit_is_found_and_scored():
    app = visits.visit(PAGE, part="Find", kind=PAINT)
    assert not app.exception
    assert painted(app)[0] == LETTER.split()[:4]
    best = visits.alt(app, "units_best").split("held out: ")[1].split()[0]
    assert app.button(key="units_take_best").label.endswith(best)
    assert len(visits.numbers(visits.alt(app, "units_best"))) == 2 * 6 + 1
    assert visits.shows(app, "Found by the first 2 of 5 spans")
    assert visits.shows(app, "none of these exceeds it")  # 59 characters are too few


def test_on_the_book_the_best_unit_exceeds_chance_and_nothing_else_is_said():
    app = visits.visit(PAGE, part="Find")
    assert visits.shows(app, "the best of 640 units with the pattern shifted")
    assert not visits.shows(app, "none of these exceeds it")


def test_a_single_span_is_scored_on_nothing_and_a_second_one_is_asked_for():
    app = visits.visit(PAGE, part="Find", kind=PAINT)
    app.multiselect(key="painted_words").set_value([1, 2, 3]).run()
    assert painted(app) == [LETTER.split()[:3]]
    assert any("two spans" in info.value for info in app.info)
    app.multiselect(key="painted_words").set_value([]).run()
    assert not app.exception
    assert painted(app) == []
    assert any("two spans" in info.value for info in app.info)
    assert "units_best" not in visits.charts(app)


def test_on_a_projector_the_text_that_is_painted_takes_the_place_of_the_matrix():
    app = visits.visit(PAGE, part="Find", kind=PAINT, present="1")
    assert painted(app)[0] == LETTER.split()[:4]
    assert "rows" not in [c.key for c in app.segmented_control]  # above the matrix
    app = visits.visit(PAGE, part="Find", present="1")
    assert not strips(app)
    assert "rows" in [c.key for c in app.segmented_control]


def test_a_tap_finds_its_word_with_the_space_before_it():
    ends = [3, 7, 13]  # one two three
    assert [word_at(ends, i) for i in (0, 2, 3, 6, 7, 12)] == [0, 0, 1, 1, 2, 2]


def test_a_span_is_painted_by_its_first_and_last_word_and_wiped_away_by_a_tap():
    is_on, begun = tapped([False] * 5, None, 2)
    assert (is_on, begun) == ([False] * 5, 2)
    is_on, begun = tapped(is_on, begun, 0)
    assert (is_on, begun) == ([True, True, True, False, False], None)
    is_on, begun = tapped(*tapped(is_on, None, 4), 4)
    assert (is_on, begun) == ([True, True, True, False, True], None)
    assert tapped(is_on, 3, 4) == ([True] * 5, None)
    assert tapped(is_on, None, 1) == ([False, False, False, False, True], None)


def test_the_best_unit_of_another_kind_is_taken_with_one_button():
    app = visits.visit(PAGE, part="Find", kind="how far into the sentence")
    app.button(key="units_take_best").click().run()
    best = UnitResults.load().of_kind("how far into the sentence", CELL).units[0].unit
    assert app.selectbox(key="unit").value == best
    app.segmented_control(key="part").set_value("One unit").run()
    assert app.selectbox(key="unit").value == best


@pytest.mark.parametrize("over", ["Unseen chapter", "Its own writing", "Your text"])
def test_a_chapter_has_bins_with_bounds_and_its_quotations(over):
    app = visits.visit(PAGE, part="Chapter", over=over)
    rows = visits.drawn_rows(app, "writer_chapter")
    values = rows[rows["kind"] == "value"]
    assert len(values) == 240
    assert (values["least"] <= values["activation"] + 1e-6).all()
    assert (values["activation"] <= values["largest"] + 1e-6).all()
    assert (rows["kind"] == "span").any()


def test_a_clamped_unit_changes_the_prediction_and_the_text_from_the_same_draws():
    app = visits.visit(PAGE, part="Clamp")
    free, held = (strip["tokens"] for strip in strips(app))
    assert len(free) == len(held) == 241
    assert free[0] == held[0] == "u"
    assert free != held
    rows = visits.drawn_rows(app, "writer_next")
    assert (rows["probability"] - rows["before"]).abs().max() > 1e-3


def test_many_texts_say_which_quotation_mark_comes_next():
    app = visits.visit(PAGE, part="Clamp")
    assert "writer_marks" not in visits.charts(app)
    app = visits.press(app, "writer_many")
    free, held = visits.alt(app, "writer_marks").split(";")
    free_closes, _, free_opens = visits.numbers(free.split(":")[1])
    held_closes, _, held_opens = visits.numbers(held.split(":")[1])
    assert free_closes > 5 * max(1, free_opens)
    assert held_opens > held_closes
    app.segmented_control(key="clamp").set_value("On").run()
    assert "writer_marks" not in visits.charts(app)


@pytest.mark.parametrize("measure", ["Occlusion", "Gradient", "Gradient × input"])
def test_two_models_show_what_their_predictions_hang_on(measure):
    app = visits.visit(PAGE, part="Connectivity", measure=measure)
    lstm, transformer = strips(app)
    assert "".join(lstm["tokens"])[-60:] == "".join(transformer["tokens"])[-60:]
    for strip in (lstm, transformer):
        assert strengths(strip).max() == 85
    if measure == "Gradient":
        assert not any("against" in tint[0] for tint in visits.tints_of(lstm))


@pytest.mark.parametrize("typed", ["", "   ", "日本語"])
def test_a_text_that_cannot_be_read_is_named_and_the_controls_stay(typed):
    app = visits.visit(PAGE, text=OWN)
    app.text_area(key="own_text").set_value(typed).run()
    assert not app.exception
    assert len(app.error) == 1
    assert app.selectbox(key="unit").options
    assert strips(app)[0]["tokens"] == strips(visits.visit(PAGE, text=OWN))[0]["tokens"]


@pytest.mark.parametrize("part", ["One unit", "Find", "Chapter", "Clamp", "Connectivity"])
def test_any_text_goes_through_every_part(part):
    app = visits.visit(PAGE, part=part, text=OWN)
    for typed in ("Go.", "**bold** <b>x</b> ![a](https://b) " * 3, "a\n\n\n" * 9):
        app.text_area(key="own_text").set_value(typed).run()
        assert not app.exception
        assert not app.error
        assert not any("https://b" in element.value for element in app.markdown)


def test_the_longest_text_is_read_whole_and_a_longer_one_refused():
    app = visits.visit(PAGE, text=OWN)
    long = ('He said "no" to the countess. ' * 100)[:MOST_CHARACTERS].strip()
    app.text_area(key="own_text").set_value(long).run()
    assert not app.exception
    assert len(strips(app)[0]["tokens"]) == len(long)
    rows = visits.drawn_rows(app, "writer_line")
    assert (rows["kind"] == "value").sum() == len(long), "another text is read to its end"


def test_the_hidden_state_is_another_number_of_the_same_unit():
    cell, hidden = (
        visits.drawn_rows(visits.visit(PAGE, text="Two questions", state=part), "writer_line")
        for part in ("cell state c", "hidden state h")
    )
    assert hidden["activation"].abs().max() <= 1
    assert cell["activation"].abs().max() > 1
