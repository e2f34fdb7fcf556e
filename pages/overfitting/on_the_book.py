"""A real case: a small transformer on little of the book, what it learns and what it knows by heart."""

import pyarrow as pa
import streamlit as st

from lm_core.experiments.overfitting.book import (
    DECAY,
    DROPOUT,
    EVERY,
    LONGEST,
    MORE_TEXT,
    PLAIN,
    PROMPT,
    RUNS,
    BookCurve,
)
from lm_core.experiments.overfitting.results import OverfittingResults
from pages.overfitting.scene import HEIGHT
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION

_COMPARED = tuple(name for name in RUNS if name != PLAIN)
_TRAINING, _VALIDATION, _ITS_TRAINING = "training", "validation", "its training"
_SHORT = {PLAIN: "no remedy", DROPOUT: "with dropout", DECAY: "with decay", MORE_TEXT: "more text"}
"""As names of lines: there is room for twelve letters."""
_ANSWERS = {"About 4.5, as without": 4.5, "About 2.3": 2.3, "About 0.1": 0.1}


def _choose_run(screen: page.FirstScreen) -> str:
    """Draw the choice of what the plain training is compared with, and return it."""
    with screen.controls:
        return page.choice("compared", "Compared with", _COMPARED, width=200)


def on_the_book(screen: page.FirstScreen) -> None:
    """Draw the plain training beside another one, evaluation by evaluation."""
    name = _choose_run(screen)
    results = page.shipped(OverfittingResults)
    plain, other = results.curve(PLAIN), results.curve(name)
    asked = _ask(screen, plain, other)
    is_masked = asked.masks
    last = len(plain.training) - 1
    with screen.picture:
        st.markdown(f"**{_finding(plain, other, is_masked=is_masked)}**")
        page.playback_bar(
            "book_step",
            last + 1,
            lambda i: _draw(plain, other, i, asked),
            label=f"Evaluations, one every {EVERY} steps",
        )
    page.note_beside(screen, _explained(plain, other, is_masked=is_masked))
    if not page.is_presenting():
        made = results.provenance
        st.caption(
            f"A transformer of 2 layers of width 64 learns {RUNS[plain.name].characters:,} characters,"
            f" {made['steps']:,} steps of AdamW, seed 1, measured {made['date'][:10]}; the validation loss"
            " is that on the last tenth of *War and Peace*. *By heart* counts how many characters of a"
            f" text its likeliest choices get right in a row after {PROMPT} characters of it, {LONGEST} at"
            " most, on average over 64 places."
        )


def _ask(screen: page.FirstScreen, plain: BookCurve, other: BookCurve) -> page.Asked:
    """Ask what dropout does; None where another training is compared."""
    if other.name != DROPOUT:
        return page.Asked()
    end = other.validation[-1]
    return page.ask(
        screen,
        "book",
        f"Without a remedy the validation loss ends at {plain.validation[-1]:.1f} nats. Where does it end with"
        " dropout?",
        _ANSWERS,
        right=end,
        reason=f"At **{end:.2f}**; its lowest is {min(other.validation):.2f}, without dropout"
        f" {min(plain.validation):.2f}. It still learns {other.recited[-1]:.0f} characters in"
        " a row by heart. That it learns fewer is probably because each step leaves out other units, so a"
        " passage has to be held by many of them.",
    )


def _finding(plain: BookCurve, other: BookCurve, *, is_masked: bool) -> str:
    best = min(range(len(plain.validation)), key=plain.validation.__getitem__)
    said = (
        f"Validation: lowest after {EVERY * best} steps, {plain.validation[best]:.2f}; at the end"
        f" {plain.validation[-1]:.2f}"
    )
    return said if is_masked else f"{said}, {_SHORT[other.name]} {other.validation[-1]:.2f}"


def _draw(plain: BookCurve, other: BookCurve, i: int, asked: page.Asked) -> None:
    is_masked = asked.masks
    curves = [plain] if is_masked else [plain, other]
    guess = asked.at(lambda value: (float(EVERY * (len(plain.validation) - 1)), value))
    left, right = st.columns([1.15, 1], gap="small")
    with left:
        _losses(curves, i, guess)
    with right:
        _by_heart(curves, i)


def _losses(curves: list[BookCurve], i: int, guess: page.Guesses | None) -> None:
    lines: dict[str, list[tuple[float, float]]] = {}
    styles: dict[str, page.LineStyle] = {}
    for curve, colour in zip(curves, (VERMILLION, BLUE), strict=False):
        is_plain = curve.name == PLAIN
        validation = _VALIDATION if is_plain else _SHORT[curve.name]
        training = _TRAINING if is_plain else _ITS_TRAINING
        lines |= {validation: _by_step(curve.validation), training: _by_step(curve.training)}
        styles |= {validation: page.LineStyle(colour), training: page.LineStyle(colour, 1)}
    page.show_chart(
        page.line_chart(
            lines,
            styles,
            page.Axis("steps", (0, EVERY * (len(curves[0].training) - 1))),
            page.Axis("loss (nats per character)", (0.0, 5.0)),
            guess=guess,
            now=EVERY * i,
            height=HEIGHT,
        ),
        pa.table(
            {"step": [x for x, _ in _by_step(curves[0].training)]}
            | {name: [y for _, y in pairs] for name, pairs in lines.items()}
        ),
        key="book_losses",
        alt=f"Step {EVERY * i}: "
        + "; ".join(f"{n} {pairs[i][1]:.2f}" for n, pairs in lines.items()),
        name="loss-of-the-book",
        is_small=True,
    )


def _by_heart(curves: list[BookCurve], i: int) -> None:
    names = {curve.name: _SHORT[curve.name] for curve in curves}
    lines = {names[curve.name]: _by_step(curve.recited) for curve in curves}
    styles = {
        names[curve.name]: page.LineStyle(colour)
        for curve, colour in zip(curves, (VERMILLION, BLUE), strict=False)
    }
    page.show_chart(
        page.line_chart(
            lines,
            styles,
            page.Axis("steps", (0, EVERY * (len(curves[0].recited) - 1))),
            page.Axis("characters by heart", (0, LONGEST)),
            references={"new text": _by_step(curves[0].continued)},
            now=EVERY * i,
            height=HEIGHT,
        ),
        pa.table(
            {"step": [x for x, _ in lines[names[PLAIN]]]}
            | {name: [y for _, y in pairs] for name, pairs in lines.items()}
        ),
        key="book_by_heart",
        alt=f"Step {EVERY * i}: "
        + "; ".join(f"{n} {pairs[i][1]:.1f}" for n, pairs in lines.items()),
        name="characters-by-heart",
        is_small=True,
    )


def _by_step(row: tuple[float, ...]) -> list[tuple[float, float]]:
    return [(float(EVERY * i), value) for i, value in enumerate(row)]


def _explained(plain: BookCurve, other: BookCurve, *, is_masked: bool) -> str:
    said = (
        f"At the end it continues a page that it has learned from for **{plain.recited[-1]:.0f}**"
        f" characters without a mistake, and a new page for {plain.continued[-1]:.1f}. So it has not"
        " learned English to that point, but this text by heart."
    )
    if is_masked:
        return said
    return f"{said} With {other.name.lower()} it is {other.recited[-1]:.0f} and {other.continued[-1]:.1f}."
