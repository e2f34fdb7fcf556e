"""What the answers for teachers say of cells, held to the shipped networks on the opening digits."""

import math
from functools import cache

import numpy as np
import pytest
import torch

from lm_core.experiments.inside_a_cell.study import CLIPS, LEARNING_RATES, SNAPSHOTS
from lm_core.experiments.inside_a_cell.training import LOSS_STEPS, VARIANTS, FirstSymbolConfig
from lm_core.models.recurrent import LSTMCell
from pages.inside_a_cell import networks
from pages.inside_a_cell.settings import TAUGHT_BY
from pages.inside_a_cell.training_controls import Changes
from pages.shared.numbers import percent
from tests.pages.answering import assert_says, suggestion

PAGE = "inside-a-cell"
DIGITS = tuple(map(int, "31415926535897932384"))
EVERY, LAST = LOSS_STEPS


def config(variant, learning_rate=0.01, clip=CLIPS[-1], asked=LAST):
    return FirstSymbolConfig(variant, learning_rate, clip, asked, updates=SNAPSHOTS[-1])


@cache
def trace(trained, updates=SNAPSHOTS[-1]):
    return networks._trace.__wrapped__(trained, updates, Changes(), DIGITS)


@cache
def gradients(variant, radius=None):
    """Return the gradients of a network before any training."""
    return networks._gradients.__wrapped__(config(variant), 0, Changes(radius), DIGITS, None)


def test_asked_after_every_digit_all_learn_at_a_rate_that_suits():
    rates = {
        asked: {
            variant: max(
                trace(config(variant, rate, asked=asked)).accuracy for rate in LEARNING_RATES
            )
            for variant in (VARIANTS if asked == EVERY else ("lstm",))
        }
        for asked in LOSS_STEPS
    }
    words = {7: "seven"}
    assert_says(PAGE, "Choose the LSTM without", f"all {words[len(VARIANTS)]} kinds")
    assert_says(PAGE, "Choose the LSTM without", f"{len(DIGITS) - 1} steps")
    assert min(rates[EVERY].values()) > 0.99
    assert rates[LAST]["lstm"] < 0.15
    assert gradients("lstm").factors[-1] == pytest.approx(0.5, abs=0.1)


def test_tanh_limits_the_gradient_above_1():
    factors = [f"{gradients('rnn', radius).factors[-1]:.2f}" for radius in (0.5, 1.0, 2.0)]
    orthogonal = gradients("rnn-orthogonal", 2.0).factors[-1]
    assert_says(PAGE, "With 0 updates", *factors, f"{orthogonal:.2f}")


def test_an_irnn_explodes():
    norms = gradients("irnn", 2.0).by_state[-1]
    grown = f"about {round(norms[0] / norms[-1], -4):,.0f} times"
    assert_says(PAGE, "Rescale the untrained", grown, f"{len(norms) - 1} steps")
    assert gradients("irnn", 2.0).factors[-1] == pytest.approx(2, abs=0.05)


def test_how_much_memory_the_forget_gates_leave():
    gates = {name: trace(config(name), 0).parts["f"] for name in ("lstm", "lstm-4")}
    left = {name: math.exp(np.log(f).sum(0).mean()) for name, f in gates.items()}
    assert left["lstm"] < 1e-6
    assert left["lstm-4"] == pytest.approx(2 / 3, abs=0.02)
    near, exact = float(gates["lstm-4"].mean()), torch.tensor(4.0).sigmoid().item()
    said = f"near {near:.2f}", f"The sigmoid of 4 is {exact:.2f}", f"{len(DIGITS)} steps"
    assert_says(PAGE, "Before training, compare", *said)
    assert gates["lstm"].mean() == pytest.approx(0.5, abs=0.02)


