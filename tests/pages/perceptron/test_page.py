"""The page on the perceptron: what each part draws, what waits for a guess, what is painted, what is refused."""

from itertools import product

import numpy as np
import pytest

from lm_core.experiments.perceptron.study import PerceptronResults
from lm_core.experiments.perceptron.tasks import MOST_POINTS, TASKS, XOR
from lm_core.experiments.perceptron.training import N_FRAMES
from lm_core.models.activations import ACTIVATIONS
from pages.shared.components.plane_panels import checked_place, checked_points
from tests.pages.visits import alt, data, drawn_rows, guess, sent_to, shows, text, visit

PAGE = "pages/perceptron/page.py"
HAND, TRAINED, STARTS, ACTIVATION = "By hand", "Trained", "Starts", "Activations"
OWN = "Your own"


def panels(app):
    """Return what each plane of the page is drawn from, by its title."""
    found = sent_to(app)
    (drawn,) = [part for part in found if "panels" in part]
    return drawn


def planes(app):
    """Return them with their marks, which several may share."""
    drawn = panels(app)["panels"]
    for plane in drawn:
        if isinstance(plane["marks"], int):
            plane["marks"] = drawn[plane["marks"]]["marks"]
    return {plane["title"]: plane for plane in drawn}


# One line -------------------------------------------------------------------------------------


def test_and_and_or_are_divided_and_xor_waits_for_the_guess():
    app = visit(PAGE)
    drawn = planes(app)
    for name in ("AND", "OR"):
        assert len(drawn[name]["lines"]) == 1
        assert "4 of 4" in drawn[name]["note"]
        assert not any(mark.get("is_wrong") for mark in drawn[name]["marks"])
    assert drawn[XOR]["is_asked"]
    assert not drawn[XOR]["lines"]
    assert drawn[XOR]["image"] is None
    app = guess(app, "perceptron_xor", 2)
    drawn = planes(app)
    assert not drawn[XOR]["is_asked"]
    assert any(mark.get("is_wrong") for mark in drawn[XOR]["marks"])
    assert shows(app, 3, 4)


def test_a_step_back_moves_the_line_and_rings_another_point():
    last, earlier = (planes(visit(PAGE, **asked))["AND"] for asked in ({}, {"points_shown": "6"}))
    assert last["lines"] != earlier["lines"]
    ringed = [
        [m.get("is_ringed", False) for m in plane["marks"]].index(True) for plane in (last, earlier)
    ]
    assert ringed == [3, 1]


def test_before_the_first_point_there_is_no_line():
    drawn = planes(visit(PAGE, points_shown="0"))
    assert drawn["AND"]["lines"] == drawn["OR"]["lines"] == []


def own(app):
    return planes(app)["Your points"]


def test_own_points_have_the_rules_line_and_the_best_one():
    app = visit(PAGE, points=OWN)
    assert [line["dash"] for line in own(app)["lines"]] == [True, False]
    assert panels(app)["painted"] == 0
    assert len(panels(app)["points"]) == 8
    rows = drawn_rows(app, "own_right")
    assert rows[rows["kind"] == "reference"]["y"].max() == 7
    right = rows[rows["kind"] == "line"]["y"]
    assert right.max() <= 7
    crosses = own(app)["marks"]
    assert len(crosses) == 8 - right.iloc[-1]
    assert all(mark["is_wrong"] for mark in crosses)


def typed(app, text):
    app = app.text_area(key="own_points").set_value(text).run()
    assert not app.exception
    return app


def test_points_that_a_line_divides_are_learned():
    app = typed(visit(PAGE, points=OWN), "0 0 0\n1 0 0\n0 1 1\n1 1 1")
    rows = drawn_rows(app, "own_right")
    assert rows[rows["kind"] == "line"]["y"].iloc[-1] == 4
    assert not app.error


def test_nothing_painted_leaves_an_empty_plane_to_paint_on():
    app = typed(visit(PAGE, points=OWN), "")
    assert app.info
    assert panels(app)["painted"] == 0
    assert panels(app)["points"] == []
    assert own(app)["lines"] == []


def test_one_class_alone_is_answered_in_words():
    app = typed(visit(PAGE, points=OWN), "0 0 1\n1 1 1")
    assert shows(app, "class", 0)
    assert not app.error


@pytest.mark.parametrize(
    "text", ["x", "1 2", "1e300 0 1", "0 0 1\n" * (MOST_POINTS + 1), "0 0 1\n" * 9_999]
)
@pytest.mark.parametrize("asked", [{"points": OWN}, {"part": TRAINED, "task": OWN}])
def test_points_that_cannot_be_read_leave_the_last_ones(asked, text):
    app = visit(PAGE, **asked)
    before = panels(app)["points"]
    app = typed(app, text)
    assert app.error
    assert panels(app)["points"] == before


