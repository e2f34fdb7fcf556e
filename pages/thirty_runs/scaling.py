"""Scaling: networks of six sizes on a text whose entropy is known, and how far their line reaches."""

from collections.abc import Mapping
from statistics import fmean
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.thirty_runs import scaling as law
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN
from pages.shared.numbers import percent, significant
from pages.thirty_runs import networks
from pages.thirty_runs.picture import RUNS, Runs, runs_of, share_out, so_far

NAME = "Scaling"
_RATES = tuple(f"{rate:g}" for rate in law.RATES)
_LINE, _NEXT = "fitted line", "next network"
_STYLES = {_LINE: page.LineStyle(BLUE), _NEXT: page.LineStyle(GREEN)}
_X = page.Axis("weights of the network", (400.0, 80_000.0), True, (500, 2_000, 10_000, 50_000))


class Scaling(NamedTuple):
    """What all networks have in common, and how many are trained."""

    rate: str = page.field(page.choice, "Learning rate", _RATES, width=130)
    runs: int = page.field(page.pick, "Trainings", RUNS, 30, width=110)


def _before(settings: Mapping[str, str], number: int) -> float:
    """Return what a training of that number came to when the lab made it."""
    seed, size = divmod(number, len(law.SIZES))
    return _measured(settings["rate"])[size].above_entropy[seed]


def _measured(rate: str) -> list[law.ScaledNetwork]:
    return page.shipped(law.ScalingResults).at(float(rate))


def _train(settings: Mapping[str, str], number: int) -> float:
    seed, size = divmod(number, len(law.SIZES))
    return networks.trained(law.SIZES[size], float(settings["rate"]), seed)


class _Scaled(NamedTuple):
    """What networks of one learning rate came to."""

    sizes: list[int]  # weights of each network, the next one's last
    # what was lost above the entropy, of the sizes that have been trained
    by_size: dict[int, list[float]]
    next: float  # what the next network loses, on average over its seeds

    @property
    def line(self) -> law.PowerLaw | None:
        """The line through all sizes; None as long as there are fewer than two."""
        means = {n: fmean(values) for n, values in self.by_size.items()}
        return law.fit_power_law(means) if len(means) > 1 else None

    @property
    def beyond(self) -> float:
        """How many times the line's value the next network loses; 1 without a line."""
        return self.next / self.line.at(self.sizes[-1]) if self.line else 1.0


def _scaled(runs: Runs) -> _Scaled:
    measured = _measured(runs.settings["rate"])
    sizes = [network.parameters for network in measured]
    return _Scaled(sizes, networks.by_setting(runs, sizes[:-1]), fmean(measured[-1].above_entropy))


def scaling(screen: page.FirstScreen) -> None:
    """Draw what networks of each size come to, the line through them, and the next network."""
    chosen = page.controls(Scaling, screen)
    settings = {"rate": chosen.rate}
    runs = runs_of(NAME, settings, chosen.runs, _before)
    scaled = _scaled(runs)
    largest, last = scaled.sizes[-2:]
    asked = page.ask(
        screen,
        "next",
        f"The line is fitted to networks of up to {largest:,} weights. Where does one of {last:,} weights lie,"
        " trained in the same way?",
        {"On the line": 1.0, "About 40% above it": 1.4, "About 30% below it": 0.7},
        right=lambda: scaled.beyond,
        reason=lambda _: _reason(scaled),
        when=runs.settings["rate"] == page.starts(Scaling).rate and scaled.line is not None,
    )
    with screen.picture:
        st.markdown(f"**{_finding(runs, scaled)}**")
        _draw(runs, scaled, asked)
    share_out(screen, NAME, runs, settings, chosen.runs, _train)
    entropy = page.shipped(law.ScalingResults).entropy
    page.note_beside(
        screen,
        f"Each dot is one network, trained for {law.STEPS} steps on a text that an n-gram model writes, looking back"
        f" at two characters. So its *entropy* is known, {entropy:.2f} nats a character, which no model can"
        " save, and drawn is what a network loses above that. Both axes are logarithmic, because a *power law*"
        " is a straight line there. The entropy of a real text is not known, so there it has to be estimated"
        " together with the line.",
    )


def _finding(runs: Runs, scaled: _Scaled) -> str:
    if scaled.line is None:
        return f"{so_far(runs)}: a line needs networks of two sizes"
    left = percent(2.0**scaled.line.exponent)
    return f"{so_far(runs)}: with twice the weights {left} of the loss above the entropy are left"


def _reason(scaled: _Scaled) -> str:
    slow = _RATES[-1]
    measured = _measured(slow)
    slower = _Scaled(
        scaled.sizes,
        {network.parameters: [*network.above_entropy] for network in measured[:-1]},
        fmean(measured[-1].above_entropy),
    )
    return (
        f"It loses {significant(scaled.next, 3)} nats above the entropy, **{percent(scaled.beyond - 1)} more**"
        f" than the line says. A line reaches only as far as the weights are what limits all networks, and"
        f" here the training does: at a learning rate of {slow} the same network comes to"
        f" {significant(slower.next, 3)}, {percent(slower.beyond - 1)} above the line of that rate. That is why"
        " the settings of a training are found anew for every size before a law is fitted."
    )


def _draw(runs: Runs, scaled: _Scaled, asked: page.Asked[float]) -> None:
    line, last = scaled.line, scaled.sizes[-1]
    fitted = [(float(n), line.at(n)) for n in scaled.sizes] if line else []
    shows_next = line is not None and not asked.masks
    known = scaled.by_size | ({last: [scaled.next]} if shows_next else {})
    networks.show_trainings(
        "scaling",
        runs,
        scaled.sizes[:-1],
        {_LINE: fitted},
        _STYLES,
        (_X, networks.LOSS),
        rings={_NEXT: [(float(last), scaled.next)]} if shows_next else {},
        guess=asked.at(lambda times: (float(last), times * line.at(last)) if line else None),
        waiting=asked.waiting(_NEXT, float(last)),
        beside={
            "mean of the networks": [fmean(known[n]) if n in known else None for n in scaled.sizes],
            "networks": [len(scaled.by_size.get(n, ())) for n in scaled.sizes],
        },
        height=360,
    )
