"""Every model of the book on the same characters, beside the published figures."""

import math
import re
import textwrap
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.published import WAR_AND_PEACE
from lm_core.experiments.war_and_peace.results import COUNTED, MIXTURE, BookLosses, ModelRow
from lm_core.text.character_vocabulary import SOURCE
from pages.shared import page
from pages.shared.charts.comparisons import loss_comparison
from pages.war_and_peace.published_training import published_training

_PROTOCOLS = {
    "A": ("64-character windows", "cold"),
    "B": ("running memory", "carried"),
    "B'": ("without the licence", "carried_novel_only"),
}
"""What each is called on screen, and in the published figures."""
_TITLES = {letter: title for letter, (title, _) in _PROTOCOLS.items()}


def comparison() -> None:
    """Draw the losses of all models, ours and the published ones, by protocol."""
    try:
        measured = page.shipped(BookLosses).rows
    except ResultError as error:
        page.show_error(error, st.info)
        return
    # No other figure is comparable to those on the book with quotes and paragraphs.
    comparable = [row for row in measured if row.text == SOURCE.name]
    rows = _scores(comparable)
    protocol = page.segments(
        "loss_protocol", "Protocol", _TITLES, "B",
        help="In *64-character windows* the model begins each window without memory, so its first"
             " characters are hard to predict. With *running memory* it reads the text once and carries"
             " its state from the first character to the last. *Without the licence* is the same without"
             " the licence at the end of the file, which is no Tolstoy.",
    )  # fmt: skip
    shown = rows[rows["protocol"] == _TITLES[protocol]].dropna(subset=["loss"])
    page.show_chart(
        loss_comparison(shown.assign(model=shown["model"].map(_in_lines))),
        rows,
        key="writing_comparison",
        alt="; ".join(f"{r.model}: {r.loss:.4f}" for r in shown.itertuples()),
        name="models-compared",
    )
    if page.is_presenting():
        return
    if others := [row for row in measured if row.text != SOURCE.name]:
        _on_another_text(others)
    best = shown.groupby("origin")["loss"].min()
    st.markdown(
        "None of our models has learned from the last tenth of the book. There the loss of our best one is"
        f" **{best['ours']:.4f} nats a character**, so it is as unsure as among"
        f" {math.exp(best['ours']):.1f} equally likely characters (best published:"
        f" {best['published']:.4f} nats). A bar is one standard"
        f" error.{_differences(comparable, measured) if protocol == 'B' else ''}"
    )
    st.caption("Published figures: blog series and repository christianb93/MLLM.")
    st.dataframe(
        rows.pivot_table(index="model", columns="protocol", values="loss", sort=False),
        column_config={
            title: st.column_config.NumberColumn(format="%.4f") for title in _TITLES.values()
        },
    )
    published_training()


def _differences(comparable: Sequence[ModelRow], measured: Sequence[ModelRow]) -> str:
    """Say how far the models lie apart on identical characters, which is known better than the levels."""
    apart = [
        f"{_title(row, measured)} {row.difference.nats:+.3f} ± {row.difference.standard_error:.3f}"
        for row in comparable
        if row.difference
    ]
    return (
        " All models read the same characters, so we know their differences better than each single loss."
        f" From {_title(measured[0], measured)}: {'; '.join(apart)}."
    )


def _in_lines(name: str) -> str:
    return textwrap.fill(name, 26)


def _title(row: ModelRow, measured: Sequence[ModelRow]) -> str:
    """Return what a model is called; of a mixture, its weight and what its parts are called."""
    title = row.title or row.name
    for part in measured:
        if row.kind == MIXTURE and part.title:
            title = re.sub(rf"(?<= ){re.escape(part.name)}\b", part.title, title)
    return title


def _on_another_text(rows: Sequence[ModelRow]) -> None:
    """Name the losses on the book with quotes and paragraphs."""
    losses = "; ".join(
        f"{row.title} **{row.losses['B'].nats:.4f}** ± {row.losses['B'].standard_error:.4f}"
        for row in rows
    )
    apart = "".join(
        f" On identical characters the loss of {row.title} differs by {row.difference.nats:+.4f} ±"
        f" {row.difference.standard_error:.4f} from that of {rows[0].title}."
        for row in rows
        if row.difference
    )
    st.markdown(
        f"On the same tenth *with* quotes, apostrophes and paragraphs: {losses} nats a character."
        f"{apart} That is another text, so these are not in the chart."
    )


def _scores(measured: Sequence[ModelRow]) -> pd.DataFrame:
    """Return measured and published rows, tidy: model, protocol, loss, standard_error, origin."""
    ours = [
        (_title(row, measured), title, loss.nats, loss.standard_error, origin)
        for row in measured
        for origin in ("baseline" if row.kind == COUNTED else "ours",)
        for letter, title in _TITLES.items()
        if (loss := row.losses.get(letter))
    ]
    published = [
        (reference.title, title, getattr(reference, field), None, "published")
        for reference in WAR_AND_PEACE
        for title, field in _PROTOCOLS.values()
    ]
    columns = ["model", "protocol", "loss", "standard_error", "origin"]
    return pd.DataFrame([*ours, *published], columns=columns)
