"""Clusterings: what each step achieved, criteria by number of clusters, where restarts end."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.lines import Axis, Guesses, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, VERMILLION

PICKED = "restart"  # the selection of a `restart_histogram`, by the number of the restart

_STYLES = (LineStyle(BLUE), LineStyle(VERMILLION, 1))
_BEST = "best"
_BINS = 40

# Criteria --------------------------------------------------------------------------------------


def criterion_frame(
    values: Sequence[float], best: int | None, reference: Sequence[float] | None = None
) -> pd.DataFrame:
    """Return a criterion by number of clusters: clusters, value, best and, if given, reference.

    Parameters
    ----------
    values : sequence of float, for K = 1, 2, ...; those that are no numbers are left out
    best : int or None, the K that the criterion picks, if it picks one
    reference : sequence of float, what would be expected without groups
    """
    clusters = range(1, len(values) + 1)
    frame = pd.DataFrame({"clusters": clusters, "value": values})
    frame["best"] = frame["clusters"] == best
    if reference is not None:
        frame["reference"] = reference
    return frame[np.isfinite(frame["value"])].reset_index(drop=True)


def criterion_lines(
    frame: pd.DataFrame,
    *,
    title: str,
    now: int,
    reference: str = "",
    guess: int | None = None,
    of_class: Sequence[tuple[int, int]] = (),
    is_masked: bool = False,
    height: int = 150,
) -> Drawing:
    """Draw a `criterion_frame`: its pick has a square, a guess a triangle, the K on screen a dashed line.

    Parameters
    ----------
    title : str, of the upright axis
    now : int, the K on screen
    reference : str, what the grey line is called
    guess : int, the K that a visitor expected it to pick
    of_class : sequence of (K, count) pairs, how many of a class expected each K
    is_masked : bool, whether the criterion itself waits: its axes and the grey line are drawn
    """
    has_reference = "reference" in frame
    values = frame["value"].tolist() + (frame["reference"].tolist() if has_reference else [])
    places = {k: (k, value) for k, value in _pairs(frame, "clusters")}
    voted = [(*places[k], count) for k, count in of_class if k in places]
    return line_chart(
        {} if is_masked else {title: _pairs(frame, "clusters")},
        {title: _STYLES[0], _BEST: _STYLES[1]},
        Axis("clusters K", (1, max(2, int(frame["clusters"].max())))),
        Axis.around(title, values),
        references={reference: _pairs(frame, "clusters", "reference")} if has_reference else None,
        rings={} if is_masked else {_BEST: _pairs(frame[frame["best"]], "clusters")},
        guess=None if is_masked else Guesses(None if guess is None else places.get(guess), voted),
        now=now,
        has_points=True,
        has_names=False,
        height=height,
    )


def _pairs(frame: pd.DataFrame, x: str, y: str = "value") -> list[tuple[float, float]]:
    return list(zip(frame[x].tolist(), frame[y].tolist(), strict=True))


# Restarts -------------------------------------------------------------------------------------


def restart_frame(numbers: Sequence[int], values: Sequence[float]) -> pd.DataFrame:
    """Return where each restart ended: restart, value, times (how many ended in the same place).

    Parameters
    ----------
    numbers : sequence of int, of the restarts
    values : sequence of float
        Infinite ones are left out. Values that differ by less than a fortieth of their range count
        as the same.
    """
    pairs = [(n, v) for n, v in zip(numbers, values, strict=True) if math.isfinite(v)]
    frame = pd.DataFrame(pairs, columns=["restart", "value"])
    bins = _bins(frame["value"].tolist())
    counts = Counter(bins)
    return frame.assign(times=[counts[place] for place in bins])


def restart_histogram(
    frame: pd.DataFrame, *, title: str, chosen: int | None, height: int = 220
) -> Drawing:
    """Draw a `restart_frame` as a histogram of marks, each of which can be clicked.

    Parameters
    ----------
    title : str, of the axis across, with the unit
    chosen : int, the restart to mark
    """
    values = frame["value"].tolist()
    bins, stack = _bins(values), []
    seen: Counter[Any] = Counter()
    for place in bins:
        seen[place] += 1
        stack.append(seen[place])
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    middle = [low + (place + 0.5) / _BINS * (high - low) for place in bins]
    data = frame.assign(place=middle, stack=stack, chosen=frame["restart"] == chosen)
    of_value = {"title": title, "tickCount": 6, "format": ",.5~g"}
    of_restarts = {"title": "restarts", "tickMinStep": 1, "format": "d"}
    at = {
        "x": vl.field(
            "place:Q", axis=of_value, scale={"zero": False, "nice": False, "padding": 14}
        ),
        "y": vl.field(
            "stack:Q", axis=of_restarts, scale={"domainMin": 0, "nice": False, "padding": 8}
        ),
        "tooltip": ["restart:Q", "value:Q ,.5~g", "times:Q"],
    }
    look: vl.Spec = {"filled": True, "size": 70, "opacity": 0.9, "color": BLUE, "cursor": "pointer"}
    ring: vl.Spec = {
        "filled": False,
        "size": 260,
        "strokeWidth": 3,
        "color": VERMILLION,
        "shape": "square",
    }
    spec = vl.layered(
        vl.clickable(vl.mark("point", at, **look), PICKED, "restart", clear=False),
        vl.mark("point", at, when="datum.chosen", **ring),
        height=height,
    )
    return Drawing(spec, data, f"Marks: {title} of each restart.")


def picked_restart(selection: Mapping[str, Any]) -> int | None:
    """Return the restart that was clicked in a `restart_histogram`, None if none was."""
    points = selection.get(PICKED) or []
    return int(points[0]["restart"]) if points else None


def _bins(values: Sequence[float]) -> list[int]:
    if not values:
        return []
    low, high = min(values), max(values)
    width = (high - low) / _BINS
    if width <= 1e-9 * max(abs(low), abs(high), 1.0):
        return [_BINS // 2] * len(values)
    return [min(_BINS - 1, int((value - low) / width)) for value in values]
