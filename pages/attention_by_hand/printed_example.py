"""The printed example: nine scores, nine weights, and the misprint between them."""

import math
from collections.abc import Sequence

import streamlit as st
import torch

from lm_core.experiments.attention_by_hand.printed_example import (
    FOX,
    PRINTED_SCORES,
    PRINTED_WEIGHTS,
    WORDS,
    SingleEdit,
    distance,
    single_edits,
    weights_of,
)
from pages.attention_by_hand.printed_scores import choose_scores, choose_switches
from pages.shared import page
from pages.shared.charts.attention import weights_chart, weights_frame
from pages.shared.charts.palette import GUESS, numbered
from pages.shared.numbers import percent

_SUSPECTS = numbered(WORDS)[:6]


def printed_example(screen: page.FirstScreen) -> None:
    """Let the class edit the printed scores until their softmax gives the printed weights."""
    with screen.controls:
        is_causal, divisor = choose_switches()
    with screen.picture:
        picture = st.container(gap="xsmall")
        scores = choose_scores()
    weights = weights_of(scores, FOX, is_causal=is_causal, divisor=divisor)
    best = _best_edit()
    asked = page.ask(
        screen,
        "printed",
        "One score is misprinted: the weights were computed from another one. Which?",
        _SUSPECTS,
        right=numbered(WORDS)[best.place],
        reason=f"**The score of *{WORDS[best.place]}* is {best.score:g}, not"
        f" {PRINTED_SCORES[best.place]:g}.** We think so because of all single changes it brings"
        " the weights nearest to the printed ones: from"
        f" {percent(_gap(weights_of(PRINTED_SCORES, FOX)), 1)} to {percent(best.distance, 1)}.",
    )
    with picture:
        _picture(scores, weights.tolist(), _gap(weights), asked)
    page.note_beside(
        screen,
        "Each word has a printed *score* for the query of **fox**. The bars are the *softmax* of"
        " the scores below them, the ticks the printed weights, so where a bar misses its tick,"
        " score and weight do not belong together. Change one score at a time until they do.",
    )
    _explain(scores, weights.tolist(), is_causal, divisor, has_answer=not asked.masks)
    if not asked.masks:
        _rounding()


def _picture(
    scores: Sequence[float], weights: Sequence[float], apart: float, asked: page.Asked[str]
) -> None:
    frame = weights_frame(numbered(WORDS), scores, weights, PRINTED_WEIGHTS)
    finding = f"Computed and printed weights differ by {percent(apart, 1)}"
    st.markdown(f"**{finding}**")
    rows = ", ".join(
        f"{word} {weight:.3f} (printed {printed:.2f})"
        for word, weight, printed in zip(WORDS, weights, PRINTED_WEIGHTS, strict=True)
    )
    page.show_chart(
        weights_chart(frame, marks=_marks(asked), height=290),
        key="printed_weights",
        alt=f"{finding}. {rows}.",
    )


def _marks(asked: page.Asked[str]) -> dict[str, str]:
    """Return what is written at the word that was guessed, and at the one whose score is misprinted."""
    if asked.masks:
        return {}
    misprinted = numbered(WORDS)[_best_edit().place]
    guessed = {asked.guess: GUESS} if asked.guess else {}
    if misprinted in guessed:
        return {misprinted: f"misprinted, {GUESS}"}
    return guessed | {misprinted: "misprinted"}


def _explain(
    scores: Sequence[float],
    weights: Sequence[float],
    is_causal: bool,
    divisor: float,
    *,
    has_answer: bool,
) -> None:
    gaps = [w - p for w, p in zip(weights, PRINTED_WEIGHTS, strict=True)]
    worst = max(range(len(gaps)), key=lambda place: abs(gaps[place]))
    root = "" if divisor == 1.0 else f" / {divisor:g}"
    if has_answer:
        st.markdown(
            f"The largest gap of one row is **{WORDS[worst]}** (place {worst + 1}): computed"
            f" {weights[worst]:.3f}, printed {PRINTED_WEIGHTS[worst]:.2f}."
        )
    if is_causal:
        st.markdown(
            "With the causal mask the five words after *fox* have weight 0, so the other four"
            " share the whole weight."
        )
    visible = scores[: FOX + 1] if is_causal else scores
    total = sum(math.exp(score / divisor) for score in visible)
    st.latex(
        rf"w_{{\text{{quick}}}} = \frac{{e^{{{scores[1]:g}{root}}}}}"
        rf"{{\sum_j e^{{s_j{root}}}}} = \frac{{{math.exp(scores[1] / divisor):.1f}}}{{{total:.1f}}}"
        rf" = {weights[1]:.3f}"
    )


def _best_edit() -> SingleEdit:
    """Return the change of one score that brings the weights nearest to the printed ones."""
    return min(single_edits(PRINTED_SCORES, PRINTED_WEIGHTS), key=lambda edit: edit.distance)


def _rounding() -> None:
    """Explain what is left of the differences once the misprint is mended."""
    best = _best_edit()
    mended = [*PRINTED_SCORES[: best.place], best.score, *PRINTED_SCORES[best.place + 1 :]]
    share = float(weights_of(mended, FOX)[FOX])
    st.markdown(
        f"*{WORDS[best.place]}* is printed with {PRINTED_SCORES[1]:g}, like *{WORDS[1]}*, but its weight"
        f" is {PRINTED_WEIGHTS[best.place]:.2f} and not {PRINTED_WEIGHTS[1]:.2f}, so one of its two numbers"
        " must be wrong. We varied each score alone, from −10 to 10 in steps of 0.1. After the best change"
        " only rounding errors are left, except at one weight:"
        f" *{WORDS[0]}* and *{WORDS[FOX]}* both score {PRINTED_SCORES[FOX]:g} and so get {share:.3f}"
        f" each, but {PRINTED_WEIGHTS[0]:.2f} and {PRINTED_WEIGHTS[FOX]:.2f} are printed. With"
        f" {PRINTED_WEIGHTS[0]:.2f} for both, the printed weights would add up to"
        f" {sum(PRINTED_WEIGHTS) - PRINTED_WEIGHTS[FOX] + PRINTED_WEIGHTS[0]:.2f}."
    )


def _gap(weights: torch.Tensor) -> float:
    """Return how far weights are from the printed ones."""
    return float(distance(weights, torch.tensor(PRINTED_WEIGHTS, dtype=weights.dtype)))
