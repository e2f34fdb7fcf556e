"""What a change does to the model: its loss, its predictions, its softmax, before and after."""

import math
from dataclasses import replace

import streamlit as st

from lm_core.analysis.attention_trace import Intervention
from pages.attention.interventions import described
from pages.attention.traces import Choice, heads_before, mean_loss
from pages.shared.numbers import percent

_MASK_OFF = Intervention(is_causal=False)


def loss_line(choice: Choice) -> None:
    """Write beside the switches what they do to the loss."""
    if choice.intervention == Intervention():
        return
    before, after = mean_loss(choice.trace_before), mean_loss(choice.trace)
    st.markdown(f"Loss **{before:.3f} → {after:.3f}**")


def consequences(choice: Choice) -> None:
    """Write what the change does on average, or the mask's removal if there is none."""
    is_changed = choice.intervention != Intervention()
    shown = choice if is_changed else replace(choice, intervention=_MASK_OFF)
    st.markdown(
        f"**Before and after: {described(shown.intervention)}**"
        + ("" if is_changed else " (nothing is changed now, so this is the mask's removal)")
    )
    _measures(shown)


def _measures(choice: Choice) -> None:
    before, after = choice.trace_before, choice.trace
    heads, changed = heads_before(choice.sentence), choice.heads
    rows = (
        (
            f"Mean loss, nats per {choice.sentence.vocabulary.unit}",
            mean_loss(before),
            mean_loss(after),
            3,
        ),
        ("Entropy of a row, bits", heads.entropy.mean(), changed.entropy.mean(), 2),
        ("Slope of the softmax", heads.slope.mean(), changed.slope.mean(), 3),
    )
    for column, (label, was, now, digits) in zip(st.columns(len(rows)), rows, strict=True):
        column.metric(
            label,
            f"{was:.{digits}f} → {now:.{digits}f}",
            f"{now - was:+.{digits}f}",
            delta_color="off",
        )
    st.caption(_about_slope(choice))


def _about_slope(choice: Choice) -> str:
    width = choice.sentence.config.head_width
    if choice.intervention.is_scaled:
        return (
            "Entropy and slope are means over all heads and rows. The *slope* is the norm of the"
            " softmax's Jacobian: how much gradient passes through a row. A row with nearly all"
            " its weight on one key passes hardly any, because no small change of the scores moves"
            " the weight."
        )
    was, now = (heads.peak.mean() for heads in (heads_before(choice.sentence), choice.heads))
    return (
        f"Without the division the same query and key have a score √{width} = {math.sqrt(width):.1f} times as large. The"
        f" largest weight of a row is {percent(now)} on average, as trained {percent(was)}. Where nearly all weight is"
        " on one key, hardly any gradient passes through the softmax, because there a small change of a score hardly"
        " moves the weight."
    )
