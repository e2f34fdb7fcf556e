"""GPT's recipe: tuned for a class, a causal model goes on predicting text; what the weight of that does."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.experiments.fine_tuning.learning_curves import Measured, auxiliary_curve, value_at
from lm_core.experiments.fine_tuning.study import AUXILIARY_SEEDS, WEIGHTS, AuxiliaryPoint
from pages.fine_tuning.subject import results
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREEN, PURPLE
from pages.shared.numbers import percent, written

_FIRST_WEIGHT = 0.3
_FIRST_LABELLED = max(AUXILIARY_SEEDS)
"""With few labels the author is guessed at chance, whatever the weight."""
_LEAST = 0.03
"""Where 0 stands on the logarithmic axis."""
_MEAN, _CHOSEN = "mean", "chosen"
_HEIGHT = 250


class Quantity(NamedTuple):
    """One of the three pictures: its axis, colour, what it reads off a point, its value before tuning."""

    title: str
    colour: str
    of: Callable[[AuxiliaryPoint], float]
    untuned: str
    form: str


_QUANTITIES = {
    "accuracy": Quantity("right authors", PURPLE, lambda p: p.accuracy, "", ".0%"),
    "test_loss": Quantity(
        "nats, test books", BLUE, lambda p: p.test_loss, "pretrained_test_loss", ".2f"
    ),
    "book_loss": Quantity(
        "nats, War and Peace", GREEN, lambda p: p.book_loss, "pretrained_book_loss", ".2f"
    ),
}


def recipe(screen: page.FirstScreen) -> None:
    """Draw accuracy and both losses by the weight of the language loss."""
    with screen.controls:
        weight = page.pick(
            "language_weight",
            "Language weight λ",
            WEIGHTS,
            _FIRST_WEIGHT,
            format_func=lambda weight: f"{weight:g}",
            width=260,
        )
        n_labelled = page.segments(
            "recipe_labels", "Labelled passages", tuple(AUXILIARY_SEEDS), _FIRST_LABELLED
        )
    found = {name: auxiliary_curve(results(), n_labelled, q.of) for name, q in _QUANTITIES.items()}
    at = {name: value_at(curve, weight) or 0.0 for name, curve in found.items()}
    before = {
        name: float(results().provenance[q.untuned]) for name, q in _QUANTITIES.items() if q.untuned
    }
    with screen.picture:
        st.markdown(
            f"**λ = {weight:g}: {percent(at['accuracy'])} of the authors right, War and Peace at"
            f" {at['book_loss']:.2f} nats (before: {before['book_loss']:.2f})**"
        )
        for place, name in zip(st.columns(3, gap="small"), _QUANTITIES, strict=True):
            with place:
                _draw(name, found[name], weight, n_labelled, before.get(name))
    n_seeds = len({p.seed for p in results().auxiliary if p.n_labelled == n_labelled})
    page.note_beside(screen, _reading(found, at, before, weight, n_seeds))
    if not page.is_presenting():
        _explain(weight, at, n_labelled)


def _draw(
    name: str, curve: Sequence[Measured], weight: float, n_labelled: int, before: float | None
) -> None:
    quantity = _QUANTITIES[name]
    seeds: dict[str, list[tuple[float, float]]] = {}
    for point in results().auxiliary:
        if point.n_labelled == n_labelled:
            seeds.setdefault(f"seed {point.seed}", []).append(
                (max(point.weight, _LEAST), quantity.of(point))
            )
    chosen = [(max(p.at, _LEAST), p.mean) for p in curve if p.at == weight]
    references = (
        {} if before is None else {"untuned": [(at, before) for at in (_LEAST, WEIGHTS[-1])]}
    )
    page.show_chart(
        line_chart(
            {_MEAN: [(max(p.at, _LEAST), p.mean) for p in curve]},
            {_MEAN: LineStyle(quantity.colour), _CHOSEN: LineStyle(quantity.colour)},
            Axis("λ", (_LEAST, WEIGHTS[-1]), True, (_LEAST, *WEIGHTS[1:]), least_name="0"),
            Axis(quantity.title, _ends(name, before), form=quantity.form),
            dots=seeds,
            rings={_CHOSEN: chosen},
            references=references,
            now=max(weight, _LEAST),
            has_names=False,
            height=_HEIGHT,
        ),
        pd.DataFrame(
            [(p.at, p.mean, p.low, p.high) for p in curve],
            columns=["weight", f"mean {name}", "lowest", "highest"],
        ),
        key=f"recipe_{name}",
        alt=f"{quantity.title}: "
        + ", ".join(f"{written(p.mean, quantity.form)} at λ = {p.at:g}" for p in curve)
        + ("" if before is None else f"; untuned {before:.2f}"),
        name=f"recipe-{name}",
        is_small=True,
    )


def _ends(name: str, before: float | None) -> tuple[float, float]:
    """Return an axis that holds all points, whatever is chosen."""
    if name == "accuracy":
        return 0.0, 1.0
    values = [_QUANTITIES[name].of(point) for point in results().auxiliary]
    values += [] if before is None else [before]
    return math.floor(10 * min(values) - 1) / 10, math.ceil(10 * max(values) + 1) / 10


def _reading(
    found: dict[str, list[Measured]],
    at: dict[str, float],
    before: dict[str, float],
    weight: float,
    n_seeds: int,
) -> str:
    without = {name: value_at(curve, 0.0) or 0.0 for name, curve in found.items()}
    spread = max(p.high - p.low for p in found["accuracy"])
    gained = at["accuracy"] - without["accuracy"]
    n_points = round(100 * gained)
    moved = (
        f"raises the accuracy by {n_points} points"
        if n_points > 0
        else f"lowers the accuracy by {-n_points} points"
        if n_points
        else "leaves the accuracy as it is"
    )
    apart = f" The seeds differ by up to {100 * spread:.0f} points." if spread >= 0.005 else ""
    if n_seeds == 1:
        apart = " Each weight was tried in one training: a point or two may be chance."
    says = f" λ = {weight:g} {moved}.{apart}" if weight else ""
    return (
        "With λ = 0 the tuning asks for the author alone, so nothing keeps the language: the loss on *War"
        f" and Peace* is {without['book_loss']:.2f} nats a subword,"
        f" {without['book_loss'] - before['book_loss']:+.2f} from before.{says}"
    )


def _explain(weight: float, at: dict[str, float], n_labelled: int) -> None:
    st.latex(
        rf"L = L_{{\text{{cls}}}} + \lambda\, L_{{\text{{LM}}}}"
        rf" = L_{{\text{{cls}}}} + {weight:g} \cdot L_{{\text{{LM}}}}"
    )
    st.markdown(
        "The causal model reads a passage from left to right; a linear layer names the author from the"
        f" vector of the last token. $L_{{cls}}$ is the cross-entropy of the author on {n_labelled}"
        " labelled passages; $L_{LM}$ is that of the next subword on other passages of the same books,"
        " which have no labels. It is added so that the model keeps predicting text while it learns"
        f" the authors. At the chosen λ it predicts the test books at {at['test_loss']:.2f} nats"
        " a subword. A dot is one seed, the line their mean. This causal model has read *War and Peace*"
        " alone. The transformer that has read 33 books is not tuned here, because the test books are"
        " among them, so it would be asked about texts that it knows."
    )
    st.caption(
        "Radford et al. 2018, *Improving Language Understanding by Generative Pre-Training*, section 3.2"
    )
