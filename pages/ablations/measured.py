"""What was measured before the visitor came: the trainings, and the two models that can write."""

import math
from typing import Any

import streamlit as st

from lm_core.experiments.ablations.results import SHIPPED, WithoutResults
from lm_core.experiments.ablations.variants import VARIANTS
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.checkpoints import Checkpoint, load_checkpoint
from pages.shared.charts import LineStyle
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION

CHANCE = round(math.log(len(SOURCE)), 2)
"""Nats per character of who finds all symbols equally likely."""

WHOLE, UNMASKED = "whole", "no-mask"

GROUPS = {
    "The mask": (WHOLE, UNMASKED),
    "Residual and norm": (
        WHOLE,
        "no-residual",
        "no-residual-slowly",
        "no-norm",
        "neither",
        "post-norm",
    ),
    "The same in 8 layers": (
        "deep",
        "deep-no-residual",
        "deep-no-norm",
        "deep-neither",
        "deep-post-norm",
    ),
    "Positions, heads, layers": (
        WHOLE,
        "no-positions",
        "one-layer",
        "one-head",
        "two-heads",
        "eight-heads",
    ),
}
"""What may be compared in one picture, by what the control says."""

ABOUT_GRADIENTS = ("Residual and norm", "The same in 8 layers")
"""The groups whose models differ in how far a gradient gets."""

_LOOKS = {
    WHOLE: LineStyle(PURPLE),
    UNMASKED: LineStyle(VERMILLION, 1),
    "no-residual": LineStyle(BLUE, 1),
    "no-residual-slowly": LineStyle(SKY, 2),
    "no-norm": LineStyle(ORANGE, 2),
    "neither": LineStyle(VERMILLION),
    "post-norm": LineStyle(GREEN),
    "no-positions": LineStyle(VERMILLION, 1),
    "one-layer": LineStyle(GREEN, 2),
    "one-head": LineStyle(BLUE),
    "two-heads": LineStyle(SKY, 1),
    "eight-heads": LineStyle(ORANGE, 2),
}


def look_of(name: str) -> LineStyle:
    """Return how a variant is drawn: one of 8 layers as the one of 4 that lacks the same."""
    name = name.removeprefix("deep-")
    return _LOOKS[WHOLE if name == "deep" else name]


def title_of(name: str) -> str:
    """Return a variant's short name."""
    return VARIANTS[name].title


@st.cache_resource(max_entries=1, show_spinner=False)
def results() -> WithoutResults:
    """Return the trainings that come with the project.

    Raises
    ------
    ResultError
        If they are missing or altered.
    """
    return WithoutResults.load()


@st.cache_resource(max_entries=2, show_spinner=False)
def checkpoint_of(name: str) -> Checkpoint:
    """Return one of the models that can write, shared by all visitors: read it, never change it.

    Raises
    ------
    CheckpointError
        If it is missing or altered.
    """
    return load_checkpoint(SHIPPED / name)


def model_of(name: str) -> TransformerLanguageModel:
    """Return the model of `checkpoint_of`."""
    return checkpoint_of(name).model


def look_at(name: str, step: int) -> dict[str, Any] | None:
    """Return what was seen of a variant after a step; None if it had left the numbers by then."""
    return next((look for look in results()[name]["looks"] if look["step"] == step), None)


def moments() -> list[int]:
    """Return the steps after which the variants were looked at."""
    return [look["step"] for look in results()[WHOLE]["looks"]]
