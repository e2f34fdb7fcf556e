"""The page on optimisers: ways from a start, what waits for a guess, and settings that make no sense."""

import math

import pytest
from streamlit.elements.lib import policies

from lm_core.experiments.optimisers.descent import RUNNERS
from lm_core.experiments.optimisers.landscapes import NAMES
from lm_core.experiments.optimisers.study import RULES, OptimiserResults
from tests.pages.visits import alt, data, drawn_rows, guess, numbers, sent_to, shows, visit

PAGE = "pages/optimisers/page.py"
RATE, SEARCH, BATCHES, NETWORK = "Learning rate", "Line search", "Minibatches", "A real network"
FIRST = ["GD", "momentum", "Adam", "Newton"]


def plane(app):
    found = sent_to(app)
    (drawn,) = [part for part in found if "panels" in part]
    return drawn["panels"][0] | {"dragged": drawn["dragged"]}


def drawn_methods(app):
    return [c for c in data(app, "race_losses").columns if c != "steps"]


# Race -----------------------------------------------------------------------------------------


def test_newton_waits_for_the_guess_and_needs_one_step():
    app = visit(PAGE)
    assert drawn_methods(app) == FIRST[:3]
    app = guess(app, "race", 0)
    assert drawn_methods(app) == FIRST
    assert len(plane(app)["marks"]) == len(FIRST)
    losses = data(app, "race_losses")
    assert losses["Newton"].iloc[1] == pytest.approx(0, abs=1e-12)
    for name in FIRST[:3]:
        assert losses[name].iloc[1] > 0.1


def test_what_is_lowest_but_for_rounding_is_named_together():
    """On the first quadratic several are at 0 in the end: none of them is lower than another."""
    app = guess(visit(PAGE), "race", 0)
    losses = data(app, "race_losses").iloc[30]
    at_zero = [name for name in FIRST if losses[name] < 1e-12]
    assert shows(app, f"Lowest after 30 steps: {' and '.join(at_zero)}, at 0;")


def test_ways_are_drawn_as_far_as_the_step():
    lengths = [len(plane(visit(PAGE, step=str(step)))["lines"][0]["points"]) for step in (5, 40)]
    assert lengths == [6, 41]


@pytest.mark.parametrize("name", NAMES)
def test_every_loss_is_drawn_with_all_methods_two_at_a_time(name):
    app = visit(PAGE, landscape=name, rate_factor="5")
    assert plane(app)["title"].startswith(name)
    assert plane(app)["dragged"]["panel"] == 0
    for way in data(app, "race_losses").columns[1:]:
        assert data(app, "race_losses")[way].iloc[0] > 0


@pytest.mark.parametrize("method", RUNNERS)
def test_every_method_gets_down_the_banana(method):
    app = visit(PAGE, landscape="Banana")
    app.multiselect(key="methods").set_value([method]).run()
    assert not app.exception
    losses = data(app, "race_losses")[method]
    assert losses.iloc[-1] < losses.iloc[0]


def test_the_start_is_where_the_link_says_and_never_outside():
    app = visit(PAGE, start_1="1.25", start_2="-0.5")
    assert plane(app)["dragged"]["place"] == [1.25, -0.5]
    app = visit(PAGE, start_1="1e9")
    assert abs(plane(app)["dragged"]["place"][0]) <= 2


def test_a_start_survives_a_smaller_picture(monkeypatch, caplog):
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)  # it is logged once
    app = visit(PAGE, start_1="1.9")
    app.selectbox(key="landscape").set_value("Network").run()
    assert not app.exception
    assert abs(plane(app)["dragged"]["place"][0]) <= 1.5
    assert "default value" not in caplog.text, "a start that is moved is no slip to be logged"


def test_no_optimiser_at_all_is_answered():
    app = visit(PAGE)
    app.multiselect(key="methods").set_value([]).run()
    assert not app.exception
    assert app.info


def test_a_start_at_the_lowest_point_is_answered():
    app = visit(PAGE, start_1="0", start_2="0")
    assert not app.exception


