"""A chart as a page shows it: with words for who cannot see it, its numbers, and its exports."""

import io
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import altair
import pandas as pd
import streamlit as st

from pages.shared.appearance import ChartStyle, chart_style
from pages.shared.components import component

_EXPORT = component("chart_export")


def show_chart(
    chart: altair.TopLevelMixin,
    frame: pd.DataFrame,
    *,
    key: str,
    alt: str,
    name: str,
    selectable: bool = False,
) -> dict[str, Any]:
    """Draw a chart, and under it its data table and its exports as PNG, SVG and CSV.

    Parameters
    ----------
    chart : Altair chart
        With a height; its width is the column's.
    frame : DataFrame
        The numbers that the chart shows, as a reader wants them.
    key : str
        Unique on the page; letters, digits, underscores and hyphens.
    alt : str
        What the chart shows, with the numbers that matter, for who cannot see it.
    name : str
        Of the exported files, without ending.
    selectable : bool
        Whether a click on the chart's named selection reruns the page.

    Returns
    -------
    dict
        The chosen points by the selection's name; empty where nothing is chosen.
    """
    with st.container(gap=None):
        event = st.altair_chart(
            _dressed(chart, chart_style()),
            key=key,
            alt=alt,
            on_select="rerun" if selectable else "ignore",
        )
        with st.popover(
            "Data and export", icon=":material/table:", type="tertiary", key=f"{key}_data"
        ):
            st.dataframe(frame, hide_index=True, height="content" if len(frame) < 9 else 320)
            with st.container(horizontal=True):
                _EXPORT(key=f"{key}_export", data={"chart": key, "name": name}, width="content")
                st.download_button(
                    "CSV",
                    partial(frame.to_csv, index=False),
                    file_name=f"{name}.csv",
                    mime="text/csv",
                    on_click="ignore",
                    key=f"{key}_csv",
                )
    return dict(event["selection"]) if selectable else {}


def _dressed(chart: altair.TopLevelMixin, style: ChartStyle) -> altair.TopLevelMixin:
    """Return the chart with text that is legible to this visitor, and room for it."""
    chart = chart.copy()
    chart.height = round(chart.height * style.growth)
    text = {"labelFontSize": style.text_size, "titleFontSize": style.text_size}
    return (
        chart.configure(padding={"bottom": 4})
        .configure_axis(**text)
        .configure_legend(**text)
        .configure_text(fontSize=style.text_size, color=style.text_colour)
    )


def download_checkpoint(folder: Path) -> None:
    """Offer a checkpoint's folder as one file; it is packed only when it is asked for."""
    st.download_button(
        "Checkpoint",
        partial(_packed, folder),
        file_name=f"{folder.name}.zip",
        mime="application/zip",
        icon=":material/download:",
        on_click="ignore",
        key=f"checkpoint_{folder.name}",
        help="meta.json (how it was trained) and model.safetensors (its weights)",
    )


def _packed(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"{folder.name}/{path.name}")
    return buffer.getvalue()
