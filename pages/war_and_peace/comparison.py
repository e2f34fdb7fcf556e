"""Every model of the book on the same characters, beside the figures that the source reports."""

import json
from pathlib import Path

import pandas as pd
import streamlit as st

from lm_core.experiments.published import WAR_AND_PEACE
from lm_core.training.checkpoints import SHIPPED
from pages.shared import charts
from pages.shared.ui.figures import show_chart

_RESULTS = SHIPPED.parent / "results" / "war-and-peace.json"
_PROTOCOLS = {"A": "cold", "B": "carried", "B'": "carried_novel_only"}


def comparison() -> None:
    """Draw losses under A, B and B' for all models, ours and theirs."""
    if not _RESULTS.exists():
        st.info("No measurements here yet: `python -m lm_core evaluate` makes them from the book.")
        return
    rows = _scores(_RESULTS)
    protocol = st.segmented_control(
        "Protocol",
        list(_PROTOCOLS),
        default="B",
        key="writing_protocol",
        format_func=lambda p: {
            "A": "A · cold windows of 64",
            "B": "B · memory carried through the text",
            "B'": "B′ · as B, without the licence",
        }[p],
    )
    shown = rows[rows["protocol"] == (protocol or "B")].dropna(subset=["loss"])
    show_chart(
        charts.loss_comparison(shown),
        rows,
        key="writing_comparison",
        alt="; ".join(f"{r.model}: {r.loss:.4f}" for r in shown.itertuples()),
        name="models-compared",
    )
    ours = shown[shown["origin"] == "ours"]["loss"].min()
    theirs = shown[shown["origin"] == "published"]["loss"].min()
    st.markdown(
        f"On the last tenth of the book, which no model has learned from, our best model needs"
        f" **{ours:.4f} nats a character**, the best of the source's figures {theirs:.4f}. The bars"
        " are one standard error of the level."
        + (_differences(_RESULTS) if protocol in (None, "B") else "")
    )
    st.dataframe(
        rows.pivot_table(index="model", columns="protocol", values="loss", sort=False),
        column_config={p: st.column_config.NumberColumn(format="%.4f") for p in _PROTOCOLS},
    )


@st.cache_data(max_entries=1, show_spinner=False)
def _differences(path: Path) -> str:
    """Say how far the models lie apart on identical characters, which is surer than the levels."""
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    apart = [
        f"{row.get('title', row['name'])} {row['difference']['nats']:+.3f}"
        f" ± {row['difference']['standard_error']:.3f}"
        for row in rows
        if "difference" in row
    ]
    first = rows[0].get("title", rows[0]["name"])
    return (
        f" The models were scored on identical characters, so their distances are surer than the"
        f" bars suggest. From {first}: {'; '.join(apart)}."
    )


@st.cache_data(max_entries=1, show_spinner=False)
def _scores(path: Path) -> pd.DataFrame:
    """Return our measured rows and the source's, tidy: model, protocol, loss, standard_error, origin."""
    measured = json.loads(path.read_text(encoding="utf-8"))["rows"]
    ours = [
        {
            "model": row.get("title", row["name"]),
            "protocol": protocol,
            "loss": row[protocol]["nats"],
            "standard_error": row[protocol]["standard_error"],
            "origin": "baseline" if row["kind"] == "counted" else "ours",
        }
        for row in measured
        for protocol in _PROTOCOLS
        if protocol in row
    ]
    theirs = [
        {
            "model": reference.title,
            "protocol": protocol,
            "loss": getattr(reference, field),
            "standard_error": None,
            "origin": "published",
        }
        for reference in WAR_AND_PEACE
        for protocol, field in _PROTOCOLS.items()
    ]
    return pd.DataFrame(ours + theirs)
