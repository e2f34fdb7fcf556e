"""Grids of numbers side by side, each number a coloured cell; to be painted on, or to pick a cell of."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.shared.components.plane_panels import follow_hand, note_change
from pages.shared.server.component import component
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import is_presenting

__all__ = [
    "Grid",
    "GridPainting",
    "Outline",
    "Stack",
    "cell_grids",
    "checked_cells",
    "follow_hand",
    "row_height",
]

_GRIDS = component("cell_grids", "pictures", "touch_editing")


class Outline(NamedTuple):
    """A frame around some cells."""

    # row and column: of its upper left cell, from 0
    row: int
    column: int
    height: int  # in cells
    width: int  # in cells
    is_dashed: bool = False


class Grid(NamedTuple):
    """A matrix of numbers."""

    title: str  # above it, the title in bold
    # shape (rows, columns): one that is not a number is asked for: a question mark stands in its
    # cell
    values: np.ndarray
    note: str = ""  # above it, the title in bold
    alt: str = ""  # what it shows, for who cannot see it
    # size of a number that is drawn in full colour; of each row, if rows differ
    reach: float | Sequence[float] = 1.0
    is_signed: bool = True  # from blue through white to orange; else from white to black
    # whether they are written into their cells, where these are large enough
    has_numbers: bool = True
    texts: Sequence[str] | None = None  # what is written instead, row by row
    padding: tuple[int, int] = (0, 0)  # so many rows and columns on each side are padding
    # row and column of single cells that are drawn like padding
    muted: Sequence[tuple[int, int]] = ()
    outlines: Sequence[Outline] = ()
    row_names: Sequence[str] = ()
    column_names: Sequence[str] = ()
    is_picked: bool = False  # whether its cells can be clicked
    share: float = 1.0  # of its stack's height
    largest: float = 72.0  # side of a cell, at most, in pixels; of a wide one its height
    is_wide: bool = False  # whether cells are as wide as there is room, for words in one size


class Stack(NamedTuple):
    """Grids one above the other."""

    grids: Sequence[Grid]
    width: float = 1.0  # beside other stacks, by their sum
    narrow: int = 45  # at least so many hundredths of the width of a phone


class GridPainting(NamedTuple):
    """A grid on which cells are painted."""

    # which one, counted from stack to stack; its values are whole numbers from 0 to `most`
    grid: int
    most: int
    brush: float  # its radius in cells; 0 fills the cell that is touched
    # callable of an int ndarray of the grid's shape: called after each stroke, before the page runs
    on_paint: Callable[[np.ndarray], None]


def cell_grids(
    stacks: Sequence[Stack],
    *,
    key: str,
    name: str,
    height: int,
    least: int = 0,
    hint: str = "",
    painting: GridPainting | None = None,
    on_pick: Callable[[int, int, int], None] | None = None,
) -> None:
    """Draw stacks of grids beside each other.

    Parameters
    ----------
    name : str, of the exported files, without ending
    height : int, in pixels; in the presenter view they are as high as their place
    least : int, pixels in the presenter view at least, where they stand in a column
    hint : str, stands under the grids
    on_pick : callable of grid, row and column, optional
        Called after a click on a cell of a grid that can be picked, before the page runs.
    """
    grids = [grid for stack in stacks for grid in stack.grids]

    def painted() -> None:
        sent = st.session_state[key].painted
        if painting is not None and sent is not None:
            shape = grids[painting.grid].values.shape
            painting.on_paint(checked_cells(sent["values"], shape, painting.most))
            note_change()

    def picked() -> None:
        sent = st.session_state[key].picked
        if on_pick is not None and sent is not None:
            on_pick(*checked_pick(sent["grid"], sent["cell"], grids))

    data = {
        "stacks": [[_sent(grid) for grid in stack.grids] for stack in stacks],
        "widths": [stack.width for stack in stacks],
        "narrow": [stack.narrow for stack in stacks],
        "height": height,
        "least": least,
        "hint": hint,
        "name": name,
        "painted": painting.grid if painting else None,
        "most": painting.most if painting else 1,
        "brush": painting.brush if painting else 0,
        "fills": is_presenting(),
        "text_size": chart_style().text_size,
    }
    _GRIDS(key=key, data=data, on_painted_change=painted, on_picked_change=picked)


def row_height(rows: int, height: int) -> float:
    """Return how high the rows of a wide grid are at most: as `Grid.largest`, so that they keep to a height.

    Rows of words stay legible however many there are; in the presenter view they share out what there is.
    """
    return 120.0 if is_presenting() else max(19.0, min(34.0, height / rows))


def checked_cells(sent: Sequence[Any], shape: tuple[int, ...], most: int) -> np.ndarray:
    """Return what a browser sent as painted cells: so many, moved into 0 to `most`.

    Raises ValueError if these are not so many whole numbers.
    """
    values = [int(value) for value in sent]
    return np.clip(np.array(values, np.int64).reshape(shape), 0, most)


def checked_pick(grid: Any, cell: Sequence[Any], grids: Sequence[Grid]) -> tuple[int, int, int]:
    """Return what a browser sent as a cell.

    Raises ValueError if there is no such cell, or it cannot be picked.
    """
    at, (row, column) = int(grid), map(int, cell)
    if not (0 <= at < len(grids) and grids[at].is_picked):
        raise ValueError(f"no grid to pick from: {at}")
    rows, columns = grids[at].values.shape
    if not (0 <= row < rows and 0 <= column < columns):
        raise ValueError(f"no cell: ({row}, {column})")
    return at, row, column


def _sent(grid: Grid) -> dict[str, Any]:
    rows, columns = grid.values.shape
    numbers = np.round(np.asarray(grid.values, float), 4).ravel().tolist()
    return {
        **grid._asdict(),
        "values": [None if value != value else _whole(value) for value in numbers],
        "rows": rows,
        "columns": columns,
        "outlines": [outline._asdict() for outline in grid.outlines],
    }


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value