def test_what_a_browser_sends_is_kept_within_the_plane():
    bounds = (-0.5, 1.5, -0.5, 1.5)
    assert checked_points([[9, 0.2, 1], [0, 0, 0]], bounds, 5) == [(1.5, 0.2, 1), (0, 0, 0)]
    assert len(checked_points([[0, 0, 0]] * 99, bounds, MOST_POINTS)) == MOST_POINTS
    assert checked_place([-9, 9], bounds) == (-0.5, 1.5)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ([[0, 0, 2]], "class"),
        ([[0, 0]], "unpack"),
        ([["a", 0, 1]], "float"),
        ([[float("nan"), 0, 1]], "place"),
    ],
)
def test_what_no_browser_of_ours_sends_is_refused(sent, said):
    with pytest.raises(ValueError, match=said):
        checked_points(sent, (-0.5, 1.5, -0.5, 1.5), 5)


# By hand --------------------------------------------------------------------------------------


def test_the_units_functions_wait_for_the_guess():
    app = visit(PAGE, part=HAND)
    rows = drawn_rows(app, "hand_network")
    assert list(rows[rows["kind"] == "name"]["text"]) == ["x1", "x2", "h1", "h2", "y"]
    app = guess(app, "by_hand", 2)
    rows = drawn_rows(app, "hand_network")
    names = list(rows[rows["kind"] == "name"]["text"])[2:]
    assert [name.split(": ")[1] for name in names] == ["AND", "OR", "XOR"]
    assert shows(app, "AND", "OR", "XOR")


@pytest.mark.parametrize(
    ("step", "values", "total"),
    [
        (9, ["1", "1", "1", "?", "?"], 0.5),
        (10, ["1", "1", "1", "1", "?"], 1.5),
        (11, ["1", "1", "1", "1", "0"], -0.5),
    ],
)
def test_each_unit_is_computed_in_turn(step, values, total):
    app = visit(PAGE, part=HAND, unit=str(step))
    rows = drawn_rows(app, "hand_network")
    assert list(rows[rows["kind"] == "node"]["text"]) == values
    assert shows(app, total)


def test_hidden_units_put_two_inputs_in_one_place():
    marks = planes(visit(PAGE, part=HAND))["Hidden units"]["marks"]
    assert sorted(tuple(mark["place"]) for mark in marks) == [(0, 0), (0, 1), (0, 1), (1, 1)]


def test_another_bias_makes_another_function():
    app = visit(PAGE, part=HAND, reveal="by_hand", h1_bias="-0.5")
    rows = drawn_rows(app, "hand_network")
    assert "h1: OR" in set(rows["text"])
    assert sum(mark.get("is_wrong", False) for mark in planes(app)["Inputs"]["marks"]) == 2


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({}, "put (0, 1) and (1, 0) in the same place, so in their plane one line is enough"),
        (
            {"h1_weight_2": "0", "h1_bias": "-0.5", "h2_weight_1": "0", "h2_bias": "-0.5"},
            "all four",
        ),
        ({"h1_bias": "9", "h2_bias": "9"}, "which differ, in the same place"),
        (
            {"h1_weight_2": "-1", "h1_bias": "-0.5", "h2_weight_1": "-1", "h2_bias": "-0.5"},
            "put (0, 0) and (1, 1) in the same place",
        ),
    ],
)
def test_the_note_says_where_these_hidden_units_put_the_inputs(weights, said):
    assert said in text(visit(PAGE, part=HAND, **weights))


def test_where_no_inputs_that_differ_share_a_place_a_line_divides_xor_unless_all_are_apart():
    units = [
        tuple(sums >= 0)
        for weights in product((-2, -1, 0, 1, 2), repeat=3)
        for sums in [np.array([[x, y, 1] for x in (0, 1) for y in (0, 1)]) @ weights]
    ]
    tables = set(units)
    assert len(tables) == 14, "all that one unit can compute"
    for first, second in product(tables, repeat=2):
        places = list(zip(first, second, strict=True))
        divided = any(
            [table[2 * a + b] for a, b in places] == [False, True, True, False] for table in tables
        )
        alike = len({*zip(places, (0, 1, 1, 0), strict=True)}) == len({*places})
        assert divided == (alike and len({*places}) < 4)


# Trained --------------------------------------------------------------------------------------


def test_which_unit_computes_it_is_asked_of_the_weights_for_which_the_answer_is_true():
    assert visit(PAGE, part=HAND).radio
    assert not visit(PAGE, part=HAND, y_bias="0.5").radio


