"""Optimisers: the same network trained by three of them, and which learning rate suits which."""

from collections.abc import Mapping
from statistics import fmean

import streamlit as st

from lm_core.experiments.neural_language_model.training import ADAMW, GD, MOMENTUM
from lm_core.experiments.thirty_runs import scaling as law
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, VERMILLION
from pages.shared.numbers import significant
from pages.shared.registry import page_at
from pages.thirty_runs import networks
from pages.thirty_runs.picture import Runs, runs_of, share_out, so_far

NAME = "Optimisers"
_TITLES = {ADAMW: "Adam", MOMENTUM: "momentum", GD: "GD"}
_STYLES = {
    _TITLES[ADAMW]: page.LineStyle(BLUE),
    _TITLES[MOMENTUM]: page.LineStyle(GREEN, 2),
    _TITLES[GD]: page.LineStyle(VERMILLION, 1),
}
_X = page.Axis(
    "learning rate of the first step", (0.0008, 40.0), True, (0.001, 0.01, 0.1, 1.0, 10.0)
)
_SETTINGS = [
    (optimizer, rate)
    for row in zip(*(law.SWEPT_BY[optimizer] for optimizer in _TITLES), strict=True)
    for optimizer, rate in zip(_TITLES, row, strict=True)
]
"""Optimizer and rate of the runs, which take them in turn."""

Found = Mapping[tuple[str, float], list[float]]
"""What the networks of each setting came to."""


def _before(_: Mapping[str, str], number: int) -> float:
    """Return what a training of that number came to when the lab made it."""
    seed, at = divmod(number, len(_SETTINGS))
    optimizer, rate = _SETTINGS[at]
    weights = int(networks.weights_of(law.COMPARED_SIZE).replace(",", ""))
    measured = page.shipped(law.ScalingResults).of(weights, optimizer)
    return measured[law.SWEPT_BY[optimizer].index(rate)].above_entropy[seed]


def _train(_: Mapping[str, str], number: int) -> float:
    seed, at = divmod(number, len(_SETTINGS))
    optimizer, rate = _SETTINGS[at]
    return networks.trained(law.COMPARED_SIZE, rate, seed, optimizer=optimizer)


def optimisers(screen: page.FirstScreen) -> None:
    """Draw what a network comes to at each rate, a line for each optimizer."""
    with screen.controls:
        n_runs = networks.choose_trainings()
    runs = runs_of(NAME, {}, n_runs, _before)
    found = networks.by_setting(runs, _SETTINGS)
    is_asked = len(found) == len(_SETTINGS)
    best = f"{_best(found, ADAMW):g}" if is_asked else ""
    asked = page.ask(
        screen,
        "ratio",
        f"With Adam the network loses least at a learning rate of {best}. Which one suits GD, plain gradient"
        " descent?",
        {"The same": 1.0, "Ten times as large": 10.0, "A hundred times as large": 100.0},
        right=lambda: _best(found, GD) / _best(found, ADAMW),
        reason=lambda _: _reason(found),
        when=is_asked,
    )
    with screen.picture:
        st.markdown(f"**{_finding(runs, found, is_masked=asked.masks)}**")
        _draw(runs, found, asked)
    share_out(screen, NAME, runs, {}, n_runs, _train)
    page.note_beside(
        screen,
        f"Each dot is one training of the same network of {networks.weights_of(law.COMPARED_SIZE)} weights for"
        f" {law.STEPS} steps, from random weights of its own, with one of three optimisers at one of six learning rates. Both axes are logarithmic,"
        " because rates are compared by their ratio. Each line falls and rises again: small steps do not come far,"
        " and large ones are too coarse.",
    )
    with screen.beside:
        st.page_link(page_at("optimisers").path, label="How each optimiser takes its steps")


def _best(found: Found, optimizer: str) -> float:
    return networks.best_of(
        {rate: losses for (by, rate), losses in found.items() if by == optimizer}
    )


def _lowest(found: Found, optimizer: str) -> str:
    return significant(fmean(found[optimizer, _best(found, optimizer)]), 2)


def _finding(runs: Runs, found: Found, *, is_masked: bool) -> str:
    if is_masked or len({optimizer for optimizer, _ in found}) < len(_TITLES):
        return f"{so_far(runs)} with three optimisers. Which learning rate suits which?"
    best = ", ".join(f"{title} at {_best(found, by):g}" for by, title in _TITLES.items())
    return f"{so_far(runs)}: the network loses least with {best}"


def _reason(found: Found) -> str:
    gd, momentum = (_best(found, optimizer) for optimizer in (GD, MOMENTUM))
    lowest = (f"{title} {_lowest(found, by)}" for by, title in _TITLES.items())
    return (
        f"**{gd:g}**, and momentum does best at {momentum:g}. GD multiplies the gradient by the rate, and the gradients"
        " are small here, so only a large rate brings it far. *Momentum* of 0.9 adds up about ten gradients that point"
        " the same way, so a smaller rate gives steps as long. *Adam* divides each gradient by its usual size, so a"
        " weight moves by about the rate itself, however small its gradient is. At their best rates they lose, in"
        f" nats above the entropy: {', '.join(lowest)}."
    )


def _draw(runs: Runs, found: Found, asked: page.Asked[float]) -> None:
    lines = {
        title: [(r, fmean(found[by, r])) for r in law.SWEPT_BY[by] if (by, r) in found]
        for by, title in _TITLES.items()
    }
    hidden = asked.hides(_TITLES[MOMENTUM], _TITLES[GD])
    networks.show_trainings(
        "optimisers",
        networks.of_kind(runs, _SETTINGS, ADAMW) if hidden else runs,
        [rate for _, rate in _SETTINGS],
        lines,
        _STYLES,
        (_X, networks.LOSS),
        hidden=hidden,
        height=360,
    )
