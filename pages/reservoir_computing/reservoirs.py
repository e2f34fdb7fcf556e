"""The controls of a reservoir, and its draws, which are kept: a moved spectral radius only scales them."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from lm_core.models.reservoir import (
    KINDS,
    SPARSE,
    TANH,
    Reservoir,
    ReservoirDraws,
    ReservoirSettings,
    draw_reservoir,
    scale_reservoir,
)
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION

UNITS = (10, 25, 50, 100, 200, 300)
PENALTIES = (1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1.0)
DENSITIES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
SCALES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
RESERVOIR, LEARNED, SOLVED = "reservoir", "RNN", "RNN, solved"
STYLES = {
    RESERVOIR: page.LineStyle(BLUE),
    LEARNED: page.LineStyle(VERMILLION),
    SOLVED: page.LineStyle(VERMILLION, 1),
}


class Chosen(NamedTuple):
    """A reservoir as its controls say."""

    units: int
    kind: str
    density: float
    seed: int
    settings: ReservoirSettings
    penalty: float  # of its read-out

    def draws(self) -> ReservoirDraws:
        """Return what is drawn before anything is scaled."""
        return _draws(self.units, self.kind, self.density, self.seed)

    def reservoir(self) -> Reservoir:
        """Return the reservoir."""
        return scale_reservoir(self.draws(), self.settings)

    @property
    def in_words(self) -> str:
        """How its recurrent weights came about."""
        return "random orthogonal" if self.kind != SPARSE else "random sparse"


@st.cache_resource(max_entries=48, show_spinner=False)
def _draws(units: int, kind: str, density: float, seed: int) -> ReservoirDraws:
    with page.model_calls:
        return draw_reservoir(units, 1, density, generator(seed), kind)


class Offer(NamedTuple):
    """What a part of the page begins with, and what of it stands in the row of its controls."""

    name: str  # prefix of the controls' names: each part keeps its own
    first: Chosen
    # of ``kind``, ``leak`` and ``input_scale``; the others are behind *More*
    in_row: tuple[str, ...]
    has_readout: bool = True  # whether anything is read out
    activations: Sequence[str] = (TANH,)  # that can be chosen; with one, there is no choice


def choose_reservoir(screen: page.FirstScreen, offer: Offer) -> Chosen:
    """Draw the controls of a reservoir, and return it."""
    with screen.controls:
        radius = page.slider(
            f"{offer.name}_radius",
            "Spectral radius λ",
            0.0,
            1.5,
            offer.first.settings.spectral_radius,
            0.05,
            width=170,
        )
        found = {part: _choose(part, offer) for part in offer.in_row}
        with st.popover("More", icon=":material/tune:"):
            rest = [p for p in ("kind", "leak", "input_scale") if p not in offer.in_row]
            found |= {part: _choose(part, offer) for part in rest}
            units = _option(offer, "units", "Units N", UNITS, offer.first.units)
            density = _option(offer, "density", "Connected pairs", DENSITIES, offer.first.density)
            penalty = offer.first.penalty
            if offer.has_readout:
                penalty = _option(offer, "penalty", "Ridge penalty", PENALTIES, penalty)
            activation = TANH
            if len(offer.activations) > 1:
                activation = page.choice(
                    f"{offer.name}_activation", "Activation", offer.activations
                )
            seed = page.number(
                f"{offer.name}_seed", "Seed of the weights", 0, 999, offer.first.seed
            )
    settings = ReservoirSettings(
        float(radius), float(found["leak"]), float(found["input_scale"]), str(activation)
    )
    return Chosen(
        int(units), str(found["kind"]), float(density), int(seed), settings, float(penalty)
    )


def _option(offer: Offer, part: str, label: str, options: Sequence[float], first: float) -> float:
    return page.pick(
        f"{offer.name}_{part}", label, options, first, format_func=lambda value: f"{value:g}"
    )


def _choose(part: str, offer: Offer) -> float | str:
    first = offer.first.settings
    if part == "kind":
        return str(
            page.control(
                st.selectbox,
                f"{offer.name}_kind",
                "Random matrix W",
                KINDS,
                KINDS.index(offer.first.kind),
                width=150,
            )
        )
    if part == "leak":
        return page.slider(
            f"{offer.name}_leak", "Leaking rate a", 0.05, 1.0, first.leak, 0.05, width=150
        )
    return page.pick(
        f"{offer.name}_input_scale",
        "Input scale",
        SCALES,
        first.input_scale,
        format_func=lambda value: f"{value:g}",
        width=150,
    )
