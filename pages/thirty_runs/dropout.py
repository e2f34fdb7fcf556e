"""Dropout: the same network at six dropout rates, and where it loses least when there is little to learn from."""

from collections.abc import Mapping
from statistics import fmean

import streamlit as st

from lm_core.experiments.thirty_runs import scaling as law
from lm_core.experiments.thirty_runs.runs import running_means
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.numbers import significant
from pages.shared.registry import page_at
from pages.thirty_runs import networks
from pages.thirty_runs.picture import Runs, runs_of, share_out, so_far

NAME = "Dropout"
_MEAN = "mean"
_STYLES = {_MEAN: page.LineStyle(BLUE)}
_EXAMPLES = {f"{n:,}": n for n in law.FEW}
_ASKED = f"{law.FEW[1]:,}"
_X = page.Axis("share of hidden units switched off", (-0.05, 0.95), values=law.DROPOUTS)


def _before(settings: Mapping[str, str], number: int) -> float:
    """Return what a training of that number came to when the lab made it."""
    seed, at = divmod(number, len(law.DROPOUTS))
    results = page.shipped(law.ScalingResults)
    return results.dropped_of(_EXAMPLES[settings["examples"]])[at].above_entropy[seed]


def _train(settings: Mapping[str, str], number: int) -> float:
    seed, at = divmod(number, len(law.DROPOUTS))
    few = _EXAMPLES[settings["examples"]]
    size, rate, dropout = law.DROPPED_SIZE, law.DROPPED_RATE, law.DROPOUTS[at]
    return networks.trained(size, rate, seed, dropout=dropout, n_examples=few)


def dropout(screen: page.FirstScreen) -> None:
    """Draw what a network comes to with each dropout rate, and where it comes lowest."""
    with screen.controls:
        examples = page.choice(
            "examples", "Examples to learn from", [*_EXAMPLES], _ASKED, width=180
        )
        n_runs = networks.choose_trainings()
    chosen = {"examples": examples}
    runs = runs_of(NAME, chosen, n_runs, _before)
    found = networks.by_setting(runs, law.DROPOUTS)
    shared = runs.settings["examples"]
    asked = page.ask(
        screen,
        "dropped",
        f"A network learns from {shared} examples, and *dropout* switches off a share of its hidden units,"
        " others at each step. With which share does it lose least on new text?",
        {f"{rate:g}": rate for rate in law.DROPOUTS},
        right=lambda: f"{networks.best_of(found):g}",
        reason=lambda _: _reason(found, shared),
        when=shared == _ASKED and len(found) == len(law.DROPOUTS),
    )
    with screen.picture:
        st.markdown(f"**{_finding(runs, found, is_masked=asked.masks)}**")
        _draw(runs, found, asked)
    share_out(screen, NAME, runs, chosen, n_runs, _train)
    page.note_beside(
        screen,
        f"Each dot is one training of the same network of {networks.weights_of(law.DROPPED_SIZE)} weights from"
        " random numbers of its own, with one of six dropout rates. All learn from the same few examples, and what they lose is measured over the whole"
        " text that the examples were drawn from, with all units on. The band about the mean is two *standard errors*"
        " to each side, so rates whose bands overlap cannot be told apart.",
    )
    with screen.beside:
        st.page_link(page_at("overfitting").path, label="What else helps against overfitting")


def _nats(found: Mapping[float, list[float]], rate: float) -> str:
    return significant(fmean(found[rate]), 3)


def _finding(runs: Runs, found: Mapping[float, list[float]], *, is_masked: bool) -> str:
    if is_masked or not found:
        return f"{so_far(runs)} at {len(law.DROPOUTS)} dropout rates. Where is the lowest loss?"
    best = networks.best_of(found)
    without = f", without dropout {_nats(found, 0.0)}" if best and 0.0 in found else ""
    return (
        f"{so_far(runs)}: at {best:g} the network loses least, {_nats(found, best)} nats above the"
        f" entropy{without}"
    )


def _reason(found: Mapping[float, list[float]], shown: str) -> str:
    best, most = networks.best_of(found), law.DROPOUTS[-1]
    return (
        f"**{best:g}**: it loses {_nats(found, best)} nats above the entropy, and without dropout"
        f" {_nats(found, 0.0)}, because a network that is never disturbed also learns by heart what is accidental in"
        f" its {shown} examples. At {most:g} it loses {_nats(found, most)}, since of"
        f" {law.DROPPED_SIZE[0]} units about {law.DROPPED_SIZE[0] * (1 - most):.0f} are left at each step,"
        " too few for what holds in all text."
    )


def _draw(runs: Runs, found: Mapping[float, list[float]], asked: page.Asked[float]) -> None:
    seen = {} if asked.masks else {rate: found[rate] for rate in law.DROPOUTS if rate in found}
    means = {rate: running_means(values)[-1] for rate, values in seen.items()}
    measured = page.shipped(law.ScalingResults).dropped_of(_EXAMPLES[runs.settings["examples"]])
    all_nats = [nats for network in measured for nats in network.above_entropy]
    networks.show_trainings(
        "dropout_rates",
        runs._replace(made=runs.made[: 1 if asked.masks else None]),
        law.DROPOUTS,
        {_MEAN: [(rate, found.mean) for rate, found in means.items()]},
        _STYLES,
        (_X, page.Axis.around(networks.LOSS.title, all_nats)),
        bands={_MEAN: [(rate, found.low, found.high) for rate, found in means.items()]},
        beside={"trainings": [len(values) for values in seen.values()]},
        height=320,
    )
