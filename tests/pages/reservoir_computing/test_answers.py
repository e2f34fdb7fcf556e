"""What the answers for teachers say of reservoirs, held to reservoirs that are drawn here."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lm_core.experiments.reservoir_computing import echo, study
from lm_core.experiments.reservoir_computing.memory import memory_capacity, memory_task
from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.series import FIVE_SINES, MACKEY_GLASS, series_task
from lm_core.models.reservoir import (
    LINEAR,
    ORTHOGONAL,
    SPARSE,
    TANH,
    ReservoirSettings,
    draw_reservoir,
    scale_reservoir,
)
from lm_core.rng import generator
from pages.reservoir_computing import letters, letters_choice
from pages.reservoir_computing.measures import best_radius
from pages.reservoir_computing.memory import _FIRST
from pages.reservoir_computing.series_errors import first_of
from pages.reservoir_computing.task_panel import rnn_of
from tests.pages.answering import assert_says

PAGE = "reservoir-computing"
RESULTS = ReservoirResults.load()


# Series -----------------------------------------------------------------------------------------


def forecast(name, **settings):
    """Return the study of the reservoir with which a series opens, with other settings."""
    first = first_of(name)
    chosen = replace(first.settings, **settings)
    drawn = draw_reservoir(first.units, 1, first.density, generator(first.seed), first.kind)
    return study.study_series(
        scale_reservoir(drawn, chosen), series_task(name), first.penalty
    ).errors


def test_a_slow_network_looks_far_ahead():
    slow, fast = forecast(MACKEY_GLASS), forecast(MACKEY_GLASS, leak=1.0)
    assert_says(PAGE, "Set the leaking", f"{slow[83]:.3f} instead of {fast[83]:.1f}")
    assert fast[0] < slow[0]
    assert forecast(FIVE_SINES, leak=0.1)[83] > 5


def test_a_large_penalty_flattens_the_forecast():
    first = first_of(FIVE_SINES)
    task, waves = series_task(FIVE_SINES), []
    for seed in range(1, 9):
        drawn = draw_reservoir(first.units, 1, first.density, generator(seed), first.kind)
        found = study.study_series(scale_reservoir(drawn, first.settings), task, 1.0)
        waves.append(np.std(found.values[0][150:]))
    assert first.seed == 1
    assert [seed for seed, wave in enumerate(waves, 1) if wave > 1e-3] == [3]
    assert_says(PAGE, "Choose *Five sines* and raise", "with seven", "seed 3")


# Memory -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def capacity():
    task = memory_task()

    def measured(kind, radius, *, scale=0.01, units=100, activation=TANH, seed=1):
        drawn = draw_reservoir(units, 1, study.DENSITY, generator(seed), kind)
        settings = ReservoirSettings(radius, 1.0, scale, activation)
        return float(memory_capacity(scale_reservoir(drawn, settings), task, _FIRST.penalty).sum())

    return measured


def test_an_orthogonal_reservoir_keeps_nearly_as_much_as_it_can(capacity):
    found = {radius: capacity(ORTHOGONAL, radius) for radius in (0.9, 0.95, 1.05)}
    assert found[0.9] < found[0.95]
    assert found[0.95] > 97
    assert found[1.05] < 45
    assert_says(PAGE, "Make W orthogonal", "λ = 0.95")


def test_a_stronger_input_leaves_less(capacity):
    strong = [
        capacity(kind, radius, scale=1.0) for kind in (SPARSE, ORTHOGONAL) for radius in (0.95, 1.0)
    ]
    assert all(value == pytest.approx(10, abs=1.6) for value in strong)
    assert_says(PAGE, "Raise the input", "about 10")


def test_how_near_a_linear_reservoir_comes(capacity):
    linear, own = capacity(SPARSE, 1.0, activation=LINEAR), capacity(SPARSE, 1.0)
    assert_says(PAGE, "Under *More*, choose", f"{linear:.0f} of 100", f"{own:.0f}")
    both = [capacity(ORTHOGONAL, 0.95, activation=activation) for activation in (LINEAR, TANH)]
    assert [f"{value:.0f}" for value in both] == ["98", "98"]


def test_the_memory_of_a_quarter_of_the_units(capacity):
    few, all_ = capacity(SPARSE, 1.0, units=25), capacity(SPARSE, 1.0)
    turned, whole = capacity(ORTHOGONAL, 1.0, units=25), capacity(ORTHOGONAL, 1.0)
    said = [f"{few:.1f} of {all_:.1f}", f"{turned:.0f} of {whole:.0f}"]
    assert_says(PAGE, "Take 25 units", "a third", *said, "a fifth")
    assert few / all_ == pytest.approx(1 / 3, abs=0.02)
    assert turned / whole == pytest.approx(1 / 5, abs=0.03)
    for kind in (SPARSE, ORTHOGONAL):
        shares = [
            capacity(kind, 1.0, units=25, seed=seed) / capacity(kind, 1.0, seed=seed)
            for seed in range(1, 6)
        ]
        between = f"between {100 * min(shares):.0f} and {100 * max(shares):.0f} %"
        assert_says(PAGE, "Take 25 units", between)


# Letters ----------------------------------------------------------------------------------------


def test_a_long_echo_disturbs():
    losses = {row.radius: row.loss for row in RESULTS.letters}
    said = [f"{losses[radius]:.2f}" for radius in (0.1, 1.5)]
    assert_says(PAGE, "Move λ to 1.5", f"{said[0]} nats", said[1])


def read(text, radius=0.3):
    return letters._losses.__wrapped__(
        RESULTS, letters_choice.Read(radius, letters_choice._checked(text))
    )


def test_who_notices_a_word_that_comes_again():
    def first_and_last(word):
        losses = read(" ".join([word] * 5)).rnn
        n = len(word)
        return losses[: n - 1].mean(), losses[4 * (n + 1) - 1 :].mean()

    first, last = first_and_last("countess")
    assert_says(PAGE, "Type one word", f"{first:.1f} to {last:.1f} nats")
    assert np.subtract(*first_and_last("Bonaparte")) > 0.8
    assert np.subtract(*first_and_last("harvest")) < 0.5


def test_who_is_less_surprised_by_letters_in_a_random_order():
    drawn = np.random.default_rng(0)
    sentence = list("the prince looked at the countess and said nothing")
    alphabet = list("abcdefghijklmnopqrstuvwxyz")
    shuffled = [read("".join(drawn.permutation(sentence))) for _ in range(5)]
    evenly = [read("".join(drawn.choice(alphabet, 60))) for _ in range(3)]
    for found in (shuffled, evenly):
        ours, theirs = (
            np.mean([getattr(x, name).mean() for x in found]) for name in ("reservoir", "rnn")
        )
        assert_says(PAGE, "Type letters", f"{ours:.1f}", f"{theirs:.1f}")
    assert all(x.reservoir.mean() < x.rnn.mean() for x in (*shuffled, *evenly))


# Echo state -------------------------------------------------------------------------------------


def forgotten(radius, scale, leak=1.0, seed=1):
    """Return two starts of a reservoir, and when they are the same."""
    drawn = draw_reservoir(100, 1, study.DENSITY, generator(seed), SPARSE)
    scaled = scale_reservoir(drawn, ReservoirSettings(radius, leak, scale))
    return echo.start_twice(scaled, generator(1_000 + seed))


def test_without_inputs_starts_meet_below_one():
    rates = {radius: forgotten(radius, 0.0).rate for radius in (0.85, 0.9, 0.95)}
    assert all(rate == pytest.approx(radius, abs=0.02) for radius, rate in rates.items())
    assert forgotten(1.1, 0.0).distances[-1] > 0.1
    assert_says(PAGE, "Set the input scale to 0", "λ = 1")


def test_a_small_leak_remembers_its_start():
    whole, most, few = (
        [forgotten(1.3, 1.0, leak, seed).forgotten_after or math.inf for seed in range(1, 9)]
        for leak in (1.0, 0.8, 0.3)
    )
    sooner = sum(a < b for a, b in zip(most, whole, strict=True))
    said = (
        "in seven of the eight",
        f"after {most[0]} steps instead of {whole[0]}",
        "0.3 none of eight",
    )
    assert sooner == 7
    assert set(few) == {math.inf}
    assert_says(PAGE, "Lower the leaking", *said)


def test_a_strong_input_forgets_the_start():
    after = [forgotten(1.5, 2.0, seed=seed).forgotten_after for seed in range(1, 13)]
    said = f"{round(min(after), -1)} to {round(max(after), -1)} steps"
    assert_says(PAGE, "Find an input", said)
    assert forgotten(1.5, 1.0).rate < 1 < forgotten(1.5, 0.1).rate


# Which λ? ---------------------------------------------------------------------------------------


def test_the_best_radius_rises_with_the_inputs():
    best = [best_radius(RESULTS, study.MEMORY, scale) for scale in study.SCALES]
    assert_says(
        PAGE,
        "Make the inputs",
        f"{best[0]:g} for weak",
        f"{best[1]:.1f} for",
        f"{best[2]:g} for strong",
    )


def test_how_often_a_new_reservoir_is_in_the_band():
    band = RESULTS.quartiles(study.MEMORY, SPARSE, 0.1)
    live = {radius: study.score(study.MEMORY, SPARSE, 0.1, radius, 99) for radius in study.RADII}
    inside = sum(band[r][0] <= value <= band[r][2] for r, value in live.items())
    assert (inside, len(study.RADII)) == (2, 13)
    assert_says(PAGE, "Move the live", "two of thirteen")


def test_where_an_orthogonal_reservoir_is_better():
    def best(task, scale, chosen):
        return chosen(float(row[1]) for row in RESULTS.quartiles(task, ORTHOGONAL, scale).values())

    said = [f"{best(MACKEY_GLASS, 1.0, min):.3f}", f"{rnn_of(RESULTS, MACKEY_GLASS):.2f}"]
    said += [f"{best(FIVE_SINES, 0.01, min):.3f}", f"{rnn_of(RESULTS, FIVE_SINES):.2f}"]
    said += [
        f"{best(study.MEMORY, 0.01, max):.0f}",
        f"{rnn_of(RESULTS, study.MEMORY):.0f}",
        f"{best(study.MEMORY, 1.0, max):.0f}",
    ]
    said += [f"{best(study.LETTERS, 1.0, min):.1f}", f"{RESULTS.rnn_loss:.2f}"]
    assert_says(PAGE, "Where is an", *said)


NOT_COMPUTED = {
    "Under *More*, take 300": "units of the suggestion; the seconds of a training are the machine's"
}
