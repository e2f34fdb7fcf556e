"""Small matrices with their numbers, side by side in rows of panels."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import GREY, SIGNED, inks_on
from pages.shared.numbers import significant

_GAP = 0.7
_NAME_ROOM = 1.3  # cells


def matrix_frame(panels: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return one row per number: matrix, row, column (both from 1), value.

    Parameters
    ----------
    panels : mapping of str to ndarray of shape (rows, columns)
        By name. Minus infinity is a number that is masked, one that is
        missing is asked for.
    """
    frames = []
    for name, values in panels.items():
        row, column = np.indices(values.shape)
        frames.append(
            pd.DataFrame(
                {
                    "matrix": name,
                    "row": row.ravel() + 1,
                    "column": column.ravel() + 1,
                    "value": np.asarray(values, float).ravel(),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def matrix_panels(
    frame: pd.DataFrame,
    *,
    per_line: int = 3,
    chosen: tuple[int, int | None] | None = None,
    whole_rows: Mapping[str, int] | None = None,
    row_names: Sequence[str] = (),
    notes: Mapping[tuple[str, int, int], str] | None = None,
    alike: Collection[str] = (),
    height: int = 320,
) -> Drawing:
    """Draw a `matrix_frame`: blue is negative, white 0, orange positive; masked and missing numbers pale.

    A cell can be clicked: the selection ``cell`` holds its matrix, row and column.

    Parameters
    ----------
    per_line : int, panels beside each other
    chosen : pair of int, row and column, from 1, to outline in every panel
    whole_rows : mapping of str to int, optional
        Panels in which a whole row is outlined instead of a cell, and which, from 1.
    row_names : sequence of str, left of the rows; about eight letters have room
    notes : mapping of (matrix, row, column) to str, what is written below a number: a guess
    alike : collection of str
        Panels in which a colour means the same number; in each of the others it is of that panel's largest.
    """
    matrix, row, column, value = (frame[name].to_numpy() for name in frame)
    names = tuple(dict.fromkeys(matrix))
    panel = np.array([names.index(name) for name in matrix])
    rows = int(row.max())
    columns = tuple(int(column[panel == i].max()) for i in range(len(names)))
    lefts, tops = _places(columns, rows, per_line)
    left, top = np.array(lefts)[panel] + column - 1, np.array(tops)[panel] + row - 1
    is_masked = np.isneginf(value) | np.isnan(value)
    scale = np.array([names.index(next(iter(alike)) if m in alike else m) for m in matrix])
    shade = _shades(np.where(is_masked, 0.0, value), scale)
    ink = inks_on((np.clip(shade, -1.0, 1.0) + 1.0) / 2.0, SIGNED)
    cells = zip(matrix, row.tolist(), column.tolist(), strict=True)
    data = pa.table(
        {
            "matrix": matrix,
            "row": row,
            "column": column,
            "value": pa.array(value, from_pandas=True),
            "left": left,
            "top": top,
            "shade": shade,
            "text": [_written(number) for number in value.tolist()],
            "masked": is_masked,
            "note": [(notes or {}).get(cell, "") for cell in cells],
            "chosen": _chosen(matrix, row, column, chosen, whole_rows or {}),
            "heading": np.where((row == 1) & (column == 1), matrix, ""),
            "row_name": _row_names(row, (panel == 0) & (column == 1), row_names),
            "ink": ink,
            "right": left + 1,
            "bottom": top + 1,
        }
    )
    widest = max(6, *(left + n for left, n in zip(lefts, columns, strict=True)))
    lowest = max(tops) + rows
    room = _NAME_ROOM if row_names else 0.0
    spec = _spec(widest, lowest, room, height)
    description = "Matrices with their numbers: blue is negative, orange positive."
    return Drawing(spec, data, description, numbers=frame)


def _places(columns: tuple[int, ...], rows: int, per_line: int) -> tuple[list[float], list[float]]:
    """Return the left and upper edge of each panel, in cells."""
    lefts, tops, left = [], [], 0.0
    for i, n_columns in enumerate(columns):
        left = 0.0 if i % per_line == 0 else left
        lefts.append(left)
        tops.append(_GAP + i // per_line * (rows + 2 * _GAP))
        left += n_columns + _GAP
    return lefts, tops


def _shades(values: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the values divided by the largest of those on the same scale."""
    largest = np.zeros(scale.max() + 1)
    np.maximum.at(largest, scale, np.abs(values))
    return values / np.maximum(largest, 1e-12)[scale]


def _written(value: float) -> str:
    if np.isnan(value):
        return "?"
    if np.isneginf(value):
        return "−∞"
    return f"{value + 0.0:.2f}".replace("-", "−") if abs(value) < 100 else significant(value, 4)


def _chosen(
    matrix: np.ndarray,
    row: np.ndarray,
    column: np.ndarray,
    chosen: tuple[int, int | None] | None,
    whole_rows: Mapping[str, int],
) -> np.ndarray:
    """Return which cells are outlined."""
    cell = chosen or (0, 0)
    is_chosen = (row == cell[0]) & (column == cell[1])
    for name, whole in whole_rows.items():
        is_chosen = np.where(matrix == name, row == whole, is_chosen)
    return is_chosen


def _row_names(row: np.ndarray, is_first: np.ndarray, names: Sequence[str]) -> list[str]:
    """Return each row's name at its first cell in the first panel, and nothing elsewhere."""
    is_start = is_first & (row <= len(names))
    return [names[at - 1] if named else "" for at, named in zip(row, is_start, strict=True)]


def _spec(widest: float, lowest: float, room: float, height: int) -> vl.Spec:
    left, top = vl.scale(-room, widest), vl.scale(0, lowest, reverse=True)
    corner = vl.place(left, top, "left", "top")
    cell = corner | {
        "x2": "right",
        "y2": "bottom",
        "tooltip": ["matrix:N", "row:Q", "column:Q", "value:Q"],
    }
    shade = {"color": vl.colours("shade:Q"), "opacity": vl.either("datum.masked", 0, 1)}
    cells = vl.mark("rect", cell, shade, stroke=GREY, strokeWidth=0.5)
    middle = vl.place(left, top)
    numbers = [
        vl.mark(
            "text",
            middle,
            {"text": f"{field}:N", "color": vl.either("!datum.masked", vl.literal("ink:N"), {})},
            computed={"x": "datum.left + 0.5", "y": f"datum.top + {down}"},
            fontSize=vl.expression(
                f"clamp(min({across} * width / {widest + room}, {up} * height / {lowest}), 9, {most})"
            ),
            baseline="middle",
        )
        for field, down, across, up, most in (
            ("text", 0.5, 0.36, 0.5, 22),
            ("note", 0.82, 0.19, 0.32, 15),
        )
    ]
    heading: vl.Spec = {"align": "left", "baseline": "bottom", "dy": -5}
    name: vl.Spec = {"align": "right", "baseline": "middle", "dx": -6}
    return vl.layered(
        vl.clickable(cells, "cell", "matrix", "row", "column"),
        vl.outlined(cell, when="datum.masked", colour=GREY, strokeWidth=1, strokeDash=[3, 3]),
        *numbers,
        vl.outlined(cell, when="datum.chosen", strokeWidth=3),
        vl.mark("text", corner, {"text": "heading:N"}, when="datum.heading != ''", **heading),
        vl.mark(
            "text",
            corner | {"y": middle["y"]},
            {"text": "row_name:N"},
            when="datum.row_name != ''",
            computed={"y": "datum.top + 0.5"},
            **name,
        ),
        height=height,
    )
