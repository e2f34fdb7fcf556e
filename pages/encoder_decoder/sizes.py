"""The size of the context vector: BLEU by length of the sentence, one vector of 32 to 512 numbers."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from lm_core.experiments.translation.evaluation import LengthBleu
from lm_core.experiments.translation.results import ModelScore
from pages.encoder_decoder.how_scored import how_scored, note_scores, results
from pages.shared import page
from pages.shared.models.translation import ATTENTION, ONE_VECTOR, TRANSFORMER

_COLOURS = ("#8a63c9", "#4f7fd1", "#21918c", "#3f9e4d", "#c77d00")
"""From the smallest vector to the largest; each legible on the light and on the dark background."""
_REFERENCES = {ATTENTION: "attention", TRANSFORMER: "transformer"}
_SHORT, _LONG, _BOTH = "the short ones", "the long ones", "all alike"


def sizes_by_length(screen: page.FirstScreen) -> None:
    """Draw BLEU by length for each size, and ask which sentences gain from a larger vector."""
    sweep = sorted((m for m in results().models if m.is_of_sweep), key=lambda m: m.context_size)
    if len(sweep) < 2:
        _one_size(screen, results().named(ONE_VECTOR))
        return
    smallest, largest = sweep[0], sweep[-1]
    asked = _ask(screen, smallest, largest)
    with screen.picture:
        _chart(
            sweep[:1] if asked.masks else sweep,
            sweep,
            asked.at(partial(_parting, sweep)),
            _finding(sweep, is_masked=asked.masks),
        )
    note_scores(screen, sweep)


def _one_size(screen: page.FirstScreen, model: ModelScore) -> None:
    """Draw the one size that is scored so far."""
    first, last = model.by_length[0], model.by_length[-1]
    with screen.picture:
        _chart(
            [model],
            [model],
            None,
            f"One vector of {model.context_size} numbers: {first.bleu.score:.1f} BLEU up to"
            f" {first.most} words, {last.bleu.score:.1f} from {last.fewest} words on",
        )
    page.note_beside(
        screen,
        f"Beam search on {model.beam.n_sentences:,} captions that no model has seen. Band: 95 % of"
        " resampled test sets, so a difference inside it may be chance. The other sizes of the"
        " vector have not been scored yet.",
    )
    how_scored(model)


def gains(smallest: Sequence[LengthBleu], largest: Sequence[LengthBleu]) -> list[float]:
    """Return by how much the score of each band of lengths is higher."""
    return [b.bleu.score - a.bleu.score for a, b in zip(smallest, largest, strict=True)]


def _ask(screen: page.FirstScreen, smallest: ModelScore, largest: ModelScore) -> page.Asked[int]:
    found = gains(smallest.by_length, largest.by_length)
    short, long = found[0], found[-1]
    half = max(_half_width(m, band) for m in (smallest, largest) for band in (0, -1))
    right = _BOTH if abs(long - short) < half else _LONG if long > short else _SHORT
    return page.ask(
        screen,
        "vector_size",
        f"which sentences gain most from {largest.context_size} numbers instead of"
        f" {smallest.context_size}?",
        {_SHORT: 0, _LONG: -1, _BOTH: len(found) // 2},  # the band at which the lines part most
        right=right,
        reason=f"The shortest gain {short:+.1f} BLEU, the longest {long:+.1f}. The intervals are about"
        f" ±{half:.1f} wide, so a smaller difference than that says nothing.",
    )


def _half_width(model: ModelScore, band: int) -> float:
    score = model.by_length[band].bleu
    return (score.high - score.low) / 2


def _chart(
    drawn: list[ModelScore], sweep: list[ModelScore], guess: page.Guesses | None, finding: str
) -> None:
    """Draw some of the sizes, on axes that have room for all."""
    lines = {_named(m): _line(m) for m in drawn}
    styles = {_named(m): page.LineStyle(_COLOURS[i % 5], i % 3) for i, m in enumerate(sweep)}
    bands = {_named(m): _band(m) for m in (drawn[0], drawn[-1])}
    references = {
        title: _line(model)
        for name, title in _REFERENCES.items()
        for model in results().models
        if model.name == name
    }
    top = max(y for pairs in [*references.values(), *map(_line, sweep)] for _, y in pairs)
    last = _line(sweep[0])[-1][0]
    st.markdown(f"**{finding}**")
    page.show_chart(
        page.line_chart(
            lines,
            styles,
            page.Axis("words of the sentence", (5.0, last + 1)),
            page.Axis("BLEU", (0.0, 10.0 * (top // 10 + 1))),
            bands=bands,
            references=references,
            guess=guess,
            has_points=True,
            height=330,
        ),
        _frame(drawn),
        key="sizes",
        alt="; ".join(
            f"{name}: " + ", ".join(f"{y:.1f} at {x:.0f} words" for x, y in pairs)
            for name, pairs in {**lines, **references}.items()
        ),
        name="bleu-by-length",
    )


def _finding(sweep: list[ModelScore], *, is_masked: bool) -> str:
    first, last = sweep[0], sweep[-1]
    score = "?" if is_masked else f"{last.beam.score:.1f}"
    attention = next((m for m in results().models if m.name == ATTENTION), None)
    beside = f"; attention reaches {attention.beam.score:.1f}" if attention else ""
    return (
        f"A vector of {first.context_size} numbers: {first.beam.score:.1f} BLEU, of"
        f" {last.context_size}: {score}{beside} (sentences of all lengths)"
    )


def _parting(sweep: list[ModelScore], band: int) -> tuple[float, float]:
    """Return the middle of the lines at a band of lengths."""
    x, low = _line(sweep[0])[band]
    return x, (low + _line(sweep[-1])[band][1]) / 2


def _named(model: ModelScore) -> str:
    return f"{model.context_size} numbers"


def _line(model: ModelScore) -> list[tuple[float, float]]:
    return [(_middle(band), band.bleu.score) for band in model.by_length]


def _band(model: ModelScore) -> list[tuple[float, float, float]]:
    return [(_middle(band), band.bleu.low, band.bleu.high) for band in model.by_length]


def _middle(band: LengthBleu) -> float:
    """Return the middle of a band; the last one is open, and drawn a little after its beginning."""
    return band.fewest + 3.0 if band.most > 40 else (band.fewest + band.most) / 2


def _frame(models: list[ModelScore]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (m.title, f"{b.fewest} to {b.most}", b.bleu.score, b.bleu.low, b.bleu.high)
            for m in models
            for b in m.by_length
        ],
        columns=["model", "words", "BLEU", "low", "high"],
    )
