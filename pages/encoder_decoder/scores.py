"""Two ways to score a state against the words: small translators alike in all else, by step of their training."""

from functools import partial

import streamlit as st

from lm_core.experiments.attention_scores.results import STEPS, AttentionScoreResults
from lm_core.experiments.translation.presets import ARCHITECTURES
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, ORANGE

_STYLES = {
    "none": page.LineStyle(GREY, 1),
    "additive": page.LineStyle(BLUE),
    "dot": page.LineStyle(ORANGE, 2),
}
_HIDDEN = "dot"
_results = partial(page.shipped, AttentionScoreResults)


def scores_compared(screen: page.FirstScreen) -> None:
    """Draw the loss on unseen captions by step for each kind of scores, and ask about the dot product."""
    found = _results()
    bands = {kind: found.band(kind) for kind in _STYLES}
    ends = {kind: rows[-1][1] for kind, rows in bands.items()}
    asked = page.ask(
        screen,
        "scores",
        f"Without attention the loss after {STEPS} steps is {ends['none']:.2f} nats a subword, with additive"
        f" scores {ends['additive']:.2f}. And with dot products, which have no network of their own to compare by?",
        {
            "As without attention": ends["none"],
            "Halfway between": (ends["none"] + ends["additive"]) / 2,
            "As with additive scores": ends["additive"],
            "Far lower": ends["additive"] - 0.7,
        },
        right=ends[_HIDDEN],
        reason=_reason(found, ends),
    )
    shown = [kind for kind in _STYLES if not (asked.masks and kind == _HIDDEN)]
    with screen.picture:
        st.markdown(f"**Loss on unseen captions, {len(found.of('none'))} seeds of each**")
        page.show_lines(
            "attention_scores",
            {_named(kind): [(step, mean) for step, mean, *_ in bands[kind]] for kind in shown},
            {_named(kind): style for kind, style in _STYLES.items()},
            page.Axis("step", (0, STEPS)),
            page.Axis("loss (nats per subword)", (2.5, 5.5)),
            bands={
                _named(kind): [(step, low, high) for step, _, low, high in bands[kind]]
                for kind in shown
            },
            guess=asked.at(lambda value: (STEPS, value)),
            waiting=asked.waiting("dot products", STEPS),
            has_points=True,
            height=320,
        )
    page.note_beside(
        screen,
        "At each step the decoder's state is compared with every word that was read. *Additive* scores come from"
        " a small network, v · tanh(W q + U k). A *dot product* is q · k, and says how far two vectors point the"
        " same way. Here it is divided by √d, so that wide vectors do not make the softmax hard.",
    )
    if not asked.masks and not page.is_presenting():
        _table(found)


def _named(kind: str) -> str:
    return ARCHITECTURES[kind].lower()


def _reason(found: AttentionScoreResults, ends: dict[str, float]) -> str:
    lowest, highest = found.band(_HIDDEN)[-1][2:]
    return (
        f"**{ends[_HIDDEN]:.2f}**, and {lowest:.2f} to {highest:.2f} over the seeds. Either way of scoring lets"
        " the decoder look at the sentence again, which is why both lie apart from the one vector."
    )


def _table(found: AttentionScoreResults) -> None:
    rows = [
        {
            "scores": _named(training.attention),
            "seed": training.seed,
            "parameters": training.parameters,
            "loss at the end": training.losses[-1][1],
            "seconds a step": round(training.seconds / STEPS, 2),
        }
        for kind in _STYLES
        for training in found.of(kind)
    ]
    st.dataframe(rows, hide_index=True)
    st.caption(
        "Seconds are of one core beside other work, so only large differences mean anything. Vaswani et al. 2017"
        " prefer dot products, because all of them together are one product of matrices."
    )
