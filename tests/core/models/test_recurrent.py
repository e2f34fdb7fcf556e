"""The cells from scratch: equal to torch's own, and lawful where their equations say so."""

import pytest
import torch
from torch import nn

from lm_core.errors import SettingError, ShapeError
from lm_core.models.fast.recurrent import FusedCell
from lm_core.models.recurrent import LSTMCell, RecurrentCellConfig, RNNCell, build_cell
from lm_core.rng import generator

KINDS = ("rnn", "irnn", "gru", "lstm")
TORCH_CELLS = {
    "rnn": nn.RNNCell(5, 7),
    "irnn": nn.RNNCell(5, 7, nonlinearity="relu"),
    "gru": nn.GRUCell(5, 7),
    "lstm": nn.LSTMCell(5, 7),
}
TORCH_LAYERS = {
    "rnn": nn.RNN(5, 7, batch_first=True),
    "irnn": nn.RNN(5, 7, nonlinearity="relu", batch_first=True),
    "gru": nn.GRU(5, 7, batch_first=True),
    "lstm": nn.LSTM(5, 7, batch_first=True),
}


def make(kind, seed=0, **changes):
    cell = build_cell(RecurrentCellConfig(kind, 5, 7, **changes)).double()
    cell.initialise(generator(seed))
    return cell


def normal(*shape, seed=0, needs_gradient=False):
    values = torch.randn(*shape, generator=generator(seed), dtype=torch.float64)
    return values.requires_grad_(needs_gradient)


def starting_state(cell, batch, carried):
    if not carried:
        return None
    return tuple(
        normal(batch, 7, seed=9 + n, needs_gradient=True) for n in range(len(cell.state_names))
    )


def torch_layer(kind, cell):
    layer = TORCH_LAYERS[kind].double()
    layer.load_state_dict({f"{name}_l0": p.detach() for name, p in cell.named_parameters()})
    layer.zero_grad()
    return layer


def torch_state(state):
    """The state as torch's layers want it: (1, B, H), in a pair for an LSTM alone."""
    if state is None:
        return None
    layered = tuple(tensor[None] for tensor in state)
    return layered if len(layered) > 1 else layered[0]


@pytest.mark.parametrize("carried", [False, True], ids=["fresh", "continued"])
@pytest.mark.parametrize("kind", KINDS)
def test_forward_and_gradients_equal_torchs_layer(kind, carried):
    cell, inputs = make(kind), normal(3, 11, 5, needs_gradient=True)
    layer = torch_layer(kind, cell)
    state = starting_state(cell, 3, carried)
    reading = cell.read(inputs, state)
    hidden, end = layer(inputs, torch_state(state))
    end = end if isinstance(end, tuple) else (end,)
    torch.testing.assert_close(reading.hidden, hidden)
    torch.testing.assert_close(reading.state, tuple(tensor[0] for tensor in end))

    weights = normal(3, 11, 7, seed=5)
    leaves = [inputs, *(state or ())]
    names = [name for name, _ in cell.named_parameters()]
    ours = torch.autograd.grad(
        (reading.hidden * weights).sum() + reading.state[-1].square().sum(),
        [*leaves, *cell.parameters()],
    )
    theirs = torch.autograd.grad(
        (hidden * weights).sum() + end[-1].square().sum(),
        [*leaves, *(getattr(layer, f"{name}_l0") for name in names)],
    )
    assert len(ours) == len(leaves) + 4
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other)
        assert one.abs().max() > 0