# Learning rate --------------------------------------------------------------------------------


def test_the_edge_waits_for_the_guess():
    app = visit(PAGE, part=RATE)
    rows = drawn_rows(app, "rate_losses")
    assert "reference" not in set(rows["kind"])
    assert (rows["kind"] == "line").sum() == 1
    app = guess(app, "edge", 2)
    rows = drawn_rows(app, "rate_losses")
    assert rows[rows["kind"] == "reference"]["x"].unique() == pytest.approx([0.04])
    assert shows(app, 0.04)


@pytest.mark.parametrize(("rate", "grows"), [("0.039", False), ("0.041", True)])
def test_below_the_edge_the_loss_falls_and_above_it_rises(rate, grows):
    app = visit(PAGE, part=RATE, rate=rate, reveal="edge")
    losses = data(app, "rate_losses").set_index("learning rate η").iloc[:, 0]
    assert bool(losses[float(rate)] > losses[0.001]) is grows


# Line search ----------------------------------------------------------------------------------


def test_measured_shares_meet_the_bound_after_the_guess():
    app = visit(PAGE, part=SEARCH)
    assert "reference" not in set(drawn_rows(app, "search_bound")["kind"])
    app = guess(app, "line_search", 2)
    rows = drawn_rows(app, "search_bound")
    worst = rows[rows["kind"] == "line"].set_index("x")["y"]
    bound = rows[rows["kind"] == "reference"].set_index("x")["y"]
    assert worst.tolist() == pytest.approx(bound[worst.index].tolist(), abs=1e-3)
    assert worst[50.0] == pytest.approx((49 / 51) ** 2, abs=1e-3)


def test_another_start_is_faster_and_can_be_dragged():
    app = visit(
        PAGE, part=SEARCH, worst_start="false", reveal="line_search", start_1="1", start_2="1"
    )
    measured, bound = numbers(alt(app, "search_bound"))[1:3]
    assert measured < bound
    assert plane(app)["dragged"] is not None
    assert plane(visit(PAGE, part=SEARCH))["dragged"] is None


def test_a_round_bowl_needs_one_step():
    app = visit(PAGE, part=SEARCH, condition="1", worst_start="false", reveal="line_search")
    assert numbers(alt(app, "search_bound"))[1] == pytest.approx(0, abs=1e-6)


# Minibatches ----------------------------------------------------------------------------------


def test_one_example_a_step_waits_for_the_guess():
    app = visit(PAGE, part=BATCHES)
    rows = drawn_rows(app, "batch_losses")
    ends = rows[rows["kind"] == "line"].groupby("name")["x"].max()
    assert ends["B = 1"] < ends["B = 64"] == 100
    app = guess(app, "minibatches", 1)
    rows = drawn_rows(app, "batch_losses")
    assert rows[rows["name"] == "B = 1"]["x"].max() == 100


def test_the_larger_the_batch_the_lower_the_end():
    found = data(visit(PAGE, part=BATCHES, reveal="minibatches"), "batch_losses").iloc[-20:].mean()
    assert found["B = 1"] > found["B = 64"]


# A real network -------------------------------------------------------------------------------


def test_adam_waits_for_the_guess():
    app = visit(PAGE, part=NETWORK)
    assert set(data(app, "network_losses").columns[1:]) == set(RULES) - {"Adam"}
    app = guess(app, "real_network", 2)
    assert set(data(app, "network_losses").columns[1:]) == set(RULES)
    (adam,) = [curve for curve in OptimiserResults.load().curves if curve.name == "Adam"]
    assert shows(app, pytest.approx(adam.losses[-1], abs=5e-4))


def test_seconds_are_another_axis():
    app = visit(PAGE, part=NETWORK, against="Seconds", reveal="real_network")
    table = data(app, "network_losses")
    last = table.groupby("line")["processor seconds"].max()
    for curve in OptimiserResults.load().curves:
        assert last[curve.name] == curve.seconds[-1]
    assert math.isfinite(last.max())
