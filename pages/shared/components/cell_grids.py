"""Grids of numbers side by side, each number a coloured cell; to be painted on, or to pick a cell of."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.shared.components.plane_panels import follow_hand, note_change
from pages.shared.server.component import component
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import is_presenting

__all__ = ["Grid", "GridPainting", "Outline", "Stack", "cell_grids", "checked_cells", "follow_hand"]

_GRIDS = component("cell_grids", "pictures", "touch_editing")


class Outline(NamedTuple):
    """A frame around some cells.

    Attributes
    ----------
    row, column : int
        Of its upper left cell, from 0.
    height, width : int
        In cells.
    is_dashed : bool
    """

    row: int
    column: int
    height: int
    width: int
    is_dashed: bool = False


class Grid(NamedTuple):
    """A matrix of numbers.

    Attributes
    ----------
    title, note : str
        Above it, the title in bold.
    values : ndarray of shape (rows, columns)
        One that is not a number is asked for: a question mark stands in its cell.
    alt : str
        What it shows, for who cannot see it.
    reach : float or sequence of float
        Size of a number that is drawn in full colour; of each row, if rows differ.
    is_signed : bool
        From blue through white to orange; else from white to black.
    has_numbers : bool
        Whether they are written into their cells, where these are large enough.
    texts : sequence of str, optional
        What is written instead, row by row.
    padding : pair of int
        So many rows and columns on each side are padding.
    muted : sequence of pair of int
        Row and column of single cells that are drawn like padding.
    outlines : sequence of Outline
    row_names, column_names : sequence of str
    is_picked : bool
        Whether its cells can be clicked.
    share : float
        Of its stack's height.
    largest : float
        Side of a cell, at most, in pixels.
    """

    title: str
    values: np.ndarray
    note: str = ""
    alt: str = ""
    reach: float | Sequence[float] = 1.0
    is_signed: bool = True
    has_numbers: bool = True
    texts: Sequence[str] | None = None
    padding: tuple[int, int] = (0, 0)
    muted: Sequence[tuple[int, int]] = ()
    outlines: Sequence[Outline] = ()
    row_names: Sequence[str] = ()
    column_names: Sequence[str] = ()
    is_picked: bool = False
    share: float = 1.0
    largest: float = 72.0


class Stack(NamedTuple):
    """Grids one above the other.

    Attributes
    ----------
    grids : sequence of Grid
    width : float
        Beside other stacks, by their sum.
    narrow : int
        At least so many hundredths of the width of a phone.
    """

    grids: Sequence[Grid]
    width: float = 1.0
    narrow: int = 45


class GridPainting(NamedTuple):
    """A grid on which cells are painted.

    Attributes
    ----------
    grid : int
        Which one, counted from stack to stack; its values are whole numbers from 0 to `most`.
    most : int
    brush : float
        Its radius in cells; 0 fills the cell that is touched.
    on_paint : callable of an int ndarray of the grid's shape
        Called after each stroke, before the page runs.
    """

    grid: int
    most: int
    brush: float
    on_paint: Callable[[np.ndarray], None]


def cell_grids(
    stacks: Sequence[Stack],
    *,
    key: str,
    name: str,
    height: int,
    hint: str = "",
    painting: GridPainting | None = None,
    on_pick: Callable[[int, int, int], None] | None = None,
) -> None:
    """Draw stacks of grids beside each other.

    Parameters
    ----------
    stacks : sequence of Stack
    key : str
        Unique on the page.
    name : str
        Of the exported files, without ending.
    height : int
        In pixels; in the presenter view they are as high as their place.
    hint : str
        Stands under the grids.
    painting : GridPainting, optional
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
        "hint": hint,
        "name": name,
        "painted": painting.grid if painting else None,
        "most": painting.most if painting else 1,
        "brush": painting.brush if painting else 0,
        "fills": is_presenting(),
        "text_size": chart_style().text_size,
    }
    _GRIDS(key=key, data=data, on_painted_change=painted, on_picked_change=picked)


def checked_cells(sent: Sequence[Any], shape: tuple[int, ...], most: int) -> np.ndarray:
    """Return what a browser sent as painted cells: so many, moved into 0 to `most`.

    Raises
    ------
    ValueError
        If these are not so many whole numbers.
    """
    values = [int(value) for value in sent]
    return np.clip(np.array(values, np.int64).reshape(shape), 0, most)


def checked_pick(grid: Any, cell: Sequence[Any], grids: Sequence[Grid]) -> tuple[int, int, int]:
    """Return what a browser sent as a cell.

    Raises
    ------
    ValueError
        If there is no such cell, or it cannot be picked.
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