@pytest.mark.parametrize("kind", KINDS)
def test_symbols_are_read_as_the_one_hot_vectors_they_stand_for(kind):
    cell, symbols = make(kind), torch.tensor([[4, 0, 1], [2, 2, 3]])
    vectors = nn.functional.one_hot(symbols, 5).double()
    torch.testing.assert_close(cell(symbols), cell(vectors))
    ours, theirs = (
        torch.autograd.grad(cell(inputs)[0].square().sum(), tuple(cell.parameters()))
        for inputs in (symbols, vectors)
    )
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("kind", KINDS)
def test_one_step_equals_torchs_cell_with_its_weights_loaded(kind):
    theirs = TORCH_CELLS[kind].double()
    cell = build_cell(RecurrentCellConfig(kind, 5, 7)).double()
    cell.load_state_dict(theirs.state_dict())
    state = starting_state(cell, 4, carried=True)
    expected = theirs(normal(4, 5), state if len(state) > 1 else state[0])
    step = cell.step(cell.from_input(normal(4, 5)), state)
    torch.testing.assert_close(step.state, expected if isinstance(expected, tuple) else (expected,))


@pytest.mark.parametrize("carried", [False, True], ids=["fresh", "continued"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_fused_cell_stands_where_the_scratch_cell_stood(kind, carried):
    cell = make(kind)
    fused, state = FusedCell(cell), starting_state(cell, 3, carried)
    torch.testing.assert_close(fused(normal(3, 6, 5), state), cell(normal(3, 6, 5), state))


@pytest.mark.parametrize("kind", KINDS)
def test_a_fused_cell_draws_nothing_from_the_global_state(kind):
    cell, before = make(kind), torch.get_rng_state()
    FusedCell(cell)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_cell_that_torch_does_not_have_is_refused():
    with pytest.raises(SettingError, match="torch has no fused layer for Leaky"):
        FusedCell(type("Leaky", (RNNCell,), {})(5, 7))


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_fused_cell_learned_comes_back(kind):
    cell, other = make(kind), make(kind, seed=1)
    FusedCell(other).copy_to(cell)
    torch.testing.assert_close(cell.state_dict(), other.state_dict())
    with pytest.raises(SettingError, match="same kind and size"):
        FusedCell(cell).copy_to(RNNCell(4, 7))


@pytest.mark.parametrize("kind", KINDS)
def test_reading_in_pieces_equals_reading_at_once(kind):
    cell, inputs = make(kind), normal(2, 9, 5)
    whole = cell.read(inputs)
    first = cell.read(inputs[:, :4])
    second = cell.read(inputs[:, 4:], first.state)
    torch.testing.assert_close(torch.cat([first.hidden, second.hidden], 1), whole.hidden)
    torch.testing.assert_close(second.state, whole.state)


@pytest.mark.parametrize(
    ("kind", "parts"), [("rnn", "ah"), ("irnn", "ah"), ("gru", "rznh"), ("lstm", "ifgoch")]
)
def test_the_trace_holds_every_gate_and_state_of_every_step(kind, parts):
    reading = make(kind).read(normal(2, 6, 5))
    assert tuple(reading.steps[0].parts) == tuple(parts)
    assert all(reading.trace(part).shape == (2, 6, 7) for part in parts)
    torch.testing.assert_close(reading.trace("h")[:, -1], reading.state[0])
    with pytest.raises(SettingError, match="got 'q'"):
        reading.trace("q")


def test_the_traced_gates_of_an_lstm_give_its_memory_and_output():
    reading = make("lstm").read(normal(2, 6, 5))
    i, f, g, o, c, h = (reading.trace(part) for part in "ifgoch")
    before = torch.cat([torch.zeros(2, 1, 7, dtype=torch.float64), c[:, :-1]], 1)
    torch.testing.assert_close(c, f * before + i * g)
    torch.testing.assert_close(h, o * c.tanh())
    assert torch.stack([i, f, o]).min() > 0
    assert torch.stack([i, f, o]).max() < 1


def test_the_traced_gates_of_a_gru_blend_its_state():
    reading = make("gru").read(normal(2, 6, 5))
    z, n, h = (reading.trace(part) for part in "znh")
    before = torch.cat([torch.zeros(2, 1, 7, dtype=torch.float64), h[:, :-1]], 1)
    torch.testing.assert_close(h, n + z * (before - n))


def test_with_the_forget_gate_open_and_the_input_gate_shut_the_memory_is_copied():
    cell = make("lstm")
    with torch.no_grad():
        cell.weight_hh.zero_()
        cell.bias_ih[:7] = -1000.0  # i
        cell.bias_ih[7:14] = 1000.0  # f
    state = starting_state(cell, 2, carried=True)
    reading = cell.read(normal(2, 50, 5), state)
    assert torch.equal(reading.state[1], state[1])
    (gradient,) = torch.autograd.grad(reading.state[1].sum(), state[1])
    assert torch.equal(gradient, torch.ones_like(gradient))


def test_an_irnn_starts_by_copying_its_state():
    cell = make("irnn")
    assert torch.equal(cell.weight_hh, torch.eye(7, dtype=torch.float64))
    assert not cell.bias_ih.any()
    assert not cell.bias_hh.any()
    state = (normal(2, 7).abs().requires_grad_(),)
    end = cell.read(torch.zeros(2, 40, 5, dtype=torch.float64), state).state[0]
    torch.testing.assert_close(end, state[0])
    (gradient,) = torch.autograd.grad(end.sum(), state)
    assert torch.equal(gradient, torch.ones_like(gradient))


def test_weights_come_from_the_generator_and_the_forget_gate_starts_as_open_as_asked():
    one, same, other = make("lstm", 5), make("lstm", 5), make("lstm", 6)
    torch.testing.assert_close(one.state_dict(), same.state_dict())
    assert not torch.equal(one.weight_hh, other.weight_hh)
    open_gate = make("lstm", 5, forget_bias=4.0)
    raised = (open_gate.bias_ih - one.bias_ih).detach()
    torch.testing.assert_close(raised[7:14], torch.full((7,), 4.0, dtype=torch.float64))
    assert not raised[:7].any()
    assert not raised[14:].any()


@pytest.mark.parametrize("kind", KINDS)
def test_a_window_cuts_the_gradient_and_leaves_the_numbers(kind):
    cell, inputs = make(kind), normal(1, 8, 5, needs_gradient=True)
    whole, cut = cell.read(inputs), cell.read(inputs, window=3)
    assert torch.equal(whole.hidden, cut.hidden)
    (gradient,) = torch.autograd.grad(cut.steps[-1].hidden.sum(), inputs)
    assert not gradient[:, :6].any()
    assert gradient[:, 6].any()
    assert gradient[:, 7].any()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (("elman", 5, 7), "kind must be rnn, irnn, gru or lstm, got 'elman'"),
        (("lstm", 0, 7), "input_size must be at least 1, got 0"),
        (("gru", 5, 0), "hidden_size must be at least 1, got 0"),
        (("rnn", 5, 7, 1.0), "forget_bias is for an lstm, got 1.0 for rnn"),
    ],
)
def test_impossible_cells_are_refused(fields, message):
    with pytest.raises(SettingError, match=message):
        build_cell(RecurrentCellConfig(*fields))


def test_an_unknown_activation_is_refused():
    with pytest.raises(SettingError, match="got 'sine'"):
        RNNCell(5, 7, "sine")


@pytest.mark.parametrize("shape", [(3, 5), (2, 0, 5), (2, 3, 4)])
def test_inputs_of_another_shape_are_refused(shape):
    with pytest.raises(ShapeError, match=r"\(B, T >= 1, 5\), got"):
        LSTMCell(5, 7).read(torch.zeros(shape))


def test_a_state_that_does_not_fit_is_refused():
    with pytest.raises(ShapeError, match=r"\[\(2, 7\), \(2, 7\)\], got \[\(2, 7\)\]"):
        LSTMCell(5, 7).read(torch.zeros(2, 3, 5), (torch.zeros(2, 7),))


def test_a_window_of_nothing_is_refused():
    with pytest.raises(SettingError, match="window must be at least 1 step, got 0"):
        LSTMCell(5, 7).read(torch.zeros(2, 3, 5), window=0)
