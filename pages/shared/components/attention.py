"""Attention in pictures that answer to a click: all heads, one head's map, one query's row.

32 heads of 128 tokens have half a million weights: they travel to the browser as bytes of their
square root, which is how they are shaded. A map that can be read off travels in 16-bit steps. Both
are compressed.
"""

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared.charts.palette import numbered, visible
from pages.shared.csv_files import safe_csv
from pages.shared.server.component import component
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.folds import draw_when_open

_HEADS = component("attention_heads", "pictures")
_MAP = component("attention_map", "pictures")
_ARCS = component("attention_arcs", "pictures", "hints")

Chosen = Callable[[list[int]], None]
"""What a click does: given the place of what was clicked, before the page runs again."""

# Packing --------------------------------------------------------------------------------------

_SHADES = 51.0
"""Steps from white to the strongest: each is five units of 255, which no eye tells apart in so small a picture, in fewer bytes."""
_HIDDEN = -32768  # what a packed map holds where it is masked


class PackedMap(NamedTuple):
    """A square of numbers as it travels: ``values * step``, and the largest of them."""

    values: str
    step: float
    reach: float


def pack_heads(weights: np.ndarray) -> str:
    """Pack the weights of all heads, (layers, H, T, T) in [0, 1], as shades of 0 to 255."""
    shades = np.round(_SHADES * np.sqrt(weights))
    return _packed((255.0 / _SHADES * shades).astype(np.uint8))


def pack_map(values: np.ndarray) -> PackedMap:
    """Pack one head's numbers, (T, T); minus infinity is masked."""
    is_hidden = np.isneginf(values)
    reach = float(np.abs(values[~is_hidden]).max(initial=0.0)) or 1.0
    step = reach / 32767.0
    steps = np.round(np.where(is_hidden, 0.0, values) / step)
    return PackedMap(_packed(np.where(is_hidden, _HIDDEN, steps).astype("<i2")), step, reach)


def _packed(numbers: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(numbers.tobytes())).decode("ascii")


# Pictures -------------------------------------------------------------------------------------


def head_pictures(
    shades: str,
    shape: tuple[int, int, int],
    *,
    key: str,
    chosen: tuple[int, int],
    names: Sequence[Sequence[str]],
    notes: Sequence[Sequence[str]],
    is_ablated: Sequence[Sequence[bool]],
    is_causal: bool,
    label: str,
    name: str,
    on_choose: Chosen,
) -> None:
    """Draw all heads of all layers, small, and one of them marked; a click chooses another.

    Parameters
    ----------
    shades : str, as packed by `pack_heads`
    shape : (layers, H, T)
    chosen : (layer, head)
    names, notes : layers rows of H str
        What is written under each picture, and what is shown when it is pointed at.
    is_ablated : layers rows of H bool, which are ablated: drawn pale and dashed
    is_causal : bool, whether the half above the diagonal is masked, and hatched
    label : str, names the pictures for screen readers, and in the exported file
    name : str, of the exported files, without ending
    on_choose : callable of [layer, head]
    """
    layers, heads, length = shape
    _HEADS(
        key=key,
        data={
            "shades": shades,
            "layers": layers,
            "heads": heads,
            "length": length,
            "chosen": list(chosen),
            "names": [list(row) for row in names],
            "notes": [list(row) for row in notes],
            "is_ablated": [[bool(one) for one in row] for row in is_ablated],
            "is_causal": is_causal,
            "label": label,
            "name": name,
            "fills": is_presenting(),
        },
        on_chosen_change=_telling(key, on_choose),
    )


def head_map(
    packed: PackedMap,
    symbols: Sequence[str],
    *,
    key: str,
    chosen: tuple[int, int],
    title: str,
    is_weight: bool,
    name: str,
    on_choose: Chosen,
) -> None:
    """Draw one head's numbers as a map, queries down and keys across; a click chooses a cell.

    Parameters
    ----------
    symbols : sequence of T str
    chosen : (query, key)
    title : str, what the map shows
    is_weight : bool
        Weights are shaded from 0 to 1; other numbers by sign, up to the largest. All by the square
        root.
    name : str, of the exported files, without ending
    on_choose : callable of [query, key]
    """
    _MAP(
        key=key,
        data={
            **packed._asdict(),
            "tokens": numbered(symbols),
            "chosen": list(chosen),
            "title": title,
            "quantity": "weight" if is_weight else "score",
            "is_weight": is_weight,
            "name": name,
            "text_size": _text_size(),
        },
        on_chosen_change=_telling(key, on_choose),
    )


