"""Stages of a model side by side, each a column of cells; a click opens one, or chooses a token."""

import base64
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared.server.component import component
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import is_presenting

_COLUMNS = component("stage_columns", "pictures")


class Column(NamedTuple):
    """A stage."""

    stage: int  # its number among all stages, which a click tells
    name: str
    # of shape (T, units): the largest is drawn in full colour, orange; negative ones are blue
    values: np.ndarray
    alt: str
    # whether the chosen token's path runs on here; other stages are passed by in a bow
    is_stream: bool = False
    # whether it belongs to the block that is open, around which there is a frame
    is_inside: bool = False
    is_open: bool = False
    mixes: bool = False  # whether tokens are mixed on the way to it
    said: str = ""  # above it


class Path(NamedTuple):
    """What is drawn over the columns."""

    tokens: Sequence[str]
    token: int  # the one whose path is drawn
    shown: int  # so many columns are drawn in full; the others are only indicated
    mixed: Sequence[float]  # how much of each token is mixed into the chosen one
    bars: Sequence[tuple[str, float]]  # what is predicted in the end, with its probability
    block: str  # name of the block that is open


def stage_columns(
    columns: Sequence[Column],
    path: Path,
    *,
    key: str,
    name: str,
    label: str,
    hint: str,
    height: int,
    on_choose: Callable[[str, int], None],
) -> None:
    """Draw columns side by side and a token's path through them.

    Parameters
    ----------
    name : str, of the exported files, without ending
    label : str, names the picture for screen readers
    hint : str, stands under it
    height : int, in pixels, at least
    on_choose : callable of ``column`` and a stage, or ``token`` and a place
        Called after a click, before the page runs.
    """

    def chosen() -> None:
        told = st.session_state[key].chosen
        if told is not None:
            on_choose(*checked_choice(told, {c.stage for c in columns}, len(path.tokens)))

    _COLUMNS(
        key=key,
        data={
            "columns": _sent(columns),
            "values": packed([column.values for column in columns]),
            **path._asdict(),
            "name": name,
            "label": label,
            "hint": hint,
            "height": height,
            "fills": is_presenting(),
            "text_size": min(18, max(11, round(0.75 * chart_style().text_size))),
        },
        on_chosen_change=chosen,
    )


def checked_choice(told: Sequence[object], stages: set[int], n_tokens: int) -> tuple[str, int]:
    """Return what a browser sent as a choice; raises ValueError if there is no such column or token."""
    kind, number = str(told[0]), int(str(told[1]))
    if not (
        (kind == "column" and number in stages) or (kind == "token" and 0 <= number < n_tokens)
    ):
        raise ValueError(f"no column or token: {kind} {number}")
    return kind, number


def packed(values: Sequence[np.ndarray]) -> str:
    """Return matrices one after the other as they travel: each as shares of its largest number, in bytes."""
    parts = []
    for matrix in values:
        reach = float(np.abs(matrix).max(initial=0.0)) or 1.0
        parts.append(np.round(127.0 * matrix / reach).astype(np.int8).ravel())
    return base64.b64encode(zlib.compress(np.concatenate(parts).tobytes())).decode("ascii")


def _sent(columns: Sequence[Column]) -> list[dict[str, object]]:
    sent, start = [], 0
    for column in columns:
        rows, units = column.values.shape
        fields = {**column._asdict(), "start": start, "rows": rows, "units": units}
        del fields["values"]
        sent.append(fields)
        start += rows * units
    return sent
