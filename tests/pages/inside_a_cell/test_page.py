"""The page on what is inside a cell: what its controls change, what it says, what it refuses."""

import math
import re
from functools import partial

import pytest
import torch

from lm_core.analysis.unit_step import BlockTrace, UnitTrace
from lm_core.experiments.inside_a_cell.results import TrainedNetworks
from lm_core.experiments.inside_a_cell.study import SNAPSHOTS
from lm_core.experiments.inside_a_cell.training import VARIANTS, FirstSymbolConfig
from pages.inside_a_cell.equations import equations
from pages.inside_a_cell.gradients import share_text
from pages.inside_a_cell.networks import gradients_of, trace_of, unit_of
from pages.inside_a_cell.settings import Side
from pages.inside_a_cell.states import PART_NAMES
from pages.inside_a_cell.training_controls import Changes
from pages.shared.numbers import percent
from tests.pages.playing import put
from tests.pages.visits import alt, charts, data, guess, holds, numbers, shows, text, visit

PI = "31415926535897932384"


PAGE = "pages/inside_a_cell/page.py"
UNTRAINED = {"right": "LSTM", "updates": "0", "loss": "after the last digit"}


def arrive(**asked):
    """Open the page on untrained networks, whose training asks after the last digit only."""
    return visit(PAGE, **(UNTRAINED | asked))


def seen(**asked):
    return arrive(reveal="vanishing", **asked)


def formulas(app):
    return [latex.value for latex in app.get("latex")]


# What is there --------------------------------------------------------------------------------


def gradients(app):
    """The words for who cannot see the bars: how much of the gradient reaches step 1."""
    return alt(app, "inside_gradients")


def accuracies(app):
    """Return the accuracy written above each network's states, in per cent."""
    found = [m.value.split("**") for m in app.markdown if 500 in numbers(m.value)]
    return [(title, numbers(rest)[0]) for _, title, rest in found]


def factor_and_spectrum(app):
    """Return the left network's factor by step and the spectrum of its matrix, as they are written."""
    return next(numbers(m.value) for m in app.markdown if holds(m.value, "singular"))


def side(variant, updates=0, **training):
    return Side("", "", "", FirstSymbolConfig(variant, **training), updates)


def test_the_page_opens_on_a_network_that_remembers_beside_one_that_forgets():
    app = visit(PAGE)
    (_, forgets), (_, remembers) = accuracies(app)
    assert (forgets < 15, remembers > 99) == (True, True)
    assert shows(app, "after", SNAPSHOTS[-1], "of", SNAPSHOTS[-1], "updates", "last digit only")


@pytest.mark.parametrize(("right", "option"), [("LSTM, forget bias 4", 0), ("LSTM", 2), ("RNN", 2)])
def test_what_is_asked_of_the_gradient_is_asked_of_the_networks_that_are_drawn(right, option):
    app = guess(visit(PAGE, right=right), "vanishing", option)
    assert shows(app, "Right")


def test_the_gradients_wait_for_a_guess_and_the_states_do_not():
    app = arrive()
    shown = charts(app)
    assert "inside_gradients" not in shown
    assert [title for title, _ in accuracies(app)] == ["RNN", "LSTM"]
    guessed = app.radio(key="guess_vanishing").options[1]
    guess(app, "vanishing", 1)
    assert sorted(charts(app)) == sorted([*shown, "inside_gradients", "inside_unrolled"])
    assert holds(gradients(app), 20, 20, 1, 1, "RNN", 1, "LSTM")
    assert shows(app, guessed)


def test_the_unrolled_graph_grows_with_the_digits_and_carries_the_gradients_of_the_bars():
    for step in (20, 7):
        app = seen(step=str(step))
        bars, edges = data(app, "inside_gradients"), data(app, "inside_unrolled")
        order = ["network", "step"]
        assert edges["step"].max() == step
        assert edges["symbol"].tolist() == 2 * list(PI[:step])
        found, drawn = (frame.sort_values(order)["norm"].tolist() for frame in (edges, bars))
        assert found == drawn
        assert holds(alt(app, "inside_unrolled"), step, "RNN", "LSTM")
    assert "inside_unrolled" not in charts(seen(step="1"))


