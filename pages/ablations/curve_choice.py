"""Which models' curves are drawn, what they are called, and in which colours."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.variants import VARIANTS
from pages.shared.charts.lines import Guesses, LineStyle, Waiting
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION

_STYLES = {
    "full": LineStyle(PURPLE),
    "no-mask": LineStyle(VERMILLION, 1),
    "no-residual": LineStyle(BLUE, 1),
    "no-residual-low-rate": LineStyle(SKY, 2),
    "no-norm": LineStyle(ORANGE, 2),
    "neither": LineStyle(VERMILLION),
    "post-norm": LineStyle(GREEN),
    "no-positions": LineStyle(VERMILLION, 1),
    "one-layer": LineStyle(GREEN, 2),
    "one-head": LineStyle(BLUE),
    "two-heads": LineStyle(SKY, 1),
    "eight-heads": LineStyle(ORANGE, 2),
}


def titled(name: str) -> str:
    """Return a model's title beside models of its own depth, where it need not say how deep it is."""
    return VARIANTS[name].title.removesuffix(", 8 layers")


class Choice(NamedTuple):
    """What is drawn."""

    comparison: str
    names: tuple[str, ...]  # the variants
    text: str  # that of the loss: `TRAINING_TEXT` or `HELD_OUT_TEXT`
    hidden: tuple[str, ...] = ()  # variants whose losses wait for the visitor's guess
    # where the visitor and a class expect the last loss of the model without mask
    guess: Guesses | None = None

    @property
    def waiting(self) -> Waiting | None:
        """The one line whose last loss is asked for; None where several are, or none is."""
        waits = [name for name in self.names if name in self.hidden]
        last = float(results().snapshot_steps[-1])
        return Waiting(titled(waits[0]), last) if len(waits) == 1 else None

    @property
    def drawn(self) -> tuple[str, ...]:
        """The variants with a line."""
        return tuple(name for name in self.names if name not in self.hidden)


@st.cache_resource(max_entries=1, show_spinner=False)
def results() -> AblationResults:
    """Return the trainings that come with the project.

    Raises ResultError if they are missing or damaged.
    """
    return AblationResults.load()


def style_of(name: str) -> LineStyle:
    """Return a variant's line style: one with 8 layers has that of its counterpart with 4."""
    name = name.removeprefix("deep-")
    return _STYLES["full" if name == "deep" else name]


def without_residual() -> str:
    """Return why a transformer without residual connections learns next to nothing."""
    return (
        "Attention averages over tokens, and without the *residual connection* nothing keeps a token's own"
        " vector. So after a few blocks all positions have the same vector (*rank collapse*), and all that"
        " such a model can learn is how frequent each character is: a unigram model's loss is"
        f" {results().unigram_loss:.2f}."
    )


def final_loss(name: str) -> float:
    """Return a variant's last loss on the training text."""
    return results().trainings[name].curve.loss[-1]
