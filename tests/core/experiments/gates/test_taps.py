"""Cells with taps: each is the LSTM with that gate taken away."""

import pytest
import torch

from lm_core.experiments.gates.taps import (
    TAPS,
    TappedLSTMCell,
    TappedNetwork,
    Taps,
    open_gates,
)
from lm_core.models.recurrent import LSTMCell
from lm_core.rng import generator

INPUTS = torch.randint(6, (3, 12), generator=generator(1))


def cell(kind):
    made = TappedLSTMCell(6, 5, TAPS[kind])
    made.initialise(generator(2))
    return made


def test_with_all_gates_it_is_the_lstm():
    plain = LSTMCell(6, 5)
    plain.initialise(generator(2))
    assert torch.allclose(cell("all").read(INPUTS).hidden, plain.read(INPUTS).hidden, atol=1e-6)


@pytest.mark.parametrize("gates", ["", "i", "f", "o", "fo"])
def test_an_opened_gate_is_one_in_every_step_and_the_others_act_as_trained(gates):
    opened, trained, tapped = LSTMCell(6, 5), LSTMCell(6, 5), TappedLSTMCell(6, 5, Taps("", gates))
    for made in (opened, trained, tapped):
        made.initialise(generator(2))
    open_gates(opened, gates)
    reading, expected = opened.read(INPUTS), tapped.read(INPUTS)
    for gate in gates:
        assert (reading.trace(gate) == 1.0).all()
    assert torch.allclose(reading.hidden, expected.hidden, atol=1e-6)
    assert torch.equal(trained.read(INPUTS).hidden, reading.hidden) == (not gates)


@pytest.mark.parametrize("kind", TAPS)
def test_a_gate_that_is_fixed_is_one_and_the_others_are_not(kind):
    reading = cell(kind).read(INPUTS)
    before = torch.cat([torch.zeros(3, 1, 5), reading.trace("c")[:, :-1]], 1)
    f, i, o = (
        torch.ones(3, 12, 5) if gate in TAPS[kind].fixed else reading.trace(gate) for gate in "fio"
    )
    if TAPS[kind].is_tied:
        i = 1 - f
    c = f * before + i * reading.trace("g")
    assert torch.allclose(reading.trace("c"), c, atol=1e-6)
    assert torch.allclose(reading.hidden, o * c.tanh(), atol=1e-6)


def test_all_weights_are_drawn_as_far_as_torch_draws_them():
    network = TappedNetwork(TAPS["all"], 6, 400)
    network.initialise(generator(3))
    assert float(network.output.weight.detach().abs().max()) == pytest.approx(400**-0.5, rel=0.01)
