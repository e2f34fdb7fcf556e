"""Tasks: the Mackey-Glass equation, memory capacity against theory, forecasts, and starting twice."""

import math

import numpy as np
import pytest

from lm_core.errors import SettingError
from lm_core.experiments.reservoir_computing import memory
from lm_core.experiments.reservoir_computing.echo import largest_singular_value, start_twice
from lm_core.experiments.reservoir_computing.series import (
    FIVE_SINES,
    MACKEY_GLASS,
    SERIES,
    TWO_SINES,
    SeriesTask,
    forecast,
    mackey_glass,
    score_forecasts,
    series_task,
    shortened,
    sines,
    study_series,
)
from lm_core.experiments.reservoir_computing.study import CHOSEN, MEMORY, score
from lm_core.models.reservoir import (
    LINEAR,
    ORTHOGONAL,
    SPARSE,
    ReservoirSettings,
    draw_reservoir,
    run_reservoir,
    scale_reservoir,
)
from lm_core.models.ridge import Readout
from lm_core.rng import generator


def reservoir(units=50, seed=1, kind=SPARSE, density=0.2, **settings):
    return scale_reservoir(
        draw_reservoir(units, 1, density, generator(seed), kind), ReservoirSettings(**settings)
    )


# Series ---------------------------------------------------------------------------------------


def test_mackey_glass_before_its_delay_is_an_exponential():
    """While x(t - tau) is the constant start, dx/dt = c - 0.1 x has a solution in closed form."""
    c = 0.2 * 1.2 / (1 + 1.2**10)
    expected = [c / 0.1 + (1.2 - c / 0.1) * math.exp(-0.1 * t) for t in range(1, 18)]
    np.testing.assert_allclose(mackey_glass(17, skipped=0), expected, atol=1e-9)


def test_mackey_glass_is_integrated_to_fourth_order():
    exact = mackey_glass(60, per_step=64, skipped=0)
    errors = [np.abs(mackey_glass(60, per_step=n, skipped=0) - exact).max() for n in (4, 8)]
    assert errors[0] / errors[1] > 8.0
    assert errors[1] < 1e-5


def test_mackey_glass_goes_on_and_refuses_no_steps():
    np.testing.assert_allclose(mackey_glass(5, skipped=10), mackey_glass(15, skipped=0)[10:])
    with pytest.raises(SettingError, match="steps"):
        mackey_glass(0)


def test_sines_are_what_they_say():
    assert sines(3, (0.5,)) == pytest.approx([0.0, math.sin(0.5), math.sin(1.0)])
    with pytest.raises(SettingError, match="name must be one of"):
        series_task("Lorenz")


@pytest.mark.parametrize("name", SERIES)
def test_what_is_forecast_was_never_learned_from(name):
    task = series_task(name)
    assert task.starts.min() >= task.end
    assert task.truths.shape == (len(task.starts), task.horizon)
    assert task.truths[-1, -1] == task.series[-1]
    dev = shortened(task)
    assert len(dev.series) == task.end
    assert (dev.n_train, dev.washout) == (int(0.8 * task.n_train), task.washout)
    assert dev.starts.min() >= dev.end
    assert dev.starts.max() + dev.horizon <= len(dev.series)


def test_a_forecast_reads_what_was_said_before():
    fixed = reservoir(6, spectral_radius=0.5)
    readout = Readout(np.random.default_rng(0).normal(size=(6, 1)), np.array([0.1]))
    starts = run_reservoir(fixed, np.array([[[0.3]], [[0.7]]]))  # (2, 1, 6)
    found = forecast(fixed, readout, starts[:, 0], 3)
    state = starts[1, 0]
    for said in found[1]:
        assert said == pytest.approx(float(readout(state)[0]))
        state = run_reservoir(fixed, np.array([[said]]), state)[0]


def test_errors_are_relative_to_the_series_and_bounded():
    series = np.array([0.0, 2.0, 0.0, 2.0, 0.0, 2.0])
    task = SeriesTask("", series, 0, 1, np.array([1, 3]), 2)
    assert score_forecasts(task, task.truths).errors.tolist() == [0.0, 0.0]
    assert score_forecasts(task, task.truths + np.array([[1.0, 0.0]])).errors.tolist() == [1.0, 0.0]
    wild = score_forecasts(task, np.full((2, 2), np.nan))
    assert wild.errors.tolist() == [10.0, 10.0]
    assert wild.steps_below(1.0) == 0
    assert score_forecasts(task, task.truths).steps_below(1.0) == 2


