"""Trained networks by their sizes: how many letters back, numbers a letter, hidden units."""

import pandas as pd
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.n_grams.results import NAMES as NAMES_COUNTED
from lm_core.experiments.n_grams.results import NGramResults
from lm_core.experiments.neural_language_model.study import (
    CONTEXT_SIZES,
    EMBEDDING_SIZES,
    HIDDEN_SIZES,
    PUBLISHED,
    TrainedNetwork,
)
from lm_core.experiments.published import MAKEMORE_MLP
from pages.neural_language_model.shipped import results
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import GREEN, GREY, ORANGE
from pages.shared.ui.figures import show_chart
from pages.shared.ui.messages import show_error

_PARTS = ("train", "validation", "test")
_TITLES = {"train": "Learned from", "validation": "Held out", "test": "Test"}
_KNESER_NEY, _PUBLISHED = "Kneser-Ney", "makemore"
_ANSWERS = ("It rises, as for n-grams", "It stays", "It falls on")
_SHOWN_FIRST = 3
"""Longest context whose loss is drawn before the guess."""

_GUESSED_CHANGE = {_ANSWERS[0]: 0.08, _ANSWERS[1]: 0.0, _ANSWERS[2]: -0.08}
_LEAST_CHANGE = 0.02
"""Nats that count as a rise or a fall: two seeds differ by less."""

_HEIGHT = 340


def _choose_split() -> str:
    """Draw on which part of the names the loss is measured, and return it."""
    return str(
        page.segments(
            "names_part", "Loss on names", _PARTS, "validation", format_func=_TITLES.__getitem__
        )
    )


def _choose_hidden_size() -> int:
    """Draw how many hidden units the networks have, and return it."""
    return int(page.segments("tanh_units", "Hidden units", HIDDEN_SIZES, HIDDEN_SIZES[-1]))


def sizes(screen: page.FirstScreen) -> None:
    """Draw the loss of the trained networks by how many letters they look back."""
    with screen.controls:
        part, hidden_size = _choose_split(), _choose_hidden_size()
    lines = {size: _by_context(size, hidden_size) for size in EMBEDDING_SIZES}
    asked = _ask(screen, lines[EMBEDDING_SIZES[-1]], hidden_size)
    with screen.picture:
        _losses(lines, part, asked)
    if not asked.masks:
        page.note_beside(screen, _explained(lines, hidden_size))
    if not page.is_presenting():
        _notes(part, asked)


def _by_context(embedding_size: int, hidden_size: int) -> list[TrainedNetwork]:
    """Return the trained networks of these sizes, by rising context."""
    found = results()
    return [found.trained(context, embedding_size, hidden_size) for context in CONTEXT_SIZES]


def _ask(screen: page.FirstScreen, networks: list[TrainedNetwork], hidden_size: int) -> page.Asked:
    first = networks[CONTEXT_SIZES.index(_SHOWN_FIRST)].validation
    change = networks[-1].validation - first
    right = _ANSWERS[1 if abs(change) < _LEAST_CHANGE else 0 if change > 0 else 2]
    return page.ask(
        screen,
        f"sizes_{hidden_size}",
        "From 3 to 8 letters of context: what does the network's loss on held-out names do?",
        _GUESSED_CHANGE,
        right=right,
        reason=(
            f"It goes from {first:.3f} to **{networks[-1].validation:.3f}** nats. A longer context"
            " is new more often, but similar contexts share weights in a network, so it need not"
            " have seen each of them."
        ),
    )


