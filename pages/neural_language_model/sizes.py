"""Trained networks by their sizes: how many letters back, numbers a letter, hidden units."""

import pandas as pd
import streamlit as st

from lm_core.experiments.neural_language_model.study import (
    CONTEXT_SIZES,
    EMBEDDING_SIZES,
    HIDDEN_SIZES,
    TrainedNetwork,
)
from lm_core.experiments.published import MAKEMORE_MLP
from pages.neural_language_model.shipped import results
from pages.neural_language_model.size_notes import (
    PARTS,
    SHOWN_FIRST,
    explain_sizes,
    kneser_ney,
    note_sizes,
)
from pages.shared import page
from pages.shared.charts.palette import GREEN, GREY, ORANGE

_TITLES = {"train": "Learned from", "validation": "Held out", "test": "Test"}
_KNESER_NEY, _PUBLISHED = "Kneser-Ney", "makemore"
_ANSWERS = ("It rises, as for n-grams", "It stays", "It falls on")

_GUESSED_CHANGE = {_ANSWERS[0]: 0.08, _ANSWERS[1]: 0.0, _ANSWERS[2]: -0.08}
_LEAST_CHANGE = 0.02
"""Nats that count as a rise or a fall: two seeds differ by less."""

_HEIGHT = 340


def _choose_split() -> str:
    """Draw on which part of the names the loss is measured, and return it."""
    return page.segments(
        "names_part", "Loss on names", PARTS, "validation", format_func=_TITLES.__getitem__
    )


def _choose_hidden_size() -> int:
    """Draw how many hidden units the networks have, and return it."""
    return page.segments("tanh_units", "Hidden units", HIDDEN_SIZES, HIDDEN_SIZES[-1])


def sizes(screen: page.FirstScreen) -> None:
    """Draw the loss of the trained networks by how many letters they look back."""
    with screen.controls:
        part, hidden_size = _choose_split(), _choose_hidden_size()
    lines = {size: _by_context(size, hidden_size) for size in EMBEDDING_SIZES}
    asked = _ask(screen, lines[EMBEDDING_SIZES[-1]], hidden_size)
    with screen.picture:
        _losses(lines, part, asked)
    if not asked.masks:
        page.note_beside(screen, explain_sizes(lines, hidden_size))
    if not page.is_presenting():
        note_sizes(part, asked)


def _by_context(embedding_size: int, hidden_size: int) -> list[TrainedNetwork]:
    """Return the trained networks of these sizes, by rising context."""
    found = results()
    return [found.trained(context, embedding_size, hidden_size) for context in CONTEXT_SIZES]


def _ask(screen: page.FirstScreen, networks: list[TrainedNetwork], hidden_size: int) -> page.Asked:
    first = networks[CONTEXT_SIZES.index(SHOWN_FIRST)].validation
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
    most = CONTEXT_SIZES[-1] if not asked.masks else SHOWN_FIRST
    lines: dict[str, list[tuple[float, float]]] = {
        f"{size} numbers": [
            (t.config.network.context_size, getattr(t, part))
            for t in trained
            if t.config.network.context_size <= most
        ]
        for size, trained in networks.items()
    }
    styles = {
        name: page.LineStyle(colour, dash)
        for dash, (name, colour) in enumerate(zip(lines, (ORANGE, GREEN), strict=True))
    }
    if part == "validation" and (counted := kneser_ney()):
        lines[_KNESER_NEY] = counted
        styles[_KNESER_NEY] = page.LineStyle(GREY, 2)
    dots: dict[str, list[tuple[float, float]]] | None = None
    if part != "test":
        which = PARTS.index(part)
        dots = {
            f"{_PUBLISHED}, {context} letters": [(context, losses[which])]
            for context, losses in MAKEMORE_MLP.items()
            if context <= most
        }
    start = networks[EMBEDDING_SIZES[-1]][CONTEXT_SIZES.index(SHOWN_FIRST)]
    guess = asked.at(lambda value: (CONTEXT_SIZES[-1], getattr(start, part) + value))
    best = {name: min(pairs, key=lambda pair: pair[1]) for name, pairs in lines.items() if pairs}
    title = "; ".join(f"{name} {loss:.3f} at {n}" for name, (n, loss) in best.items())
    st.markdown(f"**Least loss: {title}**")
    page.show_chart(
        page.line_chart(
            lines,
            styles,
            page.Axis("letters of context", (1, 8), values=(1, 2, 3, 4, 5, 6, 7, 8)),
            page.Axis("loss (nats per letter)", (1.8, 2.6)),
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
