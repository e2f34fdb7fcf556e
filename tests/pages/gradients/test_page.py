"""The page on gradients: what waits for a guess, what its controls move, and formulas that mean nothing."""

import pytest

from lm_core.analysis.signal_propagation import expected_variances
from lm_core.experiments.gradients.study import GradientResults
from lm_core.models import deep_network
from lm_core.models.activations import ACTIVATIONS
from tests.pages.visits import alt, data, drawn_rows, guess, numbers, sent_to, shows, visit

PAGE = "pages/gradients/page.py"
SIZE = "examples in a batch, B"
JACOBIAN, CLIPPING, NORMALISATION, AUTODIFF = "Jacobian", "Clipping", "Batch norm", "Autodiff"


def lines(app, key):
    rows = drawn_rows(app, key)
    return rows[rows["kind"] == "line"]


def plane(app):
    found = sent_to(app)
    (drawn,) = [part for part in found if "panels" in part]
    return drawn["panels"][0] | {"dragged": drawn["dragged"]}


# Depth ----------------------------------------------------------------------------------------


def test_the_naive_gradient_waits_for_the_guess_and_stays_beside_it():
    app = visit(PAGE)
    assert [error.value for error in app.error] == []
    shown = lines(app, "variance_gradients").groupby("name")["x"].min()
    assert shown["naive"] > 20
    assert shown["Xavier"] == shown["He"] == shown["orthogonal"] == 0
    seen = data(app, "variance_gradients").set_index("layer (0: the input)")["naive"].dropna()
    assert seen.index.min() == shown["naive"]
    app = guess(app, "depth", 1)
    found = data(app, "variance_gradients").set_index("layer (0: the input)")
    assert found["naive"][0] < 1e-15 < found["Xavier"][0]
    assert found["naive"][0] == pytest.approx(found["naive, theory"][0], rel=3)
    rows = drawn_rows(app, "variance_gradients")
    assert rows[rows["kind"] == "guess"]["y"].tolist() == [1e-6]
    app.selectbox(key="block").set_value("layer-norm").run()
    assert shows(app, "whatever")


def test_a_step_draws_as_far_as_the_pass_has_come():
    app = visit(PAGE, **{"pass": "12"}, depth="10", activation="ReLU", deviation="0.5")
    assert lines(app, "variance_activations")["x"].max() == 10
    assert lines(app, "variance_gradients")["x"].min() == 8
    found = data(app, "variance_activations").iloc[-1]
    assert found["naive"] > 1e3 > found["He"] > found["Xavier"]


@pytest.mark.parametrize("step", ["0", "1", "31"])
def test_wherever_the_pass_stands_the_page_opens(step):
    app = visit(PAGE, **{"pass": step})
    assert [error.value for error in app.error] == []
    assert alt(app, "variance_gradients")


def test_another_activation_asks_another_question():
    app = visit(PAGE, activation="ReLU")
    shown = lines(app, "variance_gradients").groupby("name")["x"].min()
    assert shown["Xavier"] > 20
    assert shown["naive"] == 0
    app = guess(app, "relu", 2)
    assert numbers(alt(app, "variance_gradients"))[2] < 1e-8


@pytest.mark.parametrize("block", ["Residual", "Batch norm"])
def test_every_kind_of_layer_is_drawn_at_the_ends_of_the_controls(block):
    app = visit(PAGE, block=block, activation="Sine", depth="50", deviation="1", seed="999")
    assert not app.error
    assert lines(app, "variance_gradients")["y"].notna().all()


@pytest.mark.parametrize(
    ("activation", "way"), [("tanh", 1), ("relu", 1), ("linear", 0), ("sigmoid", -1)]
)
def test_batch_norms_gradient_grows_stays_or_shrinks_as_the_note_says(activation, way):
    functions = {"linear": deep_network.LINEAR, **ACTIVATIONS}
    found = expected_variances(1.0, 30, functions[activation], deep_network.BATCH_NORM).gradients[0]
    assert (found > 1.5) - (found < 0.7) == way


# Jacobian -------------------------------------------------------------------------------------


def test_what_is_left_waits_for_the_guess_and_the_radius_decides():
    app = visit(PAGE, part=JACOBIAN)
    assert lines(app, "gradient_norms")["x"].max() == 3
    app = guess(app, "jacobian", 2)
    assert lines(app, "gradient_norms")["x"].max() == 40
    assert len(plane(app)["marks"]) == 32
    left = data(app, "gradient_norms")["a gradient"].iloc[-1]
    app.select_slider(key="radius").set_value(1.1).run()
    assert data(app, "gradient_norms")["a gradient"].iloc[-1] > 1 > left


