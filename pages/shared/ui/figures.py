"""A chart as a page shows it: with words for who cannot see it, its numbers, and its exports."""

import io
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa
import streamlit as st

from lm_core.errors import CheckpointError
from lm_core.text.catalogue import conditions_of
from lm_core.training.checkpoints import read_meta
from pages.shared.charts.drawing import TABLE, TEXT_SIZE, Drawing, with_axes_shared
from pages.shared.charts.precision import without_idle_digits
from pages.shared.charts.sent_tables import narrowed
from pages.shared.csv_files import safe_csv
from pages.shared.numbers import NARROW_SPACE
from pages.shared.server.component import component
from pages.shared.ui.appearance import ChartStyle, chart_style
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.folds import draw_when_open

_EXPORT = component("chart_export")
_SMALL_TEXT = 18
_LARGEST_TITLE = 20
_LETTER = 0.6
"""Of a text's size: the width of a broad letter."""
_SHARE_BEYOND, _LETTER_ON_A_PHONE, _NARROW = 0.29, 0.58, 420
"""Of a chart's width, what the axis leaves for names beyond its lines; of a text's size, a letter's; pixels."""
_ROOM_BEYOND = 60  # what the axis of a narrow chart leaves for names beyond its lines, in pixels
_LETTERS_BEYOND, _PER_LETTER, _MOST_ROOM, _BELOW = 15, 4, 32, 20
"""Letters of the least text for which a phone's axis leaves room; pixels for each one more, at most; Streamlit's below a chart."""
_REM, _REM_PRESENTED = 17, 24
"""Pixels of a rem: `baseFontSize` of `.streamlit/config.toml`, and what the presenter view sets."""

_LOCALE = {
    "number": {
        "decimal": ".",
        "thousands": ",",
        "grouping": [3],
        "currency": ["", ""],
        "percent": f"{NARROW_SPACE}%",
    }
}
"""How axes and tooltips write numbers: as `pages.shared.numbers` does."""

Numbers: TypeAlias = pd.DataFrame | pa.Table | Callable[[], pd.DataFrame]
"""What a chart shows as a table, or what makes it; pandas takes longer than some charts do."""


def show_chart(
    chart: Drawing,
    frame: Numbers | None = None,
    *,
    key: str,
    alt: str,
    name: str = "",
    selectable: bool = False,
    is_small: bool = False,
    fills_screen: bool = True,
) -> dict[str, Any]:
    """Draw a chart, and under it its data table and its exports as PNG, SVG and CSV.

    The result: dict, the chosen points by the selection's name; empty where nothing is chosen.

    Parameters
    ----------
    chart : Drawing, with a height; its width is the column's
    frame : DataFrame, Table, or callable that returns one
        The numbers that the chart shows, as a reader wants them, by default those that it has been made of;
        called only if they are looked at.
    key : str, unique on the page; letters, digits, underscores and hyphens
    alt : str
        What the chart shows, with the numbers that matter, for who cannot see it. They follow the
        chart as text, because a chart with other words is set up anew.
    name : str, of the exported files, without ending; by default the key
    selectable : bool, whether a click on the chart's named selection reruns the page
    is_small : bool, whether it is one of several in a row, which have no room for a presenter's large text
    fills_screen : bool
        Whether it takes the height that its place has left in the presenter view; beside the picture
        a chart keeps its own.
    """
    if frame is None:
        frame = chart.table if chart.numbers is None else chart.numbers
    with st.container(key=f"charted_{key}", gap=None):
        presenting, style = is_presenting(), chart_style()
        if is_small:
            style = style._replace(text_size=min(style.text_size, _SMALL_TEXT))
        event: Any = st.vega_lite_chart(
            _dressed(chart, style, fills_screen=presenting and fills_screen),
            height="stretch" if presenting and fills_screen else "content",
            key=key,
            alt=chart.description,
            on_select="rerun" if selectable else "ignore",
        )
        st.text(alt)  # for screen readers: see `appearance`
        if not presenting:
            data = st.popover(
                "Data and export",
                icon=":material/table:",
                type="tertiary",
                key=f"{key}_data",
                on_change="rerun",
            )
            draw_when_open(
                data, partial(_data_and_export, frame, key, name or key.replace("_", "-"))
            )
    return dict(event["selection"]) if selectable else {}


def _data_and_export(shown: Numbers, key: str, name: str) -> None:
    numbers = shown() if callable(shown) else shown
    frame = numbers.to_pandas() if isinstance(numbers, pa.Table) else numbers
    st.dataframe(frame, hide_index=True, height="content" if len(frame) < 9 else 320)
    with st.container(horizontal=True):
        _EXPORT(key=f"{key}_export", data={"chart": key, "name": name}, width="content")
        download_csv(frame, name, key=f"{key}_csv")


