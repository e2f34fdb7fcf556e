"""Four heads on one encoder: which of its vectors each reads, as small diagrams side by side."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows
from pages.shared.charts.palette import GREY, PURPLE

_TOKEN, _VECTOR, _HEAD, _ARROW = "token", "vector", "head", "arrow"
_NAME, _NOTE, _FRAME = "name", "note", "frame"
_COLUMNS = ("kind", "x", "y", "x2", "y2", "text", "state")
_ROWS = {_TOKEN: 0.1, _VECTOR: 0.31, "mean": 0.49, _HEAD: 0.67}
"""Height of each in a panel, from 0 at its foot to 1."""
_NAMED, _NOTED = 0.96, 0.84
_READ, _UNREAD = "read", "unread"


class HeadPanel(NamedTuple):
    """A head on the vectors of some tokens."""

    name: str  # of the task
    tokens: tuple[str, ...]  # a few letters each
    read: tuple[int, ...]  # places of the tokens whose vectors the head reads
    outputs: tuple[str, ...]  # one for each vector that is read; or a single one, for their mean
    note: str  # what comes out, in a few words


def heads_diagram(panels: Sequence[HeadPanel], chosen: str, *, height: int = 300) -> Drawing:
    """Draw heads two in a row, the chosen one framed.

    Parameters
    ----------
    chosen : str, name of one of them
    height : int, in pixels
    """
    rows = [
        row
        for number, panel in enumerate(panels)
        for row in _panel(panel, number % 2, -(number // 2), is_chosen=panel.name == chosen)
    ]
    table = table_of_rows(_COLUMNS, rows)
    n_rows = (len(panels) + 1) // 2
    spec = _spec(1.0 - n_rows, height)
    return Drawing(spec, table, "Diagram: which of the encoder's vectors each task's head reads.")


def _panel(panel: HeadPanel, left: int, foot: int, *, is_chosen: bool) -> list[tuple[Any, ...]]:
    """Return the rows of one head in the unit square whose lower left corner is given."""
    n = len(panel.tokens)
    xs = [left + (i + 0.75) / (n + 0.5) for i in range(n)]
    token, vector, mean, head = (foot + height for height in _ROWS.values())
    rows: list[tuple[Any, ...]] = [
        (_NAME, left + 0.5, foot + _NAMED, None, None, panel.name, ""),
        (_NOTE, left + 0.5, foot + _NOTED, None, None, panel.note, ""),
    ]
    if is_chosen:
        rows.append((_FRAME, left + 0.015, foot + 0.015, left + 0.985, foot + 0.99, "", ""))
    for i, (x, text) in enumerate(zip(xs, panel.tokens, strict=True)):
        state = _READ if i in panel.read else _UNREAD
        rows += [
            (_TOKEN, x, token, None, None, text, state),
            (_ARROW, x, token + 0.07, x, vector - 0.06, "", _UNREAD),
            (_VECTOR, x, vector, None, None, "", state),
        ]
    is_mean = len(panel.outputs) < len(panel.read)
    ends = [left + 0.5] * len(panel.read) if is_mean else [xs[i] for i in panel.read]
    top = mean - 0.05 if is_mean else head - 0.07
    rows += [
        (_ARROW, xs[i], vector + 0.06, end, top, "", _READ)
        for i, end in zip(panel.read, ends, strict=True)
    ]
    if is_mean:
        rows.append((_HEAD, left + 0.5, mean, None, None, "mean", _READ))
        rows.append((_ARROW, left + 0.5, mean + 0.05, left + 0.5, head - 0.06, "", _READ))
    at = [left + 0.5] if is_mean else ends
    rows += [
        (_HEAD, x, head, None, None, text, _READ) for x, text in zip(at, panel.outputs, strict=True)
    ]
    return rows


def _spec(foot: float, height: int) -> vl.Spec:
    place = vl.place(vl.scale(0, 2), vl.scale(foot, 1))
    span = place | {"x2": "x2", "y2": "y2"}
    is_read = f"datum.state == '{_READ}'"
    arrow = {"color": vl.either(is_read, PURPLE, GREY), "strokeWidth": vl.either(is_read, 1.6, 0.8)}
    vector = {"color": vl.either(is_read, PURPLE, "#dddddd")}
    square: vl.Spec = {
        "shape": "square",
        "size": 90,
        "strokeWidth": 1.2,
        "stroke": GREY,
        "opacity": 1,
    }
    font: vl.Spec = {"fontSize": vl.expression("clamp(width / 25, 9, 22)")}

    def text(kind: str, **look: Any) -> vl.Spec:
        return vl.mark("text", place, {"text": "text:N"}, when=f"datum.kind === '{kind}'", **look)

    return vl.layered(
        vl.mark("rule", span, arrow, when=f"datum.kind === '{_ARROW}'"),
        vl.mark("point", place, vector, when=f"datum.kind === '{_VECTOR}'", filled=True, **square),
        text(_TOKEN, baseline="middle", **font),
        text(_HEAD, baseline="middle", **font),
        text(_NAME, baseline="top", fontWeight="bold"),
        text(_NOTE, baseline="top", **font),
        vl.outlined(span, when=f"datum.kind === '{_FRAME}'", strokeWidth=2, cornerRadius=6),
        height=height,
    )