def test_a_triangular_matrix_says_that_gradients_grow_first():
    app = visit(PAGE, part=JACOBIAN, matrix="Triangular", recurrent_activation="Linear")
    assert shows(app, "on the way", "grow")
    app = visit(PAGE, part=JACOBIAN, recurrent_activation="Tanh", steps_back="7", radius="1.5")
    assert numbers(alt(app, "gradient_norms"))[1] == 7


# Clipping -------------------------------------------------------------------------------------


def test_the_unclipped_descent_waits_for_the_guess():
    app = visit(PAGE, part=CLIPPING)
    assert set(lines(app, "gradient_norm")["name"]) == {"clipped"}
    assert len(plane(app)["lines"]) == 1
    app = guess(app, "clipping", 2)
    assert set(lines(app, "gradient_norm")["name"]) == {"clipped", "not clipped"}
    assert len(plane(app)["lines"]) == 2
    assert plane(app)["dragged"]["place"] == [5.5, -2.0]


def test_where_nothing_is_clipped_it_says_so_and_a_start_outside_is_refused():
    app = visit(PAGE, part=CLIPPING, start_w="4", start_b="-1", clip_rate="0.1", clip="2")
    assert shows(app, "nothing is clipped")
    app = visit(PAGE, part=CLIPPING, start_w="99")
    assert plane(app)["dragged"]["place"][0] == 5.5


# Batch norm -----------------------------------------------------------------------------------


def test_batch_norms_errors_wait_for_the_guess():
    app = visit(PAGE, part=NORMALISATION)
    shown = lines(app, "normalisation_errors").groupby("name")["x"].min()
    assert shown["batch norm"] == 64
    assert shown["none"] == 2
    seen = data(app, "normalisation_errors").set_index(SIZE)["batch norm"].dropna()
    assert seen.index.tolist() == [64]
    app = guess(app, "normalisation", 2)
    runs = GradientResults.load().of("batch norm", 4)
    found = data(app, "normalisation_errors").set_index(SIZE)["batch norm"]
    assert found[4] == pytest.approx(sum(run.evaluated for run in runs) / len(runs))
    before = data(app, "running_mean")["mean"].std()
    app.select_slider(key="examples").set_value(64).run()
    assert data(app, "running_mean")["mean"].std() < before


# Autodiff -------------------------------------------------------------------------------------


def boxes(app):
    rows = drawn_rows(app, "computation")
    return dict(
        zip(
            rows[rows["kind"] == "name"]["text"],
            rows[rows["kind"] == "derivative"]["text"],
            strict=True,
        )
    )


def test_the_adjoint_of_x_waits_for_the_guess():
    app = visit(PAGE, part=AUTODIFF)
    assert boxes(app)["x"] == "adjoint ?"
    assert boxes(app)["y"] == "adjoint 1.716"
    app = guess(app, "autodiff", 1)
    assert boxes(app)["x"] == "adjoint 5.5"
    assert shows(app, "∂f/∂x", 5.5, 1.716)
    assert shows(app, "forward", 2, 8, 16, "reverse", 1, 8, 8)


def test_a_formula_that_cannot_be_computed_is_answered_and_the_last_picture_stays():
    app = visit(PAGE, part=AUTODIFF, formula="x*y", sweep_step="1")
    assert boxes(app) == {"x": "adjoint 5", "y": "adjoint 2", "v1 = x · y": "adjoint 1"}
    for typed, said in (
        ("1/(x-2)", "division by zero"),
        ("log(-x)", "log needs a number above 0"),
        ("foo(x)", "is unknown"),
        ("x" * 5_000, "is unknown"),  # the field takes the first 200
    ):
        app.session_state["formula"] = typed
        app.run()
        assert not app.exception
        assert said in app.error[0].value
        assert list(boxes(app)) == ["x", "y", "v1 = x · y"]
    app.text_input(key="formula").set_value("sin(x)").run()
    assert not app.error
    assert list(boxes(app)) == ["x", "v1 = sin x"]
    app.number_input(key="value_x").set_value(0.0).run()
    app.text_input(key="formula").set_value("1/x").run()
    assert "division by zero" in app.error[0].value
    assert list(boxes(app)) == ["x", "v1 = sin x"]


def test_a_forward_sweep_carries_the_tangent_of_one_input():
    app = visit(PAGE, part=AUTODIFF, formula="x*y; x/y", sweep="Forward (JVP)", input="y")
    found = boxes(app)
    assert (found["x"], found["y"]) == ("tangent 0", "tangent 1")
    assert found["v1 = x · y"] == "tangent 2"
    assert found["v2 = x / y"] == "tangent −0.08"
    assert shows(app, "∂f₂/∂y")
