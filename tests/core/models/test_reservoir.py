"""Reservoirs and ridge regression: equal to loops by hand and to scikit-learn, and laws of their matrices."""

import numpy as np
import pytest
import torch

from lm_core.errors import DivergenceError, SettingError, ShapeError
from lm_core.models.recurrent import RNNCell
from lm_core.models.reservoir import (
    KINDS,
    LINEAR,
    ORTHOGONAL,
    Reservoir,
    ReservoirDraws,
    ReservoirSettings,
    draw_reservoir,
    run_reservoir,
    scale_reservoir,
    scaled_eigenvalues,
)
from lm_core.models.reservoir_language_model import (
    ReservoirLanguageModel,
    ReservoirLanguageModelConfig,
    gather_next_symbols,
)
from lm_core.models.ridge import Readout, RidgeSums, ridge
from lm_core.rng import generator
from lm_core.training.evaluation import carried_losses


def drawn(units=12, inputs=2, density=0.5, kind=KINDS[0], seed=1):
    return draw_reservoir(units, inputs, density, generator(seed), kind)


# Reservoirs -----------------------------------------------------------------------------------


def test_steps_are_those_by_hand():
    settings = ReservoirSettings(0.8, leak=0.3, input_scale=0.5)
    reservoir = scale_reservoir(drawn(), settings)
    inputs = np.random.default_rng(0).normal(size=(7, 2))
    h = np.zeros(12)
    for x, found in zip(inputs, run_reservoir(reservoir, inputs), strict=True):
        a = reservoir.weight_ih @ x + reservoir.bias + reservoir.weight_hh @ h
        h = 0.7 * h + 0.3 * np.tanh(a)
        np.testing.assert_allclose(found, h, atol=1e-14)


def test_without_a_leak_it_is_the_plain_recurrent_network():
    reservoir = scale_reservoir(drawn(), ReservoirSettings(1.1))
    cell = RNNCell(2, 12).double()
    with torch.no_grad():
        cell.weight_ih.copy_(torch.from_numpy(reservoir.weight_ih))
        cell.weight_hh.copy_(torch.from_numpy(reservoir.weight_hh))
        cell.bias_ih.copy_(torch.from_numpy(reservoir.bias))
    inputs = torch.randn((1, 9, 2), generator=generator(3), dtype=torch.float64)
    np.testing.assert_allclose(
        run_reservoir(reservoir, inputs[0].numpy()),
        cell.read(inputs).hidden[0].detach().numpy(),
        atol=1e-13,
    )


def test_symbols_are_one_hot_vectors_and_sequences_run_side_by_side_and_on():
    reservoir = scale_reservoir(drawn(inputs=4), ReservoirSettings(0.9, 0.6))
    symbols = np.array([[0, 3], [1, 1], [2, 0], [3, 2]])  # (T, B)
    found = run_reservoir(reservoir, symbols)
    np.testing.assert_allclose(found, run_reservoir(reservoir, np.eye(4)[symbols]), atol=1e-15)
    np.testing.assert_allclose(found[:, 1], run_reservoir(reservoir, symbols[:, 1]), atol=1e-15)
    again = run_reservoir(reservoir, symbols[2:], found[1])
    np.testing.assert_allclose(again, found[2:], atol=1e-15)
    with pytest.raises(ShapeError, match=r"\(2, 12\)"):
        run_reservoir(reservoir, symbols, np.zeros(12))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("leak", [1.0, 0.25])
def test_eigenvalues_are_scaled_and_moved_as_the_matrix_is(kind, leak):
    draws, settings = drawn(kind=kind), ReservoirSettings(0.7, leak)
    reservoir = scale_reservoir(draws, settings)
    assert np.abs(np.linalg.eigvals(reservoir.weight_hh)).max() == pytest.approx(0.7)
    expected = np.sort_complex(np.linalg.eigvals(reservoir.linearised))
    found = np.sort_complex(scaled_eigenvalues(draws, settings).round(12))
    np.testing.assert_allclose(np.abs(found).sum(), np.abs(expected).sum())
    np.testing.assert_allclose(found.sum(), np.trace(reservoir.linearised), atol=1e-9)


def test_an_orthogonal_matrix_keeps_lengths_and_density_is_a_share():
    q = drawn(kind=ORTHOGONAL).recurrent
    np.testing.assert_allclose(q @ q.T, np.eye(12), atol=1e-12)
    sparse = drawn(units=200, density=0.1).recurrent
    assert (sparse != 0).mean() == pytest.approx(0.1, abs=0.02)


def test_a_linear_reservoir_that_explodes_says_so():
    reservoir = scale_reservoir(drawn(inputs=1), ReservoirSettings(1.5, activation=LINEAR))
    with np.errstate(all="ignore"), pytest.raises(DivergenceError, match="spectral radius"):
        run_reservoir(reservoir, np.ones((5_000, 1)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"leak": 0.0},
        {"leak": 1.1},
        {"spectral_radius": -0.1},
        {"input_scale": -1.0},
        {"spectral_radius": float("nan")},
        {"activation": "relu"},
    ],
)
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(SettingError, match=next(iter(wrong))):
        ReservoirSettings(**wrong)