def circuit_of(app):
    """The boxes of the circuit: what is written in each, by its name."""
    rows = data(app, "inside_circuit")
    return dict(zip(rows["node"], rows["value"].str.replace("−", "-"), strict=True))


FIXED = {"": {}, "f": {"fixed": "f forget"}, "i": {"fixed": "i input"}}
"""Settings by the gates that are set to 1."""


@pytest.mark.parametrize("fixed", FIXED)
def test_the_circuit_is_the_units_step_and_a_gate_at_1_lets_everything_pass(fixed):
    app = visit(PAGE, parts="Circuit", unit="3", step="7", **FIXED[fixed])
    assert circuit_of(app)["c′"] == circuit_of(app)["f · c"] == "?"
    assert "the forget gate keeps" not in text(app)
    app = guess(app, "kept_or_added", 0)
    found = circuit_of(app)
    number = {name: float(value) for name, value in found.items() if name not in ("x", "h")}
    gates = {
        name[0]: value for name, value in number.items() if name[0] in "ifgo" and "·" not in name
    }
    assert found["x"] == PI[6]
    assert number["f · c"] == pytest.approx(gates["f"] * number["c"], rel=0.02)
    assert number["i · g"] == pytest.approx(gates["i"] * gates["g"], rel=0.02)
    assert number["c′"] == pytest.approx(number["f · c"] + number["i · g"], abs=0.02)
    assert shows(app, "the last one takes the tanh of the memory")
    assert number["o · tanh c′"] == pytest.approx(gates["o"] * math.tanh(number["c′"]), rel=0.03)
    assert [name for name in "ifo" if gates[name] == 1.0] == list(fixed)
    for name, worked in data(app, "inside_circuit").set_index("node")["worked out"].items():
        if name[0] in "ifo" and worked:
            first, second = map(float, re.findall(r"-?[\d.]+", re.sub(r"− ?", "-", worked)))
            assert 1 / (1 + math.exp(-first - second)) == pytest.approx(gates[name[0]], abs=0.02)
    chosen = Side("", "", "", FirstSymbolConfig("lstm-4"), 1000, Changes(None, fixed))
    digits = tuple(map(int, PI))
    assert trace_of(chosen, digits).parts["c"][6, 2] == pytest.approx(number["c′"], rel=0.01)
    assert holds(alt(app, "inside_circuit"), 3, 7, 20)
    assert shows(app, percent(trace_of(chosen, digits).accuracy), "of", 500)
    assert "inside_left_states" not in charts(app)
    opened = any(formula.count(f"{fixed} &= 1 ") for formula in formulas(app))
    assert shows(app, f"{fixed} of each LSTM is set to 1") if fixed else not opened


@pytest.mark.parametrize(("right", "last"), [("RNN", "h′"), ("IRNN", "h′"), ("GRU", "h′")])
def test_cells_of_other_kinds_have_circuits_too(right, last):
    app = visit(PAGE, parts="Circuit", right=right, unit="2", **FIXED["f"])
    if right == "GRU":
        assert circuit_of(app)["h′"] == "?"
        app = guess(app, "kept_or_added", 1)
    found = circuit_of(app)
    variant = FirstSymbolConfig(right.lower())
    state = trace_of(Side("", "", "", variant, 1000), tuple(map(int, PI))).parts["h"][19, 1]
    assert float(found[last]) == pytest.approx(state, rel=0.01)
    if right == "GRU":
        assert float(found["(1−z) · n"]) + float(found["z · h"]) == pytest.approx(state, abs=0.005)
        worked = data(app, "inside_circuit").set_index("node")["worked out"]["n = tanh"]
        from_digit, from_state = map(float, re.findall(r"-?[\d.]+", worked.replace("− ", "-")))
        assert math.tanh(from_digit + from_state) == pytest.approx(
            float(found["n = tanh"]), abs=0.02
        )
        assert shows(app, "no weights", "they multiply and add.")
    else:
        bent = math.tanh if right == "RNN" else partial(max, 0.0)
        assert bent(float(found["a = sum"])) == pytest.approx(state, abs=0.005)
        assert shows(app, "take the tanh of the sum" if right == "RNN" else "which is ReLU")
    assert "set to 1" not in text(app)


