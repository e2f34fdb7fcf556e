"""Which earlier characters the next prediction depends on, for the LSTM and a transformer side by side."""

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.training.checkpoints import CheckpointMeta
from pages.inside_a_writer.connection import (
    GRADIENT,
    OCCLUSION,
    TIMES_INPUT,
    Connection,
    connection_of,
)
from pages.inside_a_writer.subject import Subject
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.components.texts import AGAINST, ON, Tint, tinted_text
from pages.shared.models.book_models import snapshots_of
from pages.shared.numbers import percent
from pages.shared.ui.figures import download_csv
from pages.shared.ui.markdown import as_code

TRANSFORMER = "book-subword-transformer"
_MEANING = {
    GRADIENT: "The norm of the gradient of the log-probability with respect to each vector that is"
    " read: how fast the prediction would change with it. It is a length, so it does not say in"
    " which direction.",
    TIMES_INPUT: "The gradient times the vector itself: what a linear model with these slopes would owe"
    " to each character. The product has a sign, so it says for (orange) or against (blue) the"
    " prediction.",
    OCCLUSION: "Each character is replaced by a space, a space by e, one at a time: by how many nats"
    " does the log-probability fall? Blue is where it rises. The character is really replaced, so"
    " this is an experiment and not a slope.",
}
_SUBWORDS = (
    "The transformer reads subwords, and a sign with a quotation mark after it is one of them, so"
    " between the two it is asked what it never met."
)
_STRONGEST = 85
_NEAR, _LEAST_SHARE = 10, 0.01
_PRESENTED = 110


def choose_measure() -> str:
    """Draw by what a connection is measured, and return it."""
    return page.choice("measure", "By", (OCCLUSION, GRADIENT, TIMES_INPUT), width=190)


def connections(screen: page.FirstScreen, subject: Subject, measure: str, place: int) -> None:
    """Draw for both models the characters before a place, tinted by what the prediction owes them."""
    with screen.picture:
        metas = (subject.meta, snapshots_of(TRANSFORMER)[-1])
        found = [connection_of(meta, subject.text[:place], measure) for meta in metas]
        for column, meta, connection in zip(st.columns(2, gap="medium"), metas, found, strict=True):
            with column:
                st.markdown(
                    f"**{meta.title}** expects {as_code(visible(connection.token))},"
                    f" {percent(connection.probability)}"
                )
                _draw(meta, connection, measure)
    page.note_beside(screen, f"{_strongest(found[0])}\n\n{_MEANING[measure]}\n\n{_SUBWORDS}")
    if not page.is_presenting():
        with screen.beside:
            download_csv(_table(metas, found), "connectivity", key="writer_connections_csv")


def _draw(meta: CheckpointMeta, connection: Connection, measure: str) -> None:
    weights = connection.by_character
    total, largest = np.abs(weights).sum(), max(float(np.abs(weights).max()), 1e-12)
    text = "".join(connection.spelled)
    if page.is_presenting():  # as much as large type has room for
        text, weights = text[-_PRESENTED:], weights[-_PRESENTED:]
    tints = [
        Tint(
            (ON if weight >= 0 else AGAINST,),
            round(_STRONGEST * abs(weight) / largest),
            f"{weight:+.3f} ({percent(abs(weight) / max(total, 1e-12))} of all)",
        )
        for weight in weights.tolist()
    ]
    legend = [
        (
            ON,
            "the prediction needs it"
            if measure != GRADIENT
            else "the larger, the stronger the colour",
        )
    ]
    legend += [(AGAINST, "against it")] if measure != GRADIENT else []
    tinted_text(
        list(text),
        tints,
        key=f"writer_connection_{meta.name}",
        legend=[] if page.is_presenting() else legend,
        unit="character",
        label=f"What the prediction of {meta.title} depends on",
        click_hint="Point at a character: its share.",
        fills_place=page.is_presenting(),
    )


def _strongest(connection: Connection) -> str:
    """Say on which character most depends, and on which of those that were read long before."""
    weights = np.abs(connection.by_character)
    text = "".join(connection.spelled)
    share = weights / max(float(weights.sum()), 1e-12)
    best = int(weights.argmax())
    said = f"For the LSTM, {percent(share[best])} of all depends on {as_code(visible(text[best]))},"
    said += f" {len(text) - best} back." if best < len(text) - 1 else " the last character."
    far = int(weights[:-_NEAR].argmax()) if len(text) > _NEAR else None
    if far is not None and share[far] >= _LEAST_SHARE:
        said += (
            f" Of those more than {_NEAR} characters back, most depends on"
            f" {as_code(visible(text[far]))}, {len(text) - far} back: {percent(share[far])}."
        )
    return said


def _table(metas: tuple[CheckpointMeta, ...], found: list[Connection]) -> pd.DataFrame:
    rows = [
        (meta.title, i + 1, token, weight)
        for meta, connection in zip(metas, found, strict=True)
        for i, (token, weight) in enumerate(
            zip(connection.spelled, connection.weights.tolist(), strict=True)
        )
    ]
    return pd.DataFrame(rows, columns=["model", "token", "text", "weight"])
