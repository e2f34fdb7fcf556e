"""Learning rates: the same network at six of them, and where it loses least."""

from collections.abc import Mapping
from statistics import fmean

import streamlit as st

from lm_core.experiments.thirty_runs import scaling as law
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.numbers import significant
from pages.thirty_runs import networks
from pages.thirty_runs.picture import Runs, runs_of, share_out, so_far

NAME = "Learning rates"
_MEAN = "mean"
_STYLES = {_MEAN: page.LineStyle(BLUE)}
_X = page.Axis("learning rate of the first step", (0.0008, 0.4), True, law.SWEPT)


def _before(settings: Mapping[str, str], number: int) -> float:
    """Return what a training of that number came to when the lab made it."""
    seed, rate = divmod(number, len(law.SWEPT))
    return _measured(settings["weights"])[rate].above_entropy[seed]


def _measured(weights: str) -> list[law.ScaledNetwork]:
    return page.shipped(law.ScalingResults).of(int(weights.replace(",", "")))


def _train(settings: Mapping[str, str], number: int) -> float:
    seed, rate = divmod(number, len(law.SWEPT))
    return networks.trained(networks.swept_sizes()[settings["weights"]], law.SWEPT[rate], seed)


def learning_rates(screen: page.FirstScreen) -> None:
    """Draw what a network comes to at each rate, and where it comes lowest."""
    sizes = [*networks.swept_sizes()]
    with screen.controls:
        weights = page.choice("weights", "Weights of the network", sizes, width=170)
        n_runs = networks.choose_trainings()
    runs = runs_of(NAME, {"weights": weights}, n_runs, _before)
    found = networks.by_setting(runs, law.SWEPT)
    shared = runs.settings["weights"]
    asked = page.ask(
        screen,
        "rate",
        f"A network of {shared} weights is trained for {law.STEPS} steps. At which learning rate does it lose least?",
        {f"{rate:g}": rate for rate in law.SWEPT},
        right=lambda: f"{networks.best_of(found):g}",
        reason=lambda _: _reason(found, shared),
        when=shared == sizes[0] and len(found) == len(law.SWEPT),
    )
    with screen.picture:
        st.markdown(f"**{_finding(runs, found, is_masked=asked.masks)}**")
        _draw(runs, found, asked)
    share_out(screen, NAME, runs, {"weights": weights}, n_runs, _train)
    page.note_beside(
        screen,
        "Each dot is one training of the same network, from random weights of its own, at one of six learning"
        f" rates, which falls to 0 along half a cosine. After {law.STEPS} small steps it has not come far, while"
        " large ones are too coarse, so the best rate lies between. Both axes are logarithmic, because rates are"
        " compared by their ratio.",
    )


def _finding(runs: Runs, found: Mapping[float, list[float]], *, is_masked: bool) -> str:
    if is_masked or not found:
        return f"{so_far(runs)} at {len(law.SWEPT)} learning rates. Where is the lowest loss?"
    best = networks.best_of(found)
    lowest = significant(fmean(found[best]), 2)
    return f"{so_far(runs)}: at {best:g} the network loses least, {lowest} nats above the entropy"


def _reason(found: Mapping[float, list[float]], shown: str) -> str:
    """Say what holds, and at which rate the largest network does best."""
    largest = [*networks.swept_sizes()][-1]
    best = min(_measured(largest), key=lambda network: fmean(network.above_entropy))
    low, high = (significant(fmean(found[rate]), 2) for rate in (law.SWEPT[0], law.SWEPT[-1]))
    return (
        f"**{networks.best_of(found):g}**: at {law.SWEPT[0]:g} it loses {low} nats above the entropy, because {law.STEPS}"
        f" such small steps do not bring it far, and at {law.SWEPT[-1]:g} it loses {high}. The network of {largest}"
        f" weights does best at {best.rate:g}, so a rate that was found on the network of {shown} would not"
        " have been the best for it."
    )


def _draw(runs: Runs, found: Mapping[float, list[float]], asked: page.Asked[float]) -> None:
    seen = {} if asked.masks else {rate: fmean(found[rate]) for rate in law.SWEPT if rate in found}
    networks.show_trainings(
        "rates",
        runs._replace(made=runs.made[: 1 if asked.masks else None]),
        law.SWEPT,
        {_MEAN: [*seen.items()]},
        _STYLES,
        (_X, networks.LOSS),
        beside={"trainings": [len(found[rate]) for rate in seen]},
        height=320,
    )
