"""What a change does to the model: its loss, its predictions, its softmax, before and after."""

import math

import numpy as np
import streamlit as st

from lm_core.analysis.attention_trace import Intervention
from pages.attention.settings import described
from pages.attention.traces import Choice, heads_before, heads_of, mean_loss, trace_of
from pages.shared import charts
from pages.shared.charts import numbered, visible
from pages.shared.ui.figures import show_chart

_MASK_OFF = Intervention(is_causal=False)
_SHOWN = 8
_HELPED = "What they find there helps by chance; they never learned to use it."
_DISTURBED = "What they find there disturbs them."


def mask_answer(choice: Choice) -> str:
    """Return what the mask's removal does to the sentence's loss."""
    before = mean_loss(trace_of(choice.sentence))
    after = mean_loss(trace_of(choice.sentence, _MASK_OFF))
    helps, unit = after < before, choice.sentence.vocabulary.unit
    return (
        f"With the mask off while it reads, the mean loss of this sentence"
        f" {'falls' if helps else 'rises'} from **{before:.3f}** to **{after:.3f}** nats per"
        f" {unit}. The model was trained with the mask on, so its heads never attended to a"
        f" {unit} ahead. {_HELPED if helps else _DISTURBED} A model *trained* without the mask"
        f" would see the very {unit} that it has to predict."
    )


def loss_line(choice: Choice) -> None:
    """Write beside the switches what they do to the loss."""
    if choice.intervention == Intervention():
        return
    before = mean_loss(trace_of(choice.sentence))
    after = mean_loss(trace_of(choice.sentence, choice.intervention))
    st.markdown(f"Loss **{before:.3f} → {after:.3f}**")


def consequences(choice: Choice, query: int) -> None:
    """Draw the predictions before and after the change, or after the mask's removal if there is none."""
    is_changed = choice.intervention != Intervention()
    shown = choice if is_changed else choice._replace(intervention=_MASK_OFF)
    title = described(shown.intervention)
    st.markdown(
        f"**Before and after: {title}**"
        + ("" if is_changed else " (nothing is changed now, so this is the mask's removal)")
    )
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        _measures(shown)
    with right:
        _predictions(shown, query, title)


def _measures(choice: Choice) -> None:
    before, after = trace_of(choice.sentence), trace_of(choice.sentence, choice.intervention)
    heads, changed = heads_before(choice.sentence), heads_of(choice)
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
    for label, was, now, digits in rows:
        st.metric(
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
            " softmax's Jacobian: how much gradient passes through a row."
        )
    return (
        f"Without the division every score is √{width} = {math.sqrt(width):.1f} times as large. Rows"
        " put nearly all weight on one key, and then almost no gradient passes through the softmax."
    )


def _predictions(choice: Choice, query: int, title: str) -> None:
    sentence = choice.sentence
    before, after = (
        trace.logits[query].softmax(-1).numpy()
        for trace in (trace_of(sentence), trace_of(sentence, choice.intervention))
    )
    follows = sentence.ids[query + 1 : query + 2].tolist()
    truth = follows[0] if follows else None
    frame = charts.prediction_frame(
        sentence.vocabulary.symbols, {"": after}, before=before, most=_SHOWN, marked=truth
    )
    token, unit = numbered(sentence.symbols)[query], sentence.vocabulary.unit
    finding = _finding(sentence.vocabulary.symbols, before, after, truth, unit)
    st.markdown(f"After `{token}`: {finding} Outlines are before the change, bars after it.")
    show_chart(
        charts.prediction_bars(frame, mark="follows"),
        frame,
        key="predictions",
        alt=f"Probability of the next {unit} after {token}, before and after: {title}. {finding}",
        name="next-before-after",
    )


def _finding(
    symbols: tuple[str, ...], before: np.ndarray, after: np.ndarray, truth: int | None, unit: str
) -> str:
    if truth is None:
        was, now = int(before.argmax()), int(after.argmax())
        return (
            f"the most probable next {unit} is `{visible(symbols[was])}` ({before[was]:.1%}),"
            f" then `{visible(symbols[now])}` ({after[now]:.1%})."
        )
    return (
        f"the sentence goes on with `{visible(symbols[truth])}`; its probability goes from"
        f" {before[truth]:.1%} to {after[truth]:.1%}."
    )
