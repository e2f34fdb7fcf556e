"""Which number of which unit is looked at, and what was measured of it."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.text_spans import KINDS
from lm_core.analysis.unit_activations import CELL, HIDDEN
from lm_core.experiments.inside_a_writer.results import UnitResults
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import page

NAMES = {CELL: "cell state c", HIDDEN: "hidden state h"}
PICKED = "writer_picked_unit"
"""A unit that was just picked in a picture, until its control is drawn."""


class Levels(NamedTuple):
    """The activations between which a unit switches."""

    off: float
    on: float

    @property
    def is_reversed(self) -> bool:
        """Whether the unit is on where its number is low."""
        return self.on < self.off

    def share(self, activation: np.ndarray) -> np.ndarray:
        """Return how far on the unit is, from 0 to 1."""
        return np.clip((activation - self.off) / (self.on - self.off), 0.0, 1.0)


class Unit(NamedTuple):
    """One number of one unit."""

    number: int  # among all units
    part: str  # `CELL` or `HIDDEN`
    levels: Levels
    kind: str | None  # what it was found to go with


results = partial(page.shipped, UnitResults)
"""Returns the shipped scores and activations; raises ResultError if they cannot be read."""


def best_units(of: UnitResults) -> list[int]:
    """Return the units that go best with each kind, in the order of the kinds, each once."""
    best = [of.of_kind(kind, part).units[0].unit for kind in KINDS for part in (CELL, HIDDEN)]
    return list(dict.fromkeys(best))


def choose_unit(meta: CheckpointMeta) -> int:
    """Draw the choice of the unit, those that were found for a kind first, and return its number."""
    if (picked := st.session_state.pop(PICKED, None)) is not None:
        st.session_state["unit"] = picked
    found, titles = best_units(results()), unit_titles(meta)
    units = [*found, *(u for u in titles if u not in found)]
    return page.choice(
        "unit", "Unit", units, format_func=titles.__getitem__, width=270, persist_state="page"
    )


def n_units(meta: CheckpointMeta) -> int:
    """Return how many units the model has, in all layers."""
    return int(meta.config["layers"] * meta.config["hidden_size"])


def unit_name(meta: CheckpointMeta, number: int) -> str:
    """Return a unit's layer and place, both from 1."""
    layer, place = divmod(number, int(meta.config["hidden_size"]))
    return f"{layer + 1}.{place + 1}"


def unit_titles(meta: CheckpointMeta) -> dict[int, str]:
    """Return each unit's name, with that for which it was found best behind it, if for anything."""
    fits = [
        (abs(score.held_out), score.unit, k.kind) for k in results().scores for score in k.units
    ]
    kinds = {unit: f" · {kind}" for _, unit, kind in sorted(fits)}  # the best comes last, and stays
    return {u: unit_name(meta, u) + kinds.get(u, "") for u in range(n_units(meta))}


def choose_state() -> str:
    """Draw which of a unit's two numbers is looked at, and return its letter."""
    return page.segments(
        "state",
        "Activation",
        (CELL, HIDDEN),
        format_func=NAMES.__getitem__,
        persist_state="page",
        help="The *cell state* is the unit's memory; the *hidden state* h = o · tanh(c) is what the"
        " output gate lets out of it, so it may be near 0 while the memory is not. It goes to the next layer"
        " or the output, and to its own layer at the next character.",
    )


def unit_of(number: int, part: str) -> Unit:
    """Return a unit with the levels between which it switches: for its kind, or its range."""
    measured = results()
    if found := measured.found(number, part):
        kind, score = found
        return Unit(number, part, Levels(score.outside, score.inside), kind.kind)
    low, high = measured.levels[part][:, number].tolist()
    return Unit(number, part, Levels(low, max(high, low + 1e-6)), None)