def test_the_trained_lines_wait_beside_those_made_by_hand():
    app = visit(PAGE, part=TRAINED)
    assert len(planes(app)["By hand"]["lines"]) == 2
    assert planes(app)["Trained"]["is_asked"]
    assert (drawn_rows(app, "trained_loss")["kind"] == "line").sum() == 1
    app = guess(app, "trained_lines", 1)
    assert len(planes(app)["Trained"]["lines"]) == 2
    assert "4 of 4" in planes(app)["Trained"]["note"]
    losses = data(app, "trained_loss")["loss"]
    assert len(losses) == N_FRAMES
    assert losses.iloc[-1] < 0.05


@pytest.mark.parametrize(("task", "units"), [("Ring", 4), ("Spirals", 8)])
def test_other_points_have_a_line_for_each_unit_and_no_network_by_hand(task, units):
    app = visit(PAGE, part=TRAINED, task=task, units=str(units))
    assert set(planes(app)) == {"Trained"}
    assert len(planes(app)["Trained"]["marks"]) == len(TASKS[task].targets)
    assert not app.radio
    assert data(app, "trained_loss")["loss"].iloc[-1] < 0.5


def test_a_snapshot_of_the_beginning_is_another_picture():
    pictures = {
        planes(visit(PAGE, part=TRAINED, task="Ring", training_frame=str(i)))["Trained"]["image"]
        for i in (0, N_FRAMES - 1)
    }
    assert len(pictures) == 2


def test_own_points_are_trained_and_painted():
    app = visit(PAGE, part=TRAINED, task=OWN, units="4")
    assert panels(app)["painted"] == 0
    assert len(data(app, "trained_loss")) == N_FRAMES
    app = typed(app, "")
    assert app.info
    assert not panels(app)["panels"][0]["lines"]


def test_a_rate_that_is_far_too_high_is_said_in_words():
    app = visit(
        PAGE, part=TRAINED, task="Ring", activation="ReLU", learning_rate="5", units="8", layers="3"
    )
    assert not app.exception


# Starts ---------------------------------------------------------------------------------------


def test_small_networks_wait_for_the_guess_and_then_have_their_measured_shares():
    app = visit(PAGE, part=STARTS)
    rows = drawn_rows(app, "failure_matrix")
    assert rows[rows["column"] == "2"]["share"].isna().all()
    assert all(plane["is_asked"] for plane in panels(app)["panels"])
    app = guess(app, "starts", 1)
    assert not any(plane["is_asked"] for plane in panels(app)["panels"])
    rows = drawn_rows(app, "failure_matrix")
    results = PerceptronResults.load()
    for row in rows.itertuples():
        name = next(key for key, a in ACTIVATIONS.items() if a.title == row.row)
        assert row.share == results.of(name, int(row.column), 1).share
    assert rows[rows["guess"] != ""][["row", "column"]].values.tolist() == [["Tanh", "2"]]
    assert shows(app, results.of("tanh", 2, 1).failed)


def test_nine_starts_are_drawn_each_with_its_own_lines():
    drawn = panels(visit(PAGE, part=STARTS, units="3"))["panels"]
    assert len(drawn) == 9
    assert len({plane["image"] for plane in drawn}) == 9


def test_deeper_networks_have_other_shares():
    shares = [
        drawn_rows(visit(PAGE, part=STARTS, layers=str(n), units="4"), "failure_matrix")[
            "share"
        ].tolist()
        for n in (1, 2)
    ]
    assert shares[0] != shares[1]


# Activations ----------------------------------------------------------------------------------


def test_the_slope_waits_for_the_guess():
    app = visit(PAGE, part=ACTIVATION)
    assert set(drawn_rows(app, "activation_curves")["name"]) == {"f(a)"}
    app = guess(app, "slope", 2)
    rows = drawn_rows(app, "activation_curves")
    slope = rows[(rows["name"] == "f′(a)") & (rows["kind"] == "line")]
    assert slope["y"].max() == pytest.approx(0.25)
    assert (rows["kind"] == "guess").sum() == 1


@pytest.mark.parametrize("name", [name for name in ACTIVATIONS if name != "sigmoid"])
def test_every_function_is_drawn_with_its_slope_and_marked_among_the_nine(name):
    app = visit(PAGE, part=ACTIVATION, function=ACTIVATIONS[name].title)
    assert {"f(a)", "f′(a)"} <= set(drawn_rows(app, "activation_curves")["name"])
    assert len(panels(app)["panels"]) == len(ACTIVATIONS)
    assert sum(plane["title"].startswith("▸") for plane in panels(app)["panels"]) == 1
    assert ACTIVATIONS[name].title in alt(app, "activation_curves")
