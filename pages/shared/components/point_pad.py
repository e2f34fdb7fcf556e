"""A plane in which a visitor puts a point by a tap or by the arrow keys."""

from collections.abc import Callable

import streamlit as st

from pages.shared.server.component import component

_PAD = component("point_pad")


def point_pad(
    point: tuple[float, float] | None,
    *,
    axes: tuple[str, ...],
    ends: tuple[float, float],
    key: str,
    on_put: Callable[[str], None],
) -> None:
    """Draw a plane with the point that has been put there.

    Parameters
    ----------
    point : (x, y) or None
    axes : pair of str, their names; shown as text
    ends : pair of float, of both axes
    on_put : callable of a str
        Called with ``x, y`` as the browser has sent them, before the page runs. Whoever takes it
        checks it.
    """

    def put() -> None:
        place = st.session_state[key].put
        if place is not None:
            on_put(", ".join(map(str, place)) if isinstance(place, list) else str(place))

    data = {"point": point, "axes": list(axes), "low": ends[0], "high": ends[1]}
    _PAD(key=key, data=data, on_put_change=put)
