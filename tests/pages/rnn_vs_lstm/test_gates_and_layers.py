"""The parts on gates and on stacked layers: what waits for the guess, and what is read of the results."""

import pytest

from lm_core.experiments.gates.taps import TAPS
from lm_core.experiments.gates.training import LETTERS, ONE_WORD, STEPS, STREAM
from lm_core.experiments.stacked_layers.training import LAYERS
from pages.rnn_vs_lstm.gates import gate_results
from pages.rnn_vs_lstm.layers import layers_results
from pages.shared.numbers import percent
from tests.pages.answering import assert_says
from tests.pages.visits import data, guess, shows, visit

PAGE, ADDRESS = "pages/rnn_vs_lstm/page.py", "rnn-vs-lstm"
GATES, LAYERED = {"part": "Gates one by one"}, {"part": "Stacked layers"}


def drawn(app):
    return set(data(app, "gates")["line"])


def read_on(kind, words, *, length=40, of_sizes=False):
    spread = gate_results().spread(kind, length, words, of_sizes=of_sizes)
    return dict(zip(gate_results().read_on, (one.middle for one in spread), strict=True))


def test_cells_without_a_gate_wait_for_the_guess():
    app = visit(PAGE, **GATES)
    assert drawn(app) == {"all gates"}
    app = guess(app, "gates", 1)
    assert drawn(app) == {"all gates", "no input", "no forget", "no output", "no gates"}
    shares = {kind: read_on(kind, 4)[64] for kind in ("no-input", "no-forget", "no-output")}
    assert min(shares, key=shares.get) == "no-forget"
    assert shows(app, f"**{percent(shares['no-forget'])}**", percent(shares["no-input"]))


@pytest.mark.parametrize("kind", ["no-forget", "all"])
def test_the_memory_of_a_cell_is_drawn(kind):
    app = visit(PAGE, **GATES, reveal="gates", drawn="Size of the memory")
    rows = data(app, "gates").set_index(["line", "words read without a reset"])
    size = rows.loc[(TAPS[kind].title, 64), "size of a number in the memory"]
    assert size == pytest.approx(read_on(kind, 4, of_sizes=True)[64])
    assert rows.loc[(TAPS[kind].title, 64), "lowest"] <= size


def test_deeper_networks_wait_for_the_guess():
    app = visit(PAGE, **LAYERED)
    assert list(data(app, "stacked_layers").columns) == ["training step", "1 layer"]
    app = guess(app, "layers")
    assert len(data(app, "stacked_layers").columns) == 1 + len(LAYERS)
    assert shows(app, "1 layer", 174, "2 layers", 106)


# What the answers say ---------------------------------------------------------------------------


def test_nothing_is_forgotten_that_nobody_taught_to_forget():
    begin = "Choose *One word* as training"
    assert {percent(read_on(kind, 1)[1]) for kind in TAPS} == {percent(1)}
    (second,) = {percent(read_on(kind, 1)[2]) for kind in TAPS}
    assert_says(ADDRESS, begin, second, percent(1 / LETTERS))


def test_without_a_forget_gate_the_memory_fills_up():
    begin = "Draw *Size of the memory*"
    sizes = {kind: read_on(kind, 4, of_sizes=True) for kind in TAPS}
    grown = sizes["no-forget"]
    assert_says(ADDRESS, begin, f"{grown[1]:.1f}", f"{grown[64]:.0f}", f"{sizes['all'][64]:.1f}")
    assert_says(ADDRESS, begin, f"{sizes['tied'][64]:.1f}")


def test_a_missing_gate_costs_steps_where_there_is_something_to_forget():
    found, begin = gate_results(), "Draw *Steps until learned*"
    kinds = ("tied", "all", "no-output", "no-input", "no-forget")
    on_stream = [found.steps(kind, 20, STREAM, STEPS).middle for kind in kinds]
    assert on_stream == sorted(on_stream)
    on_one = [found.steps(kind, 20, ONE_WORD, STEPS).middle for kind in ("no-forget", "all")]
    assert_says(ADDRESS, begin, *(f"{steps:.0f}" for steps in (*on_stream, *on_one)))


def test_depth_costs_at_the_start():
    curves = {n: layers_results().of(n) for n in LAYERS}
    at_300 = {n: sum(one.curve[2] for one in found) / 3 for n, found in curves.items()}
    assert_says(ADDRESS, "Move *Training step* to 300", f"{at_300[1]:.2f}", f"{at_300[4]:.2f}")
    widths = {n: layers_results().of(n)[0].width for n in LAYERS}
    begin = "All four have about as many weights."
    assert_says(ADDRESS, begin, f"{widths[1]}", f"{widths[4]}", f"{4 * widths[4]}")