def test_draws_out_of_range_are_refused():
    for wrong in ({"density": 0.0}, {"density": 1.5}, {"kind": "Dense"}, {"units": 0}):
        with pytest.raises(SettingError, match=next(iter(wrong))):
            drawn(**wrong)
    with pytest.raises(SettingError, match="no feedback"):
        draw_reservoir(2, 1, 1e-9, generator(1))


# Ridge regression -----------------------------------------------------------------------------


def test_ridge_regression_is_scikit_learns_and_may_be_gathered_in_pieces():
    from sklearn.linear_model import Ridge

    random = np.random.default_rng(1)
    states, targets = random.normal(size=(60, 5)) + 2.0, random.normal(size=(60, 2))
    reference = Ridge(alpha=0.7).fit(states, targets)
    found = ridge(states, targets, 0.7)
    np.testing.assert_allclose(found.weights, reference.coef_.T, atol=1e-10)
    np.testing.assert_allclose(found.constant, reference.intercept_, atol=1e-10)
    sums = RidgeSums(5, 2)
    for part in (slice(0, 20), slice(20, 60)):
        sums.add(states[part], targets[part])
    np.testing.assert_allclose(sums.solve(0.7).weights, found.weights, atol=1e-12)


def test_what_cannot_be_solved_is_refused():
    sums = RidgeSums(3, 1)
    with pytest.raises(SettingError, match="at least one row"):
        sums.solve(1.0)
    with pytest.raises(SettingError, match="penalty"):
        ridge(np.ones((4, 3)), np.ones((4, 1)), 0.0)
    with pytest.raises(ShapeError, match=r"\(T, 3\)"):
        sums.add(np.ones((4, 2)), np.ones((4, 1)))


# Letters --------------------------------------------------------------------------------------


def test_the_next_symbol_of_a_cycle_is_learned():
    draws = drawn(units=30, inputs=3)
    reservoir = scale_reservoir(draws, ReservoirSettings(0.5))
    text = np.tile([0, 1, 2, 1], 600)  # after 1 comes 2 or 0: only the past says which
    readout = gather_next_symbols(reservoir, text, rows=4, washout=20, chunk=50).solve(1e-6)
    model = ReservoirLanguageModel(reservoir, readout)
    losses = carried_losses(model, torch.from_numpy(text[:40]))
    assert losses[10:].max() < 0.02
    assert model.parameter_count == 30 * 3 + 3


def test_gathering_is_ridge_regression_on_all_states_after_the_washout():
    reservoir = scale_reservoir(drawn(units=6, inputs=3), ReservoirSettings(0.5))
    text = torch.randint(3, (101,), generator=generator(5)).numpy()
    found = gather_next_symbols(reservoir, text, rows=2, washout=7, chunk=10).solve(0.3)
    states = [run_reservoir(reservoir, row[:-1])[7:] for row in (text[:50], text[50:100])]
    targets = [np.eye(3)[row[8:]] for row in (text[:50], text[50:100])]
    expected = ridge(np.concatenate(states), np.concatenate(targets), 0.3)
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-10)
    with pytest.raises(ShapeError, match="at least"):
        gather_next_symbols(reservoir, text, rows=50)


def test_probabilities_are_raised_to_the_floor_and_sum_to_1():
    reservoir = scale_reservoir(drawn(units=2, inputs=3), ReservoirSettings(0.5))
    readout = Readout(np.zeros((2, 3)), np.array([0.6, -0.5, 0.1]))
    model = ReservoirLanguageModel(reservoir, readout, floor=0.1)
    logs, state = model(torch.zeros((2, 4), dtype=torch.int64), model.initial_state(2))
    assert logs.shape == (2, 4, 3)
    assert state[0].shape == (2, 2)
    np.testing.assert_allclose(logs[1, 3].exp(), [0.75, 0.125, 0.125])
    with pytest.raises(ShapeError):
        ReservoirLanguageModel(reservoir, Readout(np.zeros((3, 3)), np.zeros(3)))
    with pytest.raises(SettingError, match="floor"):
        ReservoirLanguageModelConfig(2, 3, 0.0)


def test_reading_in_two_pieces_is_reading_at_once():
    reservoir = scale_reservoir(drawn(units=5, inputs=3), ReservoirSettings(0.9))
    model = ReservoirLanguageModel(reservoir, Readout(np.ones((5, 3)), np.ones(3)))
    tokens = torch.tensor([[0, 2, 1, 1]])
    whole, _ = model(tokens, model.initial_state(1))
    first, state = model(tokens[:, :2], model.initial_state(1))
    second, _ = model(tokens[:, 2:], state)
    torch.testing.assert_close(torch.cat([first, second], 1), whole)


def test_a_reservoir_knows_what_it_is_made_of():
    reservoir = Reservoir(np.ones((2, 1)), np.eye(2), np.zeros(2), 0.5)
    np.testing.assert_allclose(reservoir.linearised, np.eye(2))
    draws = ReservoirDraws(np.eye(2), np.ones((2, 1)), np.zeros(2), np.array([1.0 + 0j, -3.0]))
    assert draws.radius == 3.0