def _losses(networks: dict[int, list[TrainedNetwork]], part: str, asked: page.Asked) -> None:
    most = CONTEXT_SIZES[-1] if not asked.masks else _SHOWN_FIRST
    lines: dict[str, list[tuple[float, float]]] = {
        f"{size} numbers": [
            (t.config.network.context_size, getattr(t, part))
            for t in trained
            if t.config.network.context_size <= most
        ]
        for size, trained in networks.items()
    }
    styles = {
        name: LineStyle(colour, dash)
        for dash, (name, colour) in enumerate(zip(lines, (ORANGE, GREEN), strict=True))
    }
    if part == "validation" and (counted := _kneser_ney()):
        lines[_KNESER_NEY] = counted
        styles[_KNESER_NEY] = LineStyle(GREY, 2)
    dots: dict[str, list[tuple[float, float]]] | None = None
    if part != "test":
        which = _PARTS.index(part)
        dots = {
            f"{_PUBLISHED}, {context} letters": [(context, losses[which])]
            for context, losses in MAKEMORE_MLP.items()
            if context <= most
        }
    start = networks[EMBEDDING_SIZES[-1]][CONTEXT_SIZES.index(_SHOWN_FIRST)]
    guess = asked.at(lambda value: (CONTEXT_SIZES[-1], getattr(start, part) + value))
    best = {name: min(pairs, key=lambda pair: pair[1]) for name, pairs in lines.items() if pairs}
    title = "; ".join(f"{name} {loss:.3f} at {n}" for name, (n, loss) in best.items())
    st.markdown(f"**Least loss: {title}**")
    show_chart(
        line_chart(
            lines,
            styles,
            Axis("letters of context", (1, 8), values=(1, 2, 3, 4, 5, 6, 7, 8)),
            Axis("loss (nats per letter)", (1.8, 2.6)),
            dots=dots,
            guess=guess,
            has_points=True,
            height=_HEIGHT,
        ),
        pd.DataFrame(
            [(name, *pair) for name, pairs in {**lines, **(dots or {})}.items() for pair in pairs],
            columns=["model", "context", "loss"],
        ),
        key="sizes_losses",
        alt=title,
        name="loss-by-context",
    )
    if dots:
        st.caption("Grey dots: what makemore's notebooks print for the same names.")


def _kneser_ney() -> list[tuple[float, float]]:
    """Return the held-out losses of counting, by context; none where they cannot be read."""
    try:
        scores = NGramResults.load().of_text(NAMES_COUNTED)
    except ResultError as error:
        show_error(error, st.warning)
        return []
    return [(score.n - 1, score.kneser_ney) for score in scores if score.n > 1]


def _explained(networks: dict[int, list[TrainedNetwork]], hidden_size: int) -> str:
    many = networks[EMBEDDING_SIZES[-1]]
    first, last = many[CONTEXT_SIZES.index(_SHOWN_FIRST)], many[-1]
    weights = last.config.network.parameter_count
    return (
        f"A table of counts for 8 letters of context has 27⁹ = {27**9:,} places, because it has one"
        f" for every combination. The network has **{weights:,}** weights,"
        f" {weights - first.config.network.parameter_count:,} more than for {_SHOWN_FIRST} letters:"
        f" each further letter adds {EMBEDDING_SIZES[-1]} × {hidden_size}. Two numbers a letter are"
        " too few: the lines are"
        f" {networks[EMBEDDING_SIZES[0]][-1].validation - last.validation:.2f} nats"
        f" apart.{_beside_counting(last.validation)}"
    )


def _beside_counting(loss: float) -> str:
    counted = _kneser_ney()
    if not counted:
        return ""
    context, least = min(counted, key=lambda pair: pair[1])
    which = "less" if least < loss else "more"
    return (
        f" Kneser-Ney's least loss, {least:.3f} with {context} letters, is {abs(least - loss):.2f} {which}."
        " The list has some names twice, so counts know some held-out names by heart."
    )


def _notes(part: str, asked: page.Asked) -> None:
    seeds = [t.validation for t in results().of_seeds()]
    published = MAKEMORE_MLP[PUBLISHED.context_size]
    st.markdown(
        f"The published sizes ({PUBLISHED.context_size} letters, {PUBLISHED.embedding_size}"
        f" numbers, {PUBLISHED.hidden_size} units) were trained with {len(seeds)} seeds: held-out"
        f" losses from {min(seeds):.3f} to **{max(seeds):.3f}**. makemore's second notebook reports"
        f" {published[1]:.3f} after SGD; here AdamW takes {results().of_seeds()[0].config.steps:,}"
        f" steps of {results().of_seeds()[0].config.batch} letters,"
        f" {results().of_seeds()[0].seconds:.0f} s of one core, so the two are not the same"
        " training."
    )
    if asked.masks:
        return
    rows = [
        (*_sizes(t), t.config.seed, t.config.network.parameter_count, t.train, t.validation, t.test)
        for t in results().grid
    ]
    columns = ["context", "numbers", "hidden units", "seed", "weights", *_PARTS]
    st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True, height=280)


def _sizes(trained: TrainedNetwork) -> tuple[int, int, int]:
    n = trained.config.network
    return n.context_size, n.embedding_size, n.hidden_size
