"""Move the picture: the feature map moves with it, and pooling forgets some of where things are, but not all."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from torch import Tensor

from lm_core.experiments.convolution.examples import VERTICAL
from lm_core.models.convolution import AVERAGE, MAXIMUM, pool, shifted, trace_convolution
from pages.convolution.pictures import (
    MOVED_PICTURE,
    choose_filter,
    choose_picture,
    filter_of,
    keep_painted,
    picture_of,
    type_filter,
    type_picture,
)
from pages.shared import page
from pages.shared.components.cell_grids import Grid, GridPainting, Outline, Stack, cell_grids
from pages.shared.numbers import significant

_HEIGHT = 370
_FURTHEST = 3
_ASKED = ("Square", VERTICAL, 1, 0, 2, MAXIMUM)
_ANSWERS = {
    "None: pooling hides it": (0, 0),
    "A few: 1 to 3": (1, 3),
    "Half or more: 8 to 16": (8, 16),
}


class Moved(NamedTuple):
    """A picture as it is and moved, each with its feature map and its pooled map."""

    pictures: tuple[Tensor, Tensor]
    maps: tuple[Tensor, Tensor]
    pooled: tuple[Tensor, Tensor]


class Move(NamedTuple):
    """What is moved how far, and how it is pooled."""

    names: tuple[str, str]  # of picture and filter
    picture: Tensor
    weights: Tensor
    right: int  # in cells
    down: int  # in cells
    size: int  # of the windows that are pooled
    kind: str

    @property
    def is_asked(self) -> bool:
        """Whether the page asks what becomes of it."""
        return (*self.names, self.right, self.down, self.size, self.kind) == _ASKED

    def carry_out(self) -> Moved:
        """Return all that is computed before and after it."""
        pictures = self.picture, shifted(self.picture, self.down, self.right)
        first, second = (
            trace_convolution(picture[None], self.weights[None]).output for picture in pictures
        )
        pooled = (pool(map_, self.size, self.kind) for map_ in (first, second))
        return Moved(pictures, (first, second), tuple(pooled))  # type: ignore[arg-type]


def _choose_move(screen: page.FirstScreen) -> Move:
    """Draw the choice of a move and a pooling, and return them."""
    with screen.controls:
        right = page.slider("right", "Move right by", -_FURTHEST, _FURTHEST, 1, width=150)
        kind = page.segments("pooling", "Pooling", (MAXIMUM, AVERAGE))
        with st.popover("More", icon=":material/tune:"):
            down = page.slider("down", "Move down by", -_FURTHEST, _FURTHEST, 0)
            size = page.slider("pool_size", "Window of pooling", 1, 4, 2)
            names = choose_picture(MOVED_PICTURE, "Square"), choose_filter()
            typed = type_picture(), type_filter()
    with screen.beside:
        picture, weights = picture_of(names[0], typed[0]), filter_of(names[1], typed[1])
    return Move(names, picture, weights, int(right), int(down), int(size), str(kind))


def shift(screen: page.FirstScreen) -> None:
    """Draw a picture and the moved one, with their feature maps and pooled maps."""
    move = _choose_move(screen)
    found = move.carry_out()
    asked = _ask(screen, move, found)
    with screen.picture:
        st.markdown(f"**{_finding(move, found, asked)}**")
        _draw(move, found, asked)
    page.note_beside(
        screen,
        "*Equivariance* means that a moved picture gives the moved map, *invariance* that it gives the"
        " same one. *Pooling* takes the maximum or the mean of each window, and so forgets where in the"
        " window it was. **Move by 1, then by 2.**",
    )
    if not page.is_presenting() and not asked.masks:
        _numbers(move, found)


def _changed(before: Tensor, after: Tensor) -> np.ndarray:
    return np.asarray((before - after).abs() > 1e-5)


def _away(move: Move, found: Moved) -> int:
    """Return at how many places the map of the moved picture is not the moved map, edges left out."""
    expected = shifted(found.maps[0], move.down, move.right)
    wrong = _changed(expected, found.maps[1])
    rows, columns = wrong.shape
    top, left = max(0, move.down), max(0, move.right)
    inner = wrong[top : rows + min(0, move.down), left : columns + min(0, move.right)]
    return int(inner.sum())


def _ask(screen: page.FirstScreen, move: Move, found: Moved) -> page.Asked:
    if not move.is_asked:
        return page.Asked()
    n = int(_changed(*found.pooled).sum())
    return page.ask(
        screen,
        "pooled",
        "The picture moves by one cell. How many of the 16 pooled numbers change?",
        _ANSWERS,
        right=[said for said, (low, high) in _ANSWERS.items() if low <= n <= high],
        reason=f"**{n}**, because an edge that leaves its window enters the next. Pooling hides a move"
        f" within a window only; by {move.size} cells, its stride, the pooled map moves as a"
        " whole.",
    )


def _finding(move: Move, found: Moved, asked: page.Asked) -> str:
    away = _away(move, found)
    equivariant = "The feature map moves with the picture"
    if away:
        equivariant = f"At {away} inner places the map does not follow"
    if asked.masks:
        return f"{equivariant}; and the pooled map?"
    n, size = int(_changed(*found.pooled).sum()), found.pooled[0].numel()
    return f"{equivariant}; of the {size} pooled numbers {n} change"


def _draw(move: Move, found: Moved, asked: page.Asked) -> None:
    is_masked = asked.masks
    changed = _changed(*found.pooled)
    said = ""
    if asked.guess is not None:
        said = f"; you said {asked.guess.split(':')[0].lower()}"
    reach = max(1.0, *(float(map_.abs().max()) for map_ in found.maps))
    after = found.pooled[1].numpy()
    cells = [Outline(int(r), int(c), 1, 1) for r, c in np.argwhere(changed)]
    moved = _direction(move)
    cell_grids(
        [
            Stack(
                [
                    Grid(
                        "Picture",
                        found.pictures[0].numpy(),
                        "paint here",
                        is_signed=False,
                        has_numbers=False,
                    ),
                    Grid(
                        f"Moved {moved}",
                        found.pictures[1].numpy(),
                        is_signed=False,
                        has_numbers=False,
                    ),
                ],
                narrow=30,
            ),
            Stack(
                [
                    Grid("Feature map", found.maps[0].numpy(), reach=reach),
                    Grid("Map of the moved picture", found.maps[1].numpy(), reach=reach),
                ],
                narrow=30,
            ),
            Stack(
                [
                    Grid(
                        f"{move.kind.capitalize()} pooling {move.size} × {move.size}",
                        found.pooled[0].numpy(),
                        reach=reach,
                    ),
                    Grid(
                        "Pooled after the move",
                        np.full_like(after, np.nan) if is_masked else after,
                        "" if is_masked else f"{len(cells)} changed{said}",
                        reach=reach,
                        outlines=() if is_masked else cells,
                    ),
                ],
                narrow=30,
            ),
        ],
        key="shift_grids",
        name="shifted",
        height=_HEIGHT,
        painting=GridPainting(0, 1, 0.0, lambda cells: keep_painted(cells, MOVED_PICTURE)),
    )


def _direction(move: Move) -> str:
    parts = [
        f"{abs(n)} {positive if n > 0 else negative}"
        for n, positive, negative in ((move.right, "right", "left"), (move.down, "down", "up"))
        if n
    ]
    return " and ".join(parts) or "by nothing"


def _numbers(move: Move, found: Moved) -> None:
    """Say in numbers where equivariance and invariance hold."""
    greatest = [float(map_.max()) for map_ in found.maps]
    lost = float(found.pictures[0].sum() - found.pictures[1].sum())
    st.markdown(
        f"Inner places at which the map does not follow: {_away(move, found)}. Greatest number of"
        f" the whole map, *global max pooling*: {significant(greatest[0], 3)} before and"
        f" {significant(greatest[1], 3)} after. Painted cells that left the picture: {lost:g}."
        " Equivariance breaks at the edges, because what leaves the picture is lost; with windows"
        f" of {move.size}, a pooled map follows exactly only moves by multiples of {move.size}."
    )