def test_a_linear_reservoir_of_few_units_goes_on_with_two_sines():
    """Two sines obey a linear recurrence of order four."""
    found = study_series(
        reservoir(8, kind=ORTHOGONAL, spectral_radius=0.9, activation=LINEAR),
        series_task(TWO_SINES),
        1e-12,
    )
    assert found.errors[83] < 1e-4


@pytest.mark.parametrize("name", [MACKEY_GLASS, TWO_SINES])
def test_a_reservoir_forecasts_far_better_than_the_mean(name):
    leak, scale, penalty = CHOSEN[name]
    fixed = reservoir(100, spectral_radius=1.0, leak=leak, input_scale=scale)
    assert study_series(fixed, series_task(name), penalty).errors[83] < 0.3


# Memory ---------------------------------------------------------------------------------------


def test_targets_are_the_inputs_so_many_steps_ago():
    task = memory.MemoryTask(np.arange(20.0), 3, 5, 10)
    assert task.targets.shape == (15, 3)
    assert task.targets[0].tolist() == [4.0, 3.0, 2.0]
    assert task.targets[-1].tolist() == [18.0, 17.0, 16.0]


def test_squared_correlations_are_numpys_and_0_for_what_never_changes():
    random = np.random.default_rng(2)
    a, b = random.normal(size=(30, 2)), random.normal(size=(30, 2))
    b[:, 1] = 3.0
    found = memory.squared_correlations(a, b)
    assert found[0] == pytest.approx(np.corrcoef(a[:, 0], b[:, 0])[0, 1] ** 2)
    assert found[1] == 0.0


def test_a_delay_line_remembers_as_many_inputs_as_it_has_units():
    line = reservoir(5, spectral_radius=0.5, activation=LINEAR)._replace(
        weight_hh=np.eye(5, k=-1), weight_ih=np.eye(5)[:, :1], bias=np.zeros(5)
    )
    found = memory.memory_capacity(line, memory.memory_task(delays=20), 1e-8)
    # The fifth unit's input is the present one.
    np.testing.assert_allclose(found[:4], 1.0, atol=1e-9)
    assert found[4:].max() < 0.02
    np.testing.assert_allclose(
        memory.linear_memory(line, 6, reach=50), [1, 1, 1, 1, 1, 0, 0], atol=1e-9
    )


def test_a_linear_reservoir_has_the_memory_of_theory_and_no_more_than_n():
    linear = reservoir(
        8, density=1.0, spectral_radius=0.8, leak=0.9, input_scale=0.5, activation=LINEAR
    )
    theory = memory.linear_memory(linear, 199)
    assert theory.sum() == pytest.approx(8.0, abs=1e-3)
    found = memory.memory_capacity(linear, memory.memory_task(), 1e-8)
    np.testing.assert_allclose(found[:15], theory[1:16], atol=0.06)
    assert found.sum() < 8.0 + 0.3


def test_a_stronger_input_leaves_less_memory():
    weak, strong = (
        memory.memory_capacity(
            reservoir(spectral_radius=0.95, input_scale=scale), memory.memory_task(), 1e-8
        ).sum()
        for scale in (0.01, 1.0)
    )
    assert weak > 1.5 * strong
    assert score(MEMORY, ORTHOGONAL, 0.01, 0.95, 3) > 80.0
    assert score(FIVE_SINES, SPARSE, 0.1, 0.1, 3) > 0.5


# Starting twice -------------------------------------------------------------------------------


def test_a_contraction_forgets_and_an_undriven_large_radius_does_not():
    contraction = reservoir(spectral_radius=0.3)
    assert largest_singular_value(contraction) < 1.0
    found = start_twice(contraction, generator(1))
    assert found.forgotten_after is not None
    assert (np.diff(found.distances[:20]) < 0).all()
    assert found.rate < largest_singular_value(contraction)
    silent = start_twice(reservoir(spectral_radius=1.4, input_scale=0.0), generator(1))
    assert silent.forgotten_after is None
    assert silent.distances[-1] > 0.05


def test_a_strong_input_makes_a_large_radius_forget():
    found = start_twice(reservoir(spectral_radius=1.3, input_scale=2.0), generator(1))
    assert found.forgotten_after is not None
    assert found.states.shape == (201, 2, 50)
    with pytest.raises(SettingError, match="steps"):
        start_twice(reservoir(), generator(1), 0)
