"""The page on reservoir computing: numbers on screen, what waits for a guess, and input that makes no sense."""

import numpy as np
import pytest

from lm_core.experiments.reservoir_computing import series
from lm_core.experiments.reservoir_computing.memory import memory_capacity, memory_task
from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.study import HORIZON, LETTERS, RADII, TASKS
from lm_core.models.reservoir import ORTHOGONAL, SPARSE
from pages.reservoir_computing.reservoirs import LEARNED, RESERVOIR
from pages.reservoir_computing.series_errors import first_of
from tests.pages.visits import alt, drawn_rows, guess, shows, text, visit

PAGE = "pages/reservoir_computing/page.py"
MEMORY, LETTERS_PART, ECHO, RADIUS = "Memory", "Letters", "Echo state", "Which λ?"


def names(app, key):
    return {row["name"] for row in drawn_rows(app, key).to_dict("records") if row["kind"] == "line"}


def line(app, key, name):
    rows = drawn_rows(app, key)
    found = rows[(rows["kind"] == "line") & (rows["name"] == name)]
    return found["y"].to_numpy()


def finding(app):
    return next(m.value for m in app.get_by_key("picture").markdown)


# Series ---------------------------------------------------------------------------------------


def test_the_reservoirs_forecast_waits_for_the_guess_and_the_guess_is_drawn():
    app = visit(PAGE)
    assert RESERVOIR not in names(app, "continuation") | names(app, "errors_by_horizon")
    assert LEARNED in names(app, "errors_by_horizon")
    assert finding(app).endswith("never learn?**")
    app = guess(app, "series", 0)
    chosen = first_of(series.MACKEY_GLASS)
    found = series.study_series(
        chosen.reservoir(), series.series_task(series.MACKEY_GLASS), chosen.penalty
    )
    assert line(app, "continuation", RESERVOIR) == pytest.approx(found.values[0], abs=1e-3)
    assert f"{found.errors[HORIZON - 1]:.2g}" in finding(app)
    assert "guess" in set(drawn_rows(app, "errors_by_horizon")["kind"])
    assert "Right" in text(app) or "Not quite" in text(app)


def test_each_series_has_its_own_settings_and_a_moved_radius_counts():
    app = visit(PAGE, series=series.FIVE_SINES, five_radius="0.1")
    assert not app.radio
    assert series.FIVE_SINES in finding(app)
    bad = line(app, "errors_by_horizon", RESERVOIR)[HORIZON - 1]
    app.slider(key="five_radius").set_value(1.0).run()
    assert line(app, "errors_by_horizon", RESERVOIR)[HORIZON - 1] < bad
    assert not app.exception


def test_no_recurrence_and_no_input_are_answered():
    app = visit(PAGE, chaos_radius="0", chaos_input_scale="0")
    assert not app.exception
    assert np.isfinite(line(app, "errors_by_horizon", RESERVOIR)).all()


# Memory ---------------------------------------------------------------------------------------


def test_the_memory_capacity_waits_for_the_guess_and_is_that_of_the_core():
    app = visit(PAGE, part=MEMORY)
    assert names(app, "recall_by_delay") == {LEARNED}
    assert RESERVOIR not in alt(app, "recall_by_delay")
    app = guess(app, "memory", 1)
    assert "Right" in text(app)
    assert RESERVOIR in names(app, "recall_by_delay")
    rows = drawn_rows(app, "recall_by_delay")
    assert rows[rows["kind"] == "guess"]["x"].tolist() == [35.0]


def test_an_orthogonal_matrix_and_the_linear_theory_are_shown():
    app = visit(PAGE, part=MEMORY, memory_kind=ORTHOGONAL, memory_radius="0.95")
    assert not app.radio
    from pages.reservoir_computing.memory import _FIRST  # what the controls begin with

    settings = _FIRST.settings
    chosen = _FIRST._replace(
        kind=ORTHOGONAL, settings=type(settings)(0.95, settings.leak, settings.input_scale)
    )
    total = memory_capacity(chosen.reservoir(), memory_task(), chosen.penalty).sum()
    assert f"{total:.1f}" in finding(app)
    app.selectbox(key="memory_activation").set_value("linear").run()
    assert "Linear theory allows" in text(app)
    assert "linear theory" in set(drawn_rows(app, "recall_by_delay")["name"])
    app.slider(key="memory_radius").set_value(1.5).run()
    assert not app.exception
    assert any("grows without bound" in e.value for e in app.error)


# Letters --------------------------------------------------------------------------------------


def test_the_loss_on_letters_waits_for_the_guess():
    app = visit(PAGE, part=LETTERS_PART)
    assert names(app, "letters_by_radius") == {LEARNED}
    app = guess(app, "letters", 1)
    results = ReservoirResults.load()
    assert line(app, "letters_by_radius", RESERVOIR).tolist() == [r.loss for r in results.letters]
    assert shows(app, f"{results.rnn_loss:.2f}")
    assert "Right" in text(app)


def test_your_text_is_scored_and_what_cannot_be_read_is_said():
    app = visit(PAGE, part=LETTERS_PART, letters_radius="0.9", letters_text="Prince <b>Andrew</b>")
    assert not app.exception
    assert not app.error
    app.text_input(key="letters_text").set_value("???").run()
    assert not app.exception
    app.text_input(key="letters_text").set_value("ж").run()
    assert "type some English words" in app.error[0].value
    assert not app.exception


# Echo state -----------------------------------------------------------------------------------


def test_the_distance_waits_for_the_guess():
    app = visit(PAGE, part=ECHO)
    assert len(line(app, "echo_distances", "distance")) == 11
    app = guess(app, "echo", 0)
    assert len(line(app, "echo_distances", "distance")) == 201
    assert "Right" in text(app)
    assert "are the same after" in finding(app)


def test_without_input_a_large_radius_never_forgets_and_the_leak_moves_eigenvalues():
    app = visit(PAGE, part=ECHO, echo_input_scale="0")
    assert "still" in finding(app)
    app.slider(key="echo_leak").set_value(0.5).run()
    assert "with leaking rate 0.5" in finding(app)
    assert not app.exception


# Which radius ---------------------------------------------------------------------------------


def test_three_tasks_wait_for_the_guess_and_the_ring_is_live():
    app = visit(PAGE, part=RADIUS)
    assert names(app, "radius_0") == {SPARSE, ORTHOGONAL}
    assert all(not names(app, f"radius_{i}") for i in (1, 2, 3))
    app = guess(app, "radius", TASKS.index(LETTERS))
    assert names(app, "radius_3") == {SPARSE, ORTHOGONAL}
    assert "Right" in text(app)
    rows = drawn_rows(app, "radius_0")
    assert rows[rows["kind"] == "ring"]["x"].tolist() == [0.9]
    medians = line(app, "radius_0", SPARSE)
    assert f"memory {RADII[int(medians.argmax())]:g}" in finding(app)


def test_strong_inputs_have_another_best_radius():
    app = visit(PAGE, part=RADIUS, strength="Strong: × 1", live_task=series.MACKEY_GLASS)
    assert not app.radio
    assert "memory 1.2" in finding(app)
    assert "ring" in set(drawn_rows(app, "radius_1")["kind"])