def test_which_digit_has_the_largest_gradient_once_the_task_is_learned():
    found = {}
    for variant in VARIANTS:
        learned = config(variant, asked=EVERY)
        assert trace(learned).accuracy > 0.99
        norms = networks._gradients.__wrapped__(learned, 1000, Changes(), DIGITS, None).by_input[-1]
        found[variant] = int(norms.argmax()) + 1
    assert {variant for variant, place in found.items() if place == 1} == {"irnn", "gru"}
    assert set(found.values()) == {1, len(DIGITS)}
    draw = np.random.default_rng(1)
    others = [tuple(map(int, draw.integers(10, size=len(DIGITS)))) for _ in range(12)]

    def firsts(variant):
        norms = (
            networks._gradients.__wrapped__(
                config(variant, asked=EVERY), 1000, Changes(), digits, None
            ).by_input[-1]
            for digits in others
        )
        return sum(int(each.argmax()) == 0 for each in norms)

    assert firsts("irnn") == len(others)
    assert firsts("gru") >= len(others) - 1


def test_the_gru_learns_from_a_gradient_of_which_hardly_anything_arrives():
    norms = gradients("gru").by_state[-1]
    assert norms[0] / norms[-1] < 1e-4
    assert trace(config("gru", 0.03)).accuracy > 0.99
    assert "GRU at a rate of 0.03" in TAUGHT_BY["last"]


def test_an_irnn_dies_at_the_larger_rate():
    learned, dead = (trace(config("irnn", rate)) for rate in (0.001, 0.01))
    assert learned.accuracy > 0.98
    assert dead.accuracy < 0.13
    active = int((dead.parts["h"][-1] > 0).sum())
    said = {0: "none of its units is above 0"}[active]
    assert_says(PAGE, "Asked after the last digit, compare", said, "At 0.001", "at 0.01")
    ever = []
    digits = torch.randint(10, (500, len(DIGITS)), generator=torch.Generator().manual_seed(1))
    for clip in CLIPS:
        network = networks.results().network(config("irnn", 0.01, clip), SNAPSHOTS[-1])
        with torch.no_grad():
            ever.append(int((network.read(digits).trace("h") > 0).any((0, 1)).sum()))
    assert set(ever) <= {1, 2}


def test_single_gradients_are_long_where_the_training_asks_at_the_end():
    longest = {
        asked: [
            max(
                networks.results()
                .networks[config("rnn-orthogonal", 0.03, clip, asked).name]
                .curve.gradient_norm
            )
            for clip in CLIPS
        ]
        for asked in LOSS_STEPS
    }
    assert min(longest[LAST]) > 10_000
    assert_says(PAGE, "Set the learning rate to 0.03", f"more than {10_000:,}")
    assert_says(PAGE, "Set the learning rate to 0.03", f"near {round(max(longest[EVERY]), -1):.0f}")


def test_one_matrix_has_the_rows_of_all_four_gates():
    suggestion(PAGE, "An LSTM has three gates")
    cell, theirs = LSTMCell(3, 5), torch.nn.LSTMCell(3, 5)
    assert cell.weight_hh.shape == theirs.weight_hh.shape == (4 * 5, 5)
    state, blocks = torch.randn(2, 5), cell.weight_hh.detach().chunk(4)
    by_gate = torch.cat([state @ block.T for block in blocks], -1)
    assert torch.allclose(state @ cell.weight_hh.detach().T, by_gate, atol=1e-6)


def test_of_the_gates_only_the_input_gate_is_missed():
    asked = config("lstm-4")
    opened = {
        gates: networks._trace.__wrapped__(asked, SNAPSHOTS[-1], Changes(None, gates), DIGITS)
        for gates in ("", "i", "f", "o")
    }
    right = {gates: percent(found.accuracy) for gates, found in opened.items()}
    assert right[""] == right["f"] == right["o"]
    fast = config("lstm-4", 0.03)
    without = networks._trace.__wrapped__(fast, SNAPSHOTS[-1], Changes(None, "o"), DIGITS).accuracy
    assert trace(fast).accuracy > 0.99
    assert_says(PAGE, "Choose *Circuit*", f"right in {percent(without)} without it")
    whole, size = opened[""].parts, {g: np.abs(opened[g].parts["c"][-1]).mean() for g in ("", "i")}
    gates = f"{whole['f'].mean():.2f} on average", f"{whole['i'][0].mean():.2f} on average"
    sizes = f"from {size['']:.1f} to {size['i']:.1f}", f"{whole['i'].mean():.2f} over all"
    assert_says(PAGE, "Choose *Circuit*", right["i"], right["f"], *gates, *sizes)
