"""A query among two-dimensional keys and values, to be dragged: the weights follow in the browser."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.shared.server.component import component

_PAD = component("query_pad")
Point = tuple[float, float]
QUERY_REACH = 3.0
"""The pad shows coordinates from -3 to 3; a query stays within, on steps of 0.1."""


def query_pad(
    query: Point,
    keys: Sequence[Point],
    values: Sequence[Point],
    *,
    divisor: float,
    longer: float | None = None,
    key: str,
    on_drop: Callable[[Point], None],
) -> None:
    """Draw a query that can be dragged or moved by the arrow keys, with its weights and its mix.

    Parameters
    ----------
    query : pair of float, within ±`QUERY_REACH`
    keys, values : sequences of pairs of float, as many of one as of the other
    divisor : float, above 0, what the scores are divided by before the softmax
    longer : float, draw also, dashed, what a query so many times as long would attend to
    on_drop : callable of a pair
        Called once when the query is let go, or has rested half a second after the last key,
        before the page runs.
    """

    def dropped() -> None:
        place = st.session_state[key].dropped
        if place is not None:
            on_drop(checked_place(place))

    data = {
        "query": list(query),
        "keys": [list(point) for point in keys],
        "values": [list(point) for point in values],
        "divisor": divisor,
        "longer": longer,
    }
    _PAD(key=key, data=data, on_dropped_change=dropped)


def checked_place(place: Sequence[float]) -> Point:
    """Return what a browser sent as a place on the pad, rounded to 0.1 and kept within its edges.

    Raises ValueError if it is no pair of numbers.
    """
    x, y = (min(QUERY_REACH, max(-QUERY_REACH, round(float(number), 1))) for number in place)
    return x, y
