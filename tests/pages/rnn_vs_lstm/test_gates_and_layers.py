"""The parts on gates and on stacked layers: what waits for the guess, and what is read of the results."""

import pytest

from lm_core.experiments.gates.taps import TAPS
from lm_core.experiments.gates.training import LENGTHS
from lm_core.experiments.stacked_layers.training import LAYERS
from pages.rnn_vs_lstm.gates import gate_results
from pages.shared.numbers import percent
from tests.pages.visits import data, guess, shows, visit

PAGE = "pages/rnn_vs_lstm/page.py"
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


def test_long_words_need_the_output_gate_more():
    shares = {}
    for length in LENGTHS:
        app = visit(PAGE, **GATES, reveal="gates", letters=str(length))
        shares[length] = [read_on(k, 4, length=length)[64] for k in ("input-only", "no-forget")]
        assert shows(app, "the input gate alone", *map(percent, shares[length]))
    gained = [both - alone for alone, both in shares.values()]
    assert gained == sorted(gained)


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
