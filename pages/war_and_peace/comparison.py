"""Every model of the book on the same characters, beside the published figures."""

import re
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.published import WAR_AND_PEACE
from lm_core.experiments.war_and_peace.results import COUNTED, MIXTURE, BookLosses, ModelRow
from lm_core.text.character_vocabulary import SOURCE
from pages.shared.charts.comparisons import loss_comparison
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.messages import show_error

_PROTOCOLS = {
    "A": ("64-character windows", "cold"),
    "B": ("running memory", "carried"),
    "B'": ("without the licence", "carried_novel_only"),
}
"""What each is called on screen, and in the published figures."""


def comparison() -> None:
    """Draw the losses of all models, ours and the published ones, by protocol."""
    try:
        measured = _measured()
    except ResultError as error:
        show_error(error, st.info)
        return
    rows = _scores([row for row in measured if _is_comparable(row)])
    protocol = control(
        st.segmented_control,
        "loss_protocol",
        "Protocol",
        list(_PROTOCOLS),
        default="B",
        required=True,
        format_func=lambda letter: _PROTOCOLS[letter][0],
        help="*64-character windows*: each begins without memory. *Running memory*: one pass,"
        " the state carried from the first character to the last. *Without the licence*: the"
        " same, without the licence at the end of the file.",
    )
    title = _PROTOCOLS[protocol][0]
    shown = rows[rows["protocol"] == title].dropna(subset=["loss"])
    show_chart(
        loss_comparison(shown),
        rows,
        key="writing_comparison",
        alt="; ".join(f"{r.model}: {r.loss:.4f}" for r in shown.itertuples()),
        name="models-compared",
    )
    if is_presenting():
        return
    _on_another_text([row for row in measured if not _is_comparable(row)])
    ours = shown[shown["origin"] == "ours"]["loss"].min()
    published = shown[shown["origin"] == "published"]["loss"].min()
    st.markdown(
        f"No model has learned from the last tenth of the book. There, our best one needs"
        f" **{ours:.4f} nats a character** (best published: {published:.4f}). A bar is one standard"
        " error." + (_differences(measured) if protocol == "B" else "")
    )
    st.caption("Published figures: blog series and repository christianb93/MLLM.")
    st.dataframe(
        rows.pivot_table(index="model", columns="protocol", values="loss", sort=False),
        column_config={
            name: st.column_config.NumberColumn(format="%.4f") for name, _ in _PROTOCOLS.values()
        },
    )


@st.cache_data(max_entries=1, show_spinner=False)
def _measured() -> tuple[ModelRow, ...]:
    return BookLosses.load().rows


def _differences(measured: Sequence[ModelRow]) -> str:
    """Say how far the models lie apart on identical characters, which is surer than the levels."""
    apart = [
        f"{_title(row, measured)} {row.difference.nats:+.3f} ± {row.difference.standard_error:.3f}"
        for row in measured
        if row.difference and _is_comparable(row)
    ]
    first = _title(measured[0], measured)
    return (
        " All models read the same characters, so we know their differences better than each single loss."
        f" From {first}: {'; '.join(apart)}."
    )


def _title(row: ModelRow, measured: Sequence[ModelRow]) -> str:
    """Return what a model is called; of a mixture, its weight and what its parts are called."""
    title = row.title or row.name
    if row.kind == MIXTURE:
        for part in measured:
            if part.title:
                title = re.sub(rf"(?<= ){re.escape(part.name)}\b", part.title, title)
    return title


def _is_comparable(row: ModelRow) -> bool:
    """Return whether a model was scored on the text of the published figures."""
    return row.text == SOURCE.name


def _on_another_text(rows: Sequence[ModelRow]) -> None:
    """Name the losses on the book with quotes and paragraphs, which no other figure is comparable to."""
    if rows:
        losses = "; ".join(
            f"{row.title} **{row.losses['B'].nats:.4f}** ± {row.losses['B'].standard_error:.4f}"
            for row in rows
        )
        apart = "".join(
            f" On identical characters {row.title} lies {row.difference.nats:+.4f}"
            f" ± {row.difference.standard_error:.4f} from {rows[0].title}."
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
        {
            "model": _title(row, measured),
            "protocol": title,
            "loss": row.losses[letter].nats,
            "standard_error": row.losses[letter].standard_error,
            "origin": "baseline" if row.kind == COUNTED else "ours",
        }
        for row in measured
        for letter, (title, _) in _PROTOCOLS.items()
        if letter in row.losses
    ]
    published = [
        {
            "model": reference.title,
            "protocol": title,
            "loss": getattr(reference, field),
            "standard_error": None,
            "origin": "published",
        }
        for reference in WAR_AND_PEACE
        for title, field in _PROTOCOLS.values()
    ]
    return pd.DataFrame(ours + published)