@pytest.mark.parametrize(
    ("right", "variant", "answer"),
    [("LSTM, forget bias 4", "lstm-4", 0), ("LSTM", "lstm", 2), ("GRU", "gru", 1)],
)
def test_the_circuits_question_counts_the_steps_in_which_more_is_kept(right, variant, answer):
    app = guess(visit(PAGE, parts="Circuit", right=right), "kept_or_added", answer)
    side, digits = Side("", "", "", FirstSymbolConfig(variant), 1000), tuple(map(int, PI))
    parts, n_kept = trace_of(side, digits).parts, 0
    for step in range(1, len(digits)):
        for unit in range(parts["h"].shape[1]):
            found = unit_of(side, digits, step, unit)
            gate = {name: block.value for name, block in found.blocks.items()}
            if right == "GRU":
                kept, added = gate["z"] * found.before["h"], (1 - gate["z"]) * gate["n"]
            else:
                kept, added = gate["f"] * found.before["c"], gate["i"] * gate["g"]
            n_kept += abs(kept) > abs(added)
    assert shows(app, f"**{percent(n_kept / parts['h'].size)}**", f"{parts['h'].size} steps")
    assert shows(app, ":green-badge[:material/check: Right]")
    assert "inside_gradients" not in charts(app)  # they answer the other question


def test_a_circuit_without_gates_leaves_the_question_of_the_page():
    app = visit(PAGE, parts="Circuit", right="RNN")
    assert "inside_gradients" not in charts(app)
    assert "?" not in circuit_of(app).values()
    assert "inside_gradients" in charts(guess(app, "vanishing", 0))


@pytest.mark.parametrize("updates", [0, 1000])
def test_the_accuracy_and_the_answer_are_those_of_the_chosen_networks(updates):
    """Against the results file and the networks themselves, not against what the page computed."""
    app = seen(updates=str(updates), left="RNN", right="LSTM, forget bias 4")
    trained, digits = TrainedNetworks.load(), torch.tensor([list(map(int, PI))])
    variants = {"left": "rnn", "right": "lstm-4"}
    for (place, variant), (title, share) in zip(variants.items(), accuracies(app), strict=True):
        config = FirstSymbolConfig(variant)
        assert title == VARIANTS[variant].title
        recorded = trained.networks[config.name].accuracy[updates]
        assert share / 100 == pytest.approx(recorded, abs=0.06)  # 500 other sequences: 3 errors
        network = trained.network(config, updates)
        probabilities = network.probabilities(network.read(digits).hidden[0, -1])
        best = int(probabilities.argmax())
        answer = (best, round(float(probabilities[best].detach()), 2))
        assert holds(alt(app, f"inside_{place}_states"), title, 20, 20, 16, *answer)
    assert not app.warning


def test_gradients_are_computed_when_the_answer_may_be_drawn(monkeypatch):
    computed = []
    monkeypatch.setattr(
        "pages.inside_a_cell.gradients.gradients_of",
        lambda *of: computed.append(of) or gradients_of(*of),
    )
    app = arrive()
    assert not computed
    guess(app, "vanishing")
    assert computed


def test_every_control_is_taken_from_the_link():
    app = seen(
        left="GRU",
        right="IRNN",
        updates="200",
        learning_rate="0.003",
        clipping="none",
        spectral_radius="1.3",
        parts="Gates",
        digits="7 3 1",
        step="2",
        unit="5",
        window="2",
        gradient="digit read at the step",
    )
    assert not app.warning
    assert [title for title, _ in accuracies(app)] == ["GRU", "IRNN"]
    assert shows(app, "GRU", "r", 1.3, "z", 1.3, "n", 1.3, "IRNN", 1.3)
    assert app.slider(key="unit").value == 5
    assert app.slider(key="step").value == 2
    assert shows(app, 2, 3, 3, 3, 2)
    assert shows(app, "Adam", 0.003)


# What the controls do -------------------------------------------------------------------------