def _dressed(chart: Drawing, style: ChartStyle, *, fills_screen: bool) -> dict[str, Any]:
    """Return the chart with its data, with text that is legible to this visitor, and room for it.

    A chart that fills the screen has no height of its own: it takes what its place has left.
    """
    text = {"labelFontSize": style.text_size, "titleFontSize": min(style.text_size, _LARGEST_TITLE)}
    axis, legend = _distances(style)
    config = {
        "padding": {"bottom": 4},
        # Read aloud, a mark is the names of its columns: the chart's own words say what they mean.
        "mark": {"aria": False},
        "axis": text | axis,
        # By Streamlit's the first and the last stand beside their lines.
        "axisY": {"labelFlush": False},
        "legend": text | legend,
        "text": {"fontSize": _size_of_text(chart, style), "color": style.text_colour},
        "locale": _LOCALE,
    }
    table = narrowed(chart.table_for(style.text_size))
    dressed = {
        **with_axes_shared(chart.spec),
        "datasets": {TABLE: without_idle_digits(chart.spec, table)},
        "config": config,
    }
    if fills_screen:
        del dressed["height"]
        # Streamlit's own for all sides takes the place of the settings' where the chart names none.
        dressed["padding"] = {"bottom": 4, "right": _more_room(chart, style)}
    elif room := max(0, _PER_LETTER * (chart.longest_name - _LETTERS_BEYOND)):
        dressed["padding"] = {"bottom": _BELOW, "right": min(room, _MOST_ROOM)}
    return dressed


def _distances(style: ChartStyle) -> tuple[dict[str, float], dict[str, float]]:
    """Return the distances within an axis and a legend, those of Streamlit's theme, in this view's pixels.

    The theme has them in rem, which the browser counts in pixels when it sets up a chart: after the
    presenter view is left, that may be while the page still has the large type of that view.
    """
    rem = _REM_PRESENTED if style.text_size > TEXT_SIZE else _REM
    between = {"titlePadding": rem, "labelPadding": rem, "labelSeparation": rem / 4}
    around = {"padding": rem / 2, "columnPadding": rem / 2, "rowPadding": rem / 4}
    marks = {"labelPadding": rem, "titlePadding": rem / 2, "symbolStrokeWidth": rem / 4}
    return between, around | marks


def _size_of_text(chart: Drawing, style: ChartStyle) -> int | dict[str, str]:
    """Return the size of a chart's words; where a phone leaves the longest name beyond a line too little room, less."""
    if not chart.longest_name or style.text_size > TEXT_SIZE:
        return style.text_size
    room = f"{_SHARE_BEYOND} * width / {_LETTER_ON_A_PHONE * chart.longest_name:.3g}"
    return {"expr": f"width < {_NARROW} ? clamp({room}, 9, {TEXT_SIZE}) : {TEXT_SIZE}"}


def _more_room(chart: Drawing, style: ChartStyle) -> int:
    """Return what the longest name beyond a line's end may need besides the room that its axis leaves, in pixels."""
    return max(0, round(_LETTER * style.text_size * chart.longest_name) - _ROOM_BEYOND)


def download_csv(frame: pd.DataFrame, name: str, *, key: str) -> None:
    """Offer a table as a CSV file `name`; it is written when it is asked for."""
    st.download_button(
        "CSV",
        partial(safe_csv, frame),
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        key=key,
    )


def download_checkpoint(
    folder: Path, *, label: str = "Checkpoint", key: str = "checkpoint"
) -> None:
    """Offer a checkpoint's folder as one file; it is packed only when it is asked for.

    `label`: str, of the button: which model, where a page has several.
    """
    pack = partial(_packed, folder)
    _checkpoint_button(pack, folder.name, label, key, _conditions(folder))


def download_network(save: Callable[[Path], Path], *, name: str, key: str = "checkpoint") -> None:
    """Offer a network that lies in no folder yet as its checkpoint; it is written when asked for.

    Parameters
    ----------
    save : callable, writes the checkpoint below the folder that it is given, and returns the checkpoint's own
    name : str, of the checkpoint
    """
    _checkpoint_button(partial(_saved_and_packed, save), name, "Checkpoint", key)


def _checkpoint_button(
    pack: Callable[[], bytes], name: str, label: str, key: str, conditions: str = ""
) -> None:
    st.download_button(
        label,
        pack,
        file_name=f"{name}.zip",
        mime="application/zip",
        icon=":material/download:",
        on_click="ignore",
        key=key,
        help=" ".join(
            ["meta.json (how it was trained) and model.safetensors (its weights).", conditions]
        ).strip(),
    )


def _conditions(folder: Path) -> str:
    """Return what those ask from whose texts a checkpoint learned; a damaged one is named elsewhere."""
    try:
        return conditions_of(read_meta(folder).corpus)
    except CheckpointError:
        return ""


def _saved_and_packed(save: Callable[[Path], Path]) -> bytes:
    with TemporaryDirectory() as folder:
        return _packed(save(Path(folder)))


def _packed(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"{folder.name}/{path.name}")
    return buffer.getvalue()
