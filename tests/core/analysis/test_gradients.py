"""Gradients by step, starts of the recurrent matrix, and the cut of truncated backpropagation."""

import pytest
import torch

from lm_core.analysis.gradients import decay_per_step, gradient_map
from lm_core.analysis.spectra import rescale_recurrence, spectra
from lm_core.errors import SettingError, ShapeError
from lm_core.models import recurrent
from lm_core.models.recurrent_initialisation import STARTS, draw_recurrence
from lm_core.rng import generator

KINDS = ("rnn", "irnn", "gru", "lstm")
LENGTH = 8


def make(kind, seed=0):
    cell = recurrent.build_cell(recurrent.RecurrentCellConfig(kind, 5, 6)).double()
    cell.initialise(generator(seed))
    return cell


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=generator(seed), dtype=torch.float64)


@pytest.mark.parametrize("window", [None, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_map_holds_what_one_answer_at_a_time_gives(kind, window):
    cell, inputs, direction = make(kind), normal(LENGTH, 5), normal(6, seed=1)
    found = gradient_map(cell, inputs, direction, window=window)
    for s in (0, 4, LENGTH - 1):
        alone = inputs[None].clone().requires_grad_()
        reading = cell.read(alone, window=window)
        answer = reading.steps[s].hidden[0] @ direction
        states = [tensor for step in reading.steps for tensor in step.state]
        at_input, *at_states = torch.autograd.grad(
            answer, [alone, *states], allow_unused=True, materialize_grads=True
        )
        torch.testing.assert_close(found.by_input[s], at_input[0].norm(dim=1))
        by_step = torch.cat(at_states).unflatten(0, (LENGTH, -1)).norm(dim=(1, 2))
        torch.testing.assert_close(found.by_state[s], by_step)


@pytest.mark.parametrize("kind", KINDS)
def test_the_gradient_is_exactly_zero_before_a_cut_and_after_the_answer(kind):
    cut = gradient_map(make(kind), normal(LENGTH, 5), normal(6, seed=1), window=3)
    window = torch.arange(LENGTH) // 3
    answer, step = torch.meshgrid(torch.arange(LENGTH), torch.arange(LENGTH), indexing="ij")
    reached = (window[answer] == window[step]) & (step <= answer)
    for norms in cut:
        assert (norms[~reached] == 0).all()
        assert (norms[reached] > 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_window_as_long_as_the_sequence_cuts_nothing(kind):
    arguments = make(kind), normal(LENGTH, 5), normal(6, seed=1)
    for whole, cut in zip(
        gradient_map(*arguments), gradient_map(*arguments, window=LENGTH), strict=True
    ):
        assert torch.equal(whole, cut)


def test_a_linear_recurrence_multiplies_the_gradient_by_its_radius_at_every_step():
    cell = recurrent.RNNCell(
        5, 6, "relu"
    ).double()  # all units positive, so that the ReLU is the identity
    draw_recurrence(cell, "identity", generator(0))
    rescale_recurrence(cell, 0.8)
    with torch.no_grad():
        cell.bias_ih.fill_(1.0)
    norms = gradient_map(cell, torch.zeros(LENGTH, 5).double(), normal(6)).by_state[-1]
    torch.testing.assert_close(norms[:-1] / norms[1:], torch.full((7,), 0.8).double())
    assert decay_per_step(norms) == pytest.approx(0.8)


@pytest.mark.parametrize(("radius", "smallest", "largest"), [(0.5, 0, 1e-4), (2.0, 10, 1e9)])
def test_an_orthogonal_recurrence_near_zero_vanishes_or_explodes_with_its_radius(
    radius, smallest, largest
):
    cell = make("rnn")
    draw_recurrence(cell, "orthogonal", generator(1))
    rescale_recurrence(cell, radius)
    with torch.no_grad():
        cell.bias_ih.zero_()
        cell.bias_hh.zero_()
    norms = gradient_map(cell, torch.zeros(20, 5).double(), normal(6)).by_state[-1]
    assert smallest < norms[0] < largest
    assert decay_per_step(norms) == pytest.approx(radius)  # every singular value is the radius


def test_a_gradient_that_was_cut_has_no_decay():
    assert decay_per_step(torch.tensor([0.0, 0.5, 1.0])) == 0.0
    assert decay_per_step(torch.zeros(3)) == 0.0
    with pytest.raises(ShapeError, match=r"\(T >= 2,\), got \(1,\)"):
        decay_per_step(torch.ones(1))


@pytest.mark.parametrize("kind", KINDS)
def test_each_block_takes_the_radius_that_is_asked_for(kind):
    cell = make(kind)
    directions = [block / block.norm() for block in recurrent.recurrent_blocks(cell)]
    rescale_recurrence(cell, 1.3)
    for spectrum, block, direction in zip(
        spectra(cell), recurrent.recurrent_blocks(cell), directions, strict=True
    ):
        assert spectrum.radius == pytest.approx(1.3)
        assert spectrum.largest_singular_value >= 1.3 - 1e-12
        torch.testing.assert_close(block / block.norm(), direction)
    assert [s.block for s in spectra(cell)] == list(cell.block_names)


def test_the_spectrum_of_a_known_matrix():
    cell = recurrent.RNNCell(1, 2).double()
    with torch.no_grad():
        cell.weight_hh.copy_(torch.tensor([[0.5, 3.0], [0.0, -0.75]]))
    (spectrum,) = spectra(cell)
    assert spectrum.radius == pytest.approx(0.75)
    assert spectrum.largest_singular_value == pytest.approx(3.1302, abs=1e-4)


@pytest.mark.parametrize("kind", ["rnn", "lstm"])
def test_starts(kind):
    cell = make(kind)
    draw_recurrence(cell, "orthogonal", generator(3))
    eye = torch.eye(6, dtype=torch.float64)
    for block in recurrent.recurrent_blocks(cell):
        torch.testing.assert_close(block @ block.T, eye)
        assert (block - eye).abs().max() > 0.1
    draw_recurrence(cell, "identity", generator(3))
    assert all(torch.equal(block, eye) for block in recurrent.recurrent_blocks(cell))
    draw_recurrence(cell, "uniform", generator(3))
    assert 0 < cell.weight_hh.abs().max() <= 6**-0.5
    assert not torch.equal(recurrent.recurrent_blocks(cell)[0], eye)


def test_what_is_no_start_or_no_radius_is_refused():
    cell = make("rnn")
    with pytest.raises(SettingError, match=f"one of .*{STARTS[0]}.* got 'warm'"):
        draw_recurrence(cell, "warm", generator(0))
    with pytest.raises(SettingError, match="radius must be greater than 0, got 0"):
        rescale_recurrence(cell, 0)
    with torch.no_grad():
        cell.weight_hh.zero_()
    with pytest.raises(SettingError, match="has spectral radius 0"):
        rescale_recurrence(cell, 1.0)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ShapeError, match=r"\(T, E\), got \(1, 8, 5\)"):
        gradient_map(make("rnn"), normal(1, LENGTH, 5), normal(6))
    with pytest.raises(ShapeError, match=r"direction must have shape \(6,\), got \(5,\)"):
        gradient_map(make("rnn"), normal(LENGTH, 5), normal(5))