def test_the_spectral_radius_changes_the_factor_by_step():
    app = seen(left="RNN, orthogonal initialisation")
    before = factor_and_spectrum(app)[0]
    app.select_slider(key="spectral_radius").set_value("0.5").run()
    after = factor_and_spectrum(app)[0]
    assert after < 0.5 < before


def test_the_step_moves_states_gradient_and_numbers():
    app = seen()
    last = formulas(app)
    app.button(key="step_back").click().run()
    assert numbers(gradients(app))[:3] == [19, 19, 1]
    assert [19, 1, 16, 8] in [numbers(m.value) for m in app.markdown]
    assert formulas(app) != last
    put(app, "step", 0)
    assert numbers(gradients(app)) == [0]
    assert [1, 1, 16, 3] in [numbers(m.value) for m in app.markdown]
    assert not app.exception


@pytest.mark.parametrize(
    ("kind", "field"),
    [("state after the step", "by_state"), ("digit read at the step", "by_input")],
)
def test_what_is_said_after_a_step_is_of_that_step(kind, field):
    app = seen(step="10", gradient=kind)
    digits = tuple(map(int, PI))
    for place, variant in (("left", "rnn"), ("right", "lstm")):
        norms = getattr(gradients_of(side(variant), digits), field)[9]
        assert holds(gradients(app), 10, share_text(norms[0] / norms[9]), variant.upper())
        probabilities = trace_of(side(variant), digits).probabilities[9]
        answer = (probabilities.argmax(), round(float(probabilities.max()), 2))
        assert holds(alt(app, f"inside_{place}_states"), 10, 20, *answer)


def test_a_network_whose_units_are_all_at_0_passes_nothing_on():
    app = seen(left="IRNN", updates="1000", learning_rate="0.03", gradient="digit read at the step")
    assert holds(gradients(app), share_text(0), "IRNN")
    assert any(holds(caption.value, "×") for caption in app.caption)
    assert factor_and_spectrum(app)[0] == 0
    assert "nan" not in text(app)


def test_an_irnn_learns_where_its_units_survive_the_first_updates():
    app = seen(left="IRNN", updates="1000", learning_rate="0.001")
    assert accuracies(app)[0][1] > 95
    survived, initial = active_units(app)
    app = seen(left="IRNN", updates="1000", learning_rate="0.01")
    assert accuracies(app)[0][1] < 15
    left, again = active_units(app)
    assert left < survived < initial == again


def active_units(app):
    """Return how many of an IRNN's 16 units are above 0 after the training, and before it."""
    found = next(numbers(m.value) for m in app.markdown if holds(m.value, 16, "ReLU"))
    units = found.index(16)
    return found[units - 1], found[units + 2]


def test_a_rescaled_matrix_is_named_beside_the_training_that_it_follows():
    app = seen(updates="200")
    assert not any(holds(caption.value, "W_hh") for caption in app.caption)
    app.select_slider(key="spectral_radius").set_value("1.3").run()
    assert any(holds(caption.value, "W_hh", 1.3, 200) for caption in app.caption)


def test_gates_are_shown_instead_of_states():
    for parts, left, right in (("State", "h", "ch"), ("Gates", "a", "ifgo")):
        app = seen(parts=parts)
        for place, names in (("left", left), ("right", right)):
            listed = ", ".join(PART_NAMES[name] for name in names)
            assert holds(alt(app, f"inside_{place}_states"), 20, 20, listed, 16)


def test_a_longer_window_truncates_less():
    app = seen(window="5")
    assert shows(app, 5, 20, 16, 20, 15, 0, 60, 210)
    assert numbers(alt(app, "inside_left_truncated")) == [5, 20, 5]
    app.slider(key="window").set_value(40).run()
    assert [40, 20] in [numbers(m.value) for m in app.markdown]
    assert numbers(alt(app, "inside_left_truncated")) == [20, 20, 40]


def test_the_curves_are_those_of_the_chosen_trainings():
    app = seen(left="GRU", right="IRNN", learning_rate="0.003")
    networks = TrainedNetworks.load().networks
    ends = [
        networks[FirstSymbolConfig(variant, 0.003).name].curve.loss[-1]
        for variant in ("gru", "irnn")
    ]
    ends = [round(end, 3) for end in ends]
    assert holds(alt(app, "inside_loss"), "left", "GRU", "right", "IRNN", *ends)


