"""One head: the row of a token as arcs and ribbon, and the whole map at each stage."""

from functools import partial

import pandas as pd
import streamlit as st
import torch

from pages.attention.choices import Choice
from pages.attention.measured import STAGES, map_of, shown_weights, stages_of
from pages.shared.charts import numbered
from pages.shared.components.attention import data_popover, head_map, row_arcs
from pages.shared.components.packing import pack_map
from pages.shared.ui.controls import control

_CAPTIONS = {
    "scores": "q · k: blue is negative, orange positive",
    "scaled": "q · k, divided by √d and the temperature",
    "masked": "what lies ahead is taken out before the softmax",
    "weights": "each row adds up to 1",
}
_WITHOUT_MASK = "no mask: every token may look everywhere"


def choose_query(choice: Choice) -> int:
    """Draw the control of the token that looks, and return its position."""
    last = len(choice.sentence.text) - 1
    _keep_within("query", last)
    found = choice.sentence.text.find("awaiting")
    start = found + 1 if found >= 0 else last
    return control(
        st.slider, "query", "The token that looks", 0, last, start, help="Counts from 0."
    )


def row(choice: Choice, query: int) -> None:
    """Draw where one token looks."""
    symbols = list(choice.sentence.text)
    weights = shown_weights(choice)[query]
    hidden = torch.isneginf(stages_of(choice).masked_scores[query])
    shares = [None if h else float(w) for w, h in zip(weights, hidden, strict=True)]
    name = f"attention-{choice.layer + 1}-{choice.head + 1}"
    row_arcs(
        shares,
        symbols,
        query,
        key="row",
        label=f"Where token {query} looks in head {choice.layer + 1}.{choice.head + 1}",
        name=f"{name}-token-{query}",
        on_choose=partial(_set, "query"),
    )
    table = partial(pd.DataFrame, {"key": numbered(symbols), "weight": shares})
    data_popover(table, key="row_data", name=f"{name}-token-{query}")


def whole_map(choice: Choice, cell: tuple[int, int]) -> None:
    """Draw the head's map at a chosen stage; a click on a cell puts its numbers in the formula."""
    stage = control(
        st.segmented_control, "stage", "Stage", list(STAGES), default="weights", required=True
    )
    name = f"head {choice.layer + 1}.{choice.head + 1}"
    caption = _CAPTIONS[stage]
    if stage == "masked" and not choice.is_causal:
        caption = _WITHOUT_MASK
    st.caption(f"Queries down, keys across, shaded by the square root; {caption}.")
    head_map(
        pack_map(map_of(choice, stage)),
        list(choice.sentence.text),
        key="map",
        chosen=cell,
        title=f"{name}: {stage}",
        quantity="weight" if stage == "weights" else "score",
        is_weight=stage == "weights",
        name=f"attention-{choice.layer + 1}-{choice.head + 1}-{stage}",
        on_choose=_choose_cell,
    )
    table = partial(_map_frame, choice, stage)
    data_popover(table, key="map_data", name=f"attention-{name.replace(' ', '-')}-{stage}")


def choose_key(choice: Choice, query: int) -> int:
    """Draw the control of the token that is looked at, and return its position."""
    last = len(choice.sentence.text) - 1
    _keep_within("looked_at", last)
    strongest = int(stages_of(choice).weights[query].argmax())
    if control(
        st.toggle,
        "strongest",
        "The key that it looks at most",
        True,
        help="Off: choose one, here or by a click in the map.",
    ):
        return strongest
    return control(st.slider, "looked_at", "The token looked at", 0, last, min(strongest, last))


def _map_frame(choice: Choice, stage: str) -> pd.DataFrame:
    """Return the map as a table: a row for each query, a column for each key."""
    labels = numbered(list(choice.sentence.text))
    frame = pd.DataFrame(map_of(choice, stage).round(5), columns=labels)
    frame.insert(0, "query", labels)
    return frame


def _choose_cell(cell: list[int]) -> None:
    st.session_state["query"], st.session_state["looked_at"] = cell
    st.session_state["strongest"] = False


def _keep_within(name: str, last: int) -> None:
    """Stay within a sentence that got shorter."""
    if st.session_state.get(name, 0) > last:
        st.session_state[name] = last


def _set(name: str, value: int) -> None:
    st.session_state[name] = value