class Stage(NamedTuple):
    """A stage of a query's row: a number for each token, None where masked."""

    title: str
    values: Sequence[float | None]  # sequence of T float or None
    switch: str = ""  # what a click on the title is told as; empty where nothing can be switched
    is_on: bool = True
    is_weight: bool = False  # weights are shaded from 0 to 1, scores by their sign


def row_arcs(
    weights: Sequence[float | None],
    symbols: Sequence[str],
    query: int,
    *,
    key: str,
    label: str,
    name: str,
    on_choose: Callable[[int], None],
    hint: str = "Click a token to make it the query.",
    stages: Sequence[Stage] = (),
    on_switch: Callable[[str], None] | None = None,
) -> None:
    """Draw what one query attends to: arcs, and a ribbon of all tokens shaded by their weight.

    Parameters
    ----------
    weights : sequence of T float in [0, 1] or None, of the query's row; None where masked
    symbols : sequence of T str
    label : str, names the picture for screen readers
    name : str, of the exported files, without ending
    on_choose : callable of an int, given the token that was clicked
    hint : str, shown after the list of the largest weights
    stages : sequence of Stage, rows under the tokens, from the scores to the weights
    on_switch : callable of a str, given the `Stage.switch` that was clicked
    """
    _ARCS(
        key=key,
        data={
            "weights": [_rounded(weight) for weight in weights],
            "tokens": numbered(symbols),
            "letters": [visible(symbol) for symbol in symbols],
            "query": query,
            "label": label,
            "name": name,
            "hint": hint,
            "text_size": _text_size() + 3,
            "fills": is_presenting(),
            "stages": [
                {**stage._asdict(), "values": [_rounded(value) for value in stage.values]}
                for stage in stages
            ],
        },
        on_chosen_change=_telling(key, on_choose),
        on_switched_change=_telling(key, on_switch or str, "switched"),
    )


def data_popover(
    table: Callable[[], pd.DataFrame],
    *,
    key: str,
    name: str,
    more: Mapping[str, Callable[[], str]] | None = None,
) -> None:
    """Fold away a picture's numbers under it, with their export as CSV.

    They are made and sent when a visitor opens the fold: a map of 256 tokens has 65,536 of them.

    Parameters
    ----------
    table : callable, makes the numbers that the picture shows
    name : str, of the exported file, without ending
    more : mapping of str to callable, optional
        Further CSV files by what they hold, made when they are asked for.
    """
    fold = st.popover(
        "Data and export", icon=":material/table:", type="tertiary", key=key, on_change="rerun"
    )
    draw_when_open(fold, partial(_numbers, table, key, name, more or {}))


def _numbers(
    table: Callable[[], pd.DataFrame], key: str, name: str, more: Mapping[str, Callable[[], str]]
) -> None:
    frame = table()
    files: dict[str, Callable[[], str]] = {"": partial(safe_csv, frame), **more}
    st.dataframe(frame, hide_index=True, height="content" if len(frame) < 9 else 320)
    with st.container(horizontal=True):
        for what, made in files.items():
            st.download_button(
                f"CSV, {what}" if what else "CSV",
                made,
                file_name=f"{name}-{what}.csv" if what else f"{name}.csv",
                mime="text/csv",
                on_click="ignore",
                key=f"{key}_csv_{what}",
            )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)


def _telling(key: str, told: Callable, name: str = "chosen") -> Callable[[], None]:
    """Return the callback of a component: Streamlit's own get no argument."""

    def tell() -> None:
        value = st.session_state[key][name]
        if value is not None:
            told(value)

    return tell


def _text_size() -> int:
    return max(12, round(0.8 * chart_style().text_size))