def test_a_shorter_sequence_takes_the_step_with_it():
    app = seen()
    assert app.slider(key="step").value == 20
    for digits, length in (("271828", 6), ("27", 2)):
        app.text_input(key="digits").set_value(digits).run()
        assert not app.exception
        assert app.slider(key="step").value == length


def test_two_of_a_kind_are_compared_side_by_side():
    app = seen(left="LSTM", right="LSTM")
    assert len(set(formulas(app))) == 1
    assert not app.exception


# What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("digits", "named"),
    [
        ("7", (2, 40, 1)),
        ("9" * 41, (2, 40, 41)),
        ("12 apples", (0, 9, "'a'")),
        ("<b>", (0, 9, r"'\<'")),
    ],
)
def test_what_is_no_sequence_gets_a_message_and_can_be_corrected(digits, named):
    app = seen(digits=digits)
    assert [holds(error.value, *named) for error in app.error] == [True]
    app.text_input(key="digits").set_value(PI).run()
    assert not app.error
    assert numbers(gradients(app))[:2] == [20, 20]


@pytest.mark.parametrize("step", ["21", "-1", "9" * 5000, "all"])
def test_a_step_that_is_not_there_leaves_all_digits_read(step):
    app = seen(step=step)
    assert app.slider(key="step").value == 20
    assert numbers(app.warning[0].value)[-1] == 20


def test_without_its_results_the_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(TrainedNetworks, "shipped", lambda: tmp_path / "x.json")
    app = arrive()
    assert "x.json" in app.error[0].value


# The numbers in the equations -----------------------------------------------------------------


def test_the_lstm_equations_hold_the_units_numbers():
    walk = UnitTrace(
        {
            "i": BlockTrace(0.5, -0.25, 0.562),
            "f": BlockTrace(1.0, 1.0, 0.881),
            "g": BlockTrace(-1.0, 0.25, -0.635),
            "o": BlockTrace(0.0, 0.0, 0.5),
        },
        {"h": 0.1, "c": -2.0},
        {"h": -0.484, "c": -2.119},
    )
    lines = equations(walk)
    assert lines[0] == r"i &= \sigma(0.500 - 0.250) = 0.562"
    assert lines[2] == r"g &= \tanh(-1.000 + 0.250) = -0.635"
    assert lines[5] == r"&= 0.881 \cdot (-2.000) + 0.562 \cdot (-0.635)"
    assert lines[6] == r"&= -1.762 - 0.357 = \mathbf{-2.119}"
    assert lines[-1] == r"&= \mathbf{-0.484}"


def test_the_other_cells_have_equations_of_their_own():
    gru = UnitTrace(
        {
            "r": BlockTrace(0.0, 0.0, 0.5),
            "z": BlockTrace(0.0, 0.0, 0.25),
            "n": BlockTrace(1.0, -2.0, 0.0),
        },
        {"h": 0.4},
        {"h": 0.1},
    )
    assert r"n &= \tanh(1.000 + 0.500 \cdot (-2.000))" in equations(gru)
    assert r"&= 0.750 \cdot 0.000 + 0.250 \cdot 0.400" in equations(gru)
    elman = UnitTrace({"a": BlockTrace(1.0, 0.00002, 1.00002)}, {"h": 0.0}, {"h": 0.762})
    assert equations(elman)[0] == r"a &= 1.000 + 2.00\mathrm{e}{-5} = 1.000"
    assert equations(elman, r"\max(0,")[1] == r"h' &= \max(0,1.000) = \mathbf{0.762}"


@pytest.mark.parametrize(
    ("ratio", "written"),
    [
        (0.0, "nothing"),
        (1e-20, "10⁻²⁰"),
        (0.000023, "1/43,000"),
        (0.0099, "1/100"),
        (0.34, "34 %"),
        (9.0, "900 %"),
        (1234.0, "1,200 times as much"),
    ],
)
def test_shares_are_written_for_people(ratio, written):
    assert share_text(ratio) == written
