"""Two bells of lengths, and what Bayes' rule makes of them: a sigmoid, or a curve that bends back."""

from typing import NamedTuple

import streamlit as st
import torch

from lm_core.experiments.estimation.reasons import Bell, LogOdds, log_odds
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION
from pages.shared.numbers import percent, significant

_LONGEST = 30.0  # cm
_LENGTHS = torch.linspace(0.0, _LONGEST, 121, dtype=torch.float64)
_KNOWN = {"bee hummingbird, a bird": 5.0, "birdwing, a butterfly": 8.0}
"""Two animals of the blog series' post on statistics, with their lengths in cm: the longer one is no bird."""
_POSTERIOR, _BIRDS, _OTHERS = "P(bird | length)", "birds", "others"
_DOUBLED = "with birds spread twice as wide as others"
_STYLES = {
    _POSTERIOR: LineStyle(PURPLE),
    _DOUBLED: LineStyle(GREEN, 2),
    _BIRDS: LineStyle(BLUE),
    _OTHERS: LineStyle(VERMILLION, 1),
}
_ACROSS = Axis("length (cm)", (0.0, _LONGEST))
_RISES, _FALLS, _STAYS = "It rises again", "It falls to 0", "It goes to the share of birds"


class _Bells(NamedTuple):
    """All that the two bells depend on."""

    birds_mean: float = page.field(
        page.slider, "Birds: mean length", 2.0, 28.0, 14.0, 1.0, width=170
    )
    birds_spread: float = page.field(page.slider, "Birds: spread", 1.0, 8.0, 3.0, 0.5, width=170)
    others_mean: float = page.folded(page.slider, "Others: mean length", 2.0, 28.0, 8.0, 1.0)
    others_spread: float = page.folded(page.slider, "Others: spread", 1.0, 8.0, 3.0, 0.5)
    birds_share: int = page.folded(page.slider, "Birds among all animals, %", 5, 95, 50, 5)

    @property
    def birds(self) -> Bell:
        return Bell(self.birds_mean, self.birds_spread)

    @property
    def others(self) -> Bell:
        return Bell(self.others_mean, self.others_spread)

    @property
    def share(self) -> float:
        return self.birds_share / 100.0

    @property
    def odds(self) -> LogOdds:
        return log_odds(self.birds, self.others, self.share)


def why_sigmoid(screen: page.FirstScreen) -> None:
    """Draw both bells and beside them the probability that an animal of a length is a bird."""
    bells = page.controls(_Bells, screen)
    odds = bells.odds
    is_straight = odds.square == 0.0
    doubled = log_odds(Bell(bells.birds_mean, 2.0 * bells.others_spread), bells.others, bells.share)
    asked = _ask(screen, doubled)
    hidden = () if is_straight else asked.hides(_POSTERIOR)
    weighed = {
        _BIRDS: bells.share * bells.birds.log_density(_LENGTHS).exp(),
        _OTHERS: (1.0 - bells.share) * bells.others.log_density(_LENGTHS).exp(),
    }
    highest = max(float(values.max()) for values in weighed.values())
    with screen.picture:
        st.markdown(f"**{_finding(is_straight, is_hidden=bool(hidden))}**")
        left, right = st.columns(2, gap="medium")
        with left:
            page.show_lines(
                "bells_densities",
                {name: _pairs(values) for name, values in weighed.items()},
                _STYLES,
                _ACROSS,
                Axis("share of all animals, per cm", (0.0, 1.05 * highest)),
                has_names=False,
                is_small=True,
            )
        with right:
            page.show_lines(
                "bells_posterior",
                {
                    _POSTERIOR: _pairs(odds.posterior(_LENGTHS)),
                    _DOUBLED: _pairs(doubled.posterior(_LENGTHS)),
                },
                _STYLES,
                _ACROSS,
                Axis(_POSTERIOR, (0.0, 1.0), form=".0%"),
                hidden={*hidden, *asked.hides(_DOUBLED)},
                dots={} if hidden else {name: [(at, _at(odds, at))] for name, at in _KNOWN.items()},
                has_names=False,
                is_small=True,
            )
    page.note_beside(screen, _explained(bells, odds, is_hidden=bool(hidden)))


def _finding(is_straight: bool, *, is_hidden: bool) -> str:
    if is_straight:
        return "Bells of equal width: P(bird | length) is a sigmoid, exactly"
    return f"Bells of unequal width: {'what becomes of the sigmoid?' if is_hidden else 'the curve bends back'}"


def _ask(screen: page.FirstScreen, doubled: LogOdds) -> page.Asked[str]:
    curve = doubled.posterior(_LENGTHS)
    return page.ask(
        screen,
        "bells",
        "Where both bells are equally wide, P(bird) is a sigmoid. Let the birds have *twice* the spread of"
        " the others. What does P(bird) do towards the shortest animals?",
        (_FALLS, _RISES, _STAYS),
        right=_RISES,
        reason="The wide bell falls off more slowly **on both sides**, so far enough to the left most"
        " animals come from it, because the narrow bell has hardly any there. The dotted curve is that of"
        " birds with twice the spread of the others.",
        when=bool(curve[0] > 1.1 * curve.min()),  # else the picture ends before it rises
    )


def _explained(bells: _Bells, odds: LogOdds, *, is_hidden: bool) -> str:
    rule = (
        "The blue and the red bell (dashed) are the lengths of birds and of others, each times its share of"
        " all animals. *Bayes' rule* makes P(bird | length) of them: blue divided by blue plus red, because"
        " all animals of that length are one or the other. That is the *sigmoid* of the logarithm of blue over red."
    )
    if is_hidden:
        return f"{rule} With unequal widths that logarithm has a term in the square of the length."
    if odds.square == 0.0:
        return (
            f"{rule} Equal widths have the same x² in both exponents, so it cancels, and what is left is"
            f" a straight line: **{significant(odds.slope, 3)} · length"
            f" {_signed(odds.constant)}**. So logistic regression is exactly right here; it is not because"
            f" a sigmoid looks like a step. {_examples(odds)}"
        )
    return (
        f"{rule} The widths differ, so an x² stays: {significant(odds.square, 2)} · length²"
        f" {_signed(odds.slope)} · length {_signed(odds.constant)}. A straight line cannot follow that, and"
        f" neither can logistic regression without the square as a feature. {_examples(odds)}"
    )


def _examples(odds: LogOdds) -> str:
    said = " and ".join(f"{percent(_at(odds, at))} to a {name}" for name, at in _KNOWN.items())
    return f"The grey dots: it gives {said}, because length is all that it knows."


def _at(odds: LogOdds, length: float) -> float:
    return float(odds.posterior(torch.tensor(length, dtype=torch.float64)))


def _pairs(values: torch.Tensor) -> list[tuple[float, float]]:
    return list(zip(_LENGTHS.tolist(), values.tolist(), strict=True))


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'} {significant(abs(value), 3)}"
