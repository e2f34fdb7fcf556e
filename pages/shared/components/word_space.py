"""Words in three dimensions, to be turned in the browser."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.shared.components import component
from pages.shared.ui.appearance import chart_style

_SPACE = component("word_space", "pictures")
_ROLES = {"chosen": "chosen", "near here": "near", "far here": "far", "other": "other"}


class Angle(NamedTuple):
    """From where a space is seen, in whole degrees: turned by -180 to 180, tilted by -90 to 90."""

    turn: int
    tilt: int


class LegendEntry(NamedTuple):
    """What a mark means: of which role, in words, and its colour where the role has none."""

    role: str
    name: str
    colour: str = ""


def word_space_view(
    words: Sequence[str],
    points: np.ndarray,
    roles: Sequence[str],
    colours: Sequence[str],
    angle: Angle,
    *,
    key: str,
    legend: Sequence[LegendEntry],
    label: str,
    name: str,
    on_turned: Callable[[Angle], None],
) -> None:
    """Draw words as points that can be dragged round, or turned by the arrow keys.

    The space follows the hand in the browser; the server hears once, where it was let go.

    Parameters
    ----------
    words : sequence of str
    points : ndarray of shape (n, 3)
    roles : sequence of str
        As in `pages.shared.charts.map_frame`.
    colours : sequence of str
        Of the words that have no role.
    angle : Angle
    key : str
        Unique on the page.
    legend : sequence of LegendEntry
    label : str
        What the picture shows, for who cannot see it.
    name : str
        Of the exported files, without ending.
    on_turned : callable of Angle
        Called before the page runs again.
    """

    def turned() -> None:
        if (sent := st.session_state[key].turned) is not None:
            on_turned(checked_angle(sent))

    reach = float(np.abs(points).max()) or 1.0
    _SPACE(
        key=key,
        data={
            "words": list(words),
            "points": (points / reach).round(4).tolist(),
            "roles": [_ROLES[role] for role in roles],
            "colours": list(colours),
            "legend": [entry._replace(role=_ROLES[entry.role])._asdict() for entry in legend],
            "text_size": chart_style().text_size,
            "label": label,
            "name": name,
            **angle._asdict(),
        },
        on_turned_change=turned,
    )


def checked_angle(sent: Mapping[str, Any]) -> Angle:
    """Return what a browser sent as an angle.

    Raises
    ------
    ValueError
        If it is none.
    """
    turn, tilt = sent.get("turn"), sent.get("tilt")
    if turn not in range(-180, 181) or tilt not in range(-90, 91):
        raise ValueError(f"no angle: turn {turn!r}, tilt {tilt!r}")
    return Angle(int(turn), int(tilt))
