"""Which models' curves are drawn, what they are called, and in which colours."""

from functools import partial
from typing import NamedTuple

from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.variants import VARIANTS
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION

_STYLES = {
    "full": page.LineStyle(PURPLE),
    "no-mask": page.LineStyle(VERMILLION, 1),
    "no-residual": page.LineStyle(BLUE, 1),
    "no-residual-low-rate": page.LineStyle(SKY, 2),
    "no-norm": page.LineStyle(ORANGE, 2),
    "neither": page.LineStyle(VERMILLION),
    "post-norm": page.LineStyle(GREEN),
    "no-positions": page.LineStyle(VERMILLION, 1),
    "one-layer": page.LineStyle(GREEN, 2),
    "one-head": page.LineStyle(BLUE),
    "two-heads": page.LineStyle(SKY, 1),
    "eight-heads": page.LineStyle(ORANGE, 2),
    "rms-norm": page.LineStyle(SKY),
    "swiglu": page.LineStyle(ORANGE),
    "grouped-queries": page.LineStyle(GREEN, 1),
    "modern": page.LineStyle(BLUE, 2),
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
    guess: page.Guesses | None = None

    @property
    def waiting(self) -> page.Waiting | None:
        """The one line whose last loss is asked for; None where several are, or none is."""
        waits = [name for name in self.names if name in self.hidden]
        last = float(results().snapshot_steps[-1])
        return page.Waiting(titled(waits[0]), last) if len(waits) == 1 else None

    @property
    def drawn(self) -> tuple[str, ...]:
        """The variants with a line."""
        return tuple(name for name in self.names if name not in self.hidden)


results = partial(page.shipped, AblationResults)  # returns the trainings that come with the project


def style_of(name: str) -> page.LineStyle:
    """Return a variant's line style: one with 8 layers has that of its counterpart with 4."""
    name = name.removeprefix("deep-")
    return _STYLES["full" if name == "deep" else name]


def without_residual() -> str:
    """Return why a transformer without residual connections learns next to nothing."""
    return (
        "Attention averages over tokens, and without the *residual connection* nothing keeps a token's own"
        " vector. So after a few blocks all positions probably have nearly the same vector (*rank collapse*),"
        " and then a model can learn little more than how frequent each character is: a unigram model's"
        f" loss is {results().unigram_loss:.2f}."
    )


def final_loss(name: str) -> float:
    """Return a variant's last loss on the training text."""
    return results().trainings[name].curve.loss[-1]
