"""The first picture: one query through every stage of the chosen head, to the next token."""

from functools import partial

import pandas as pd
import streamlit as st
import torch

from lm_core.analysis.attention_trace import Intervention
from pages.attention.interventions import ablation_buttons, described
from pages.attention.settings import switch
from pages.attention.traces import Choice, mean_loss, relation_of, trace_of
from pages.shared import page
from pages.shared.charts.palette import PURPLE, numbered, visible
from pages.shared.charts.predictions import percentage, prediction_bars, prediction_table
from pages.shared.components.attention import Stage, data_popover, row_arcs
from pages.shared.numbers import percent

_MASK_OFF = Intervention(is_causal=False)
_ANSWERS = ("Falls to 0", "Moves little", "Rises a lot")
_NEAR_ZERO, _A_LOT = 0.25, 1.5
"""Of the loss before: below the one it falls to 0, above the other it rises a lot."""


def finding(choice: Choice, query: int) -> str:
    """Return what the query attends to most, and what that is to it, in one sentence."""
    tokens = numbered(choice.sentence.symbols)
    weights = choice.weights[query]
    key = int(weights.argmax())
    relation = relation_of(choice.sentence, query, key)
    return (
        f"Head {choice.layer + 1}.{choice.head + 1}: `{tokens[query]}` looks at `{tokens[key]}`,"
        f" {percent(float(weights[key]))}{f' ({relation})' if relation else ''}"
    )


def stages_of_row(choice: Choice, query: int) -> None:
    """Draw what one query attends to, and under each token its score, scaled, masked, and its weight.

    The last row is each token's part in the weighted sum of the values, by the length of what it adds.
    """
    symbols = choice.sentence.symbols
    trace = choice.stages
    is_hidden = torch.isneginf(trace.masked_scores[query])
    weights = _row(choice.weights[query], is_hidden)
    intervention, width = choice.intervention, choice.sentence.config.head_width
    divisor = f"÷ √{width}"
    if intervention.temperature != 1.0:
        divisor += f" ÷ {intervention.temperature:g}"
    row_arcs(
        weights,
        symbols,
        query,
        key="row",
        label=f"Weights of query {query} in head {choice.layer + 1}.{choice.head + 1}",
        name=_file_name(choice, query),
        on_choose=partial(_set, "query"),
        stages=[
            Stage("q · k", trace.scores[query].tolist()),
            Stage(divisor, trace.scaled_scores[query].tolist(), "scaled", intervention.is_scaled),
            Stage("mask", _row(trace.scaled_scores[query], is_hidden), "causal", choice.is_causal),
            Stage("softmax", weights, is_weight=True),
            Stage("× |value|", _row(choice.parts[query], is_hidden), is_weight=True),
        ],
        on_switch=switch,
    )


def row_data(choice: Choice, query: int) -> None:
    """Fold away the numbers of the query's row."""
    data_popover(partial(_row_frame, choice, query), key="row_data", name=_file_name(choice, query))


def _row_frame(choice: Choice, query: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "key": numbered(choice.sentence.symbols),
            "score": choice.stages.scores[query].tolist(),
            "scaled": choice.stages.scaled_scores[query].tolist(),
            "weight": choice.weights[query].tolist(),
        }
    )


def _file_name(choice: Choice, query: int) -> str:
    return f"attention-{choice.layer + 1}-{choice.head + 1}-token-{query}"


def _row(values: torch.Tensor, is_hidden: torch.Tensor) -> list[float | None]:
    return [
        None if hidden else float(value) for value, hidden in zip(values, is_hidden, strict=True)
    ]


def _set(name: str, value: int) -> None:
    st.session_state[name] = value


def next_token(choice: Choice, query: int) -> None:
    """Draw what the model predicts after the query, and what it predicted before a change."""
    sentence = choice.sentence
    before, after = (
        trace.logits[query].softmax(-1).numpy() for trace in (choice.trace_before, choice.trace)
    )
    follows = sentence.ids[query + 1 : query + 2].tolist()
    truth = follows[0] if follows else None
    table = prediction_table(
        sentence.vocabulary.symbols, {"": after}, before=before, most=_candidates(), marked=truth
    )
    best = int(after.argmax())
    said = f"`{visible(sentence.vocabulary.symbols[best])}` with {percentage(after[best])}"
    changes = described(choice.intervention)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        was = f", trained {percentage(before[best])}" if changes else ""
        st.markdown(f"**After all {sentence.config.layers} layers: {said}{was}**", width="stretch")
        ablation_buttons(choice)
    page.show_chart(
        prediction_bars(table, unit="token", mark="follows", colour=PURPLE, height=165),
        key="next_token",
        alt=f"The most probable tokens after {numbered(sentence.symbols)[query]}: {said}."
        f" {f'Changed: {changes}; outlines: as trained.' if changes else ''}",
    )


def _candidates() -> int:
    """Return how many fit under the row: in the presenter view's large type fewer."""
    return 2 if page.is_presenting() else 3


def ask_about_mask(choice: Choice) -> page.Asked[str]:
    """Ask what the mask is good for while the model reads, and answer with this sentence's loss."""
    asked = page.ask(
        None,
        "mask",
        "Without the *mask*, each token may look ahead. What happens to the loss on this sentence?",
        _ANSWERS,
    )
    if not asked.masks:
        before = mean_loss(choice.trace_before)
        after = mean_loss(trace_of(choice.sentence, _MASK_OFF))
        asked.judge(
            right=_ANSWERS[_change(before, after)],
            reason=f"The mean loss goes from **{before:.2f}** to **{after:.2f}** nats a token. The model"
            " was trained with the mask, so no head has learned to use later tokens, and what it now sees"
            f" there {'helps' if after < before else 'disturbs'} by chance. Click *mask* in the picture.",
        )
    return asked


def _change(before: float, after: float) -> int:
    """Return which of the answers is right."""
    return 0 if after < _NEAR_ZERO * before else 2 if after > _A_LOT * before else 1
