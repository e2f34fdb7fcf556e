"""Move the picture: the feature map moves with it, and pooling forgets some of where things are, but not all."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.experiments.convolution import moved
from lm_core.experiments.convolution.examples import VERTICAL
from lm_core.experiments.convolution.moved import Moved
from lm_core.models.convolution import AVERAGE, MAXIMUM
from pages.convolution.pictures import (
    MOVED_PICTURE,
    PictureAndFilter,
    choose_names,
    keep_painted,
    picture_grid,
    read_both,
    type_both,
)
from pages.shared import page
from pages.shared.components.cell_grids import Grid, GridPainting, Outline, Stack, cell_grids
from pages.shared.numbers import significant

_HEIGHT = 370
_FURTHEST = 3
_ASKED = (("Square", VERTICAL), (0, 1), 2, MAXIMUM)
_ANSWERS = {
    "None: pooling hides it": (0, 0),
    "A few: 1 to 3": (1, 3),
    "Half or more: 8 to 16": (8, 16),
}


class Move(NamedTuple):
    """What is moved how far, and how it is pooled."""

    scene: PictureAndFilter
    by: tuple[int, int]  # cells down and to the right
    size: int  # of the windows that are pooled
    kind: str

    @property
    def is_asked(self) -> bool:
        """Whether the page asks what becomes of it."""
        return (self.scene.names, *self[1:]) == _ASKED

    @property
    def words(self) -> str:
        """How far it goes."""
        down, right = self.by
        parts = [
            f"{abs(n)} {positive if n > 0 else negative}"
            for n, positive, negative in ((right, "right", "left"), (down, "down", "up"))
            if n
        ]
        return " and ".join(parts) or "by nothing"


def _choose_move(screen: page.FirstScreen) -> Move:
    with screen.controls:
        right = page.slider("right", "Move right by", -_FURTHEST, _FURTHEST, 1, width=150)
        kind = page.segments("pooling", "Pooling", (MAXIMUM, AVERAGE))
    with page.more(screen):
        down = page.slider("down", "Move down by", -_FURTHEST, _FURTHEST, 0)
        size = page.slider("pool_size", "Window of pooling", 1, 4, 2)
        names = choose_names(MOVED_PICTURE, "Square")
        typed = type_both()
    with screen.beside:
        return Move(read_both(names, typed), (down, right), size, kind)


def shift(screen: page.FirstScreen) -> None:
    """Draw a picture and the moved one, with their feature maps and pooled maps."""
    move = _choose_move(screen)
    found = moved.move(move.scene.picture, move.scene.weights, *move[1:])
    asked = _ask(screen, move, found)
    with screen.picture:
        st.markdown(f"**{_finding(found, asked)}**")
        _draw(move, found, asked)
    page.note_beside(
        screen,
        "*Equivariance* means that a moved picture gives the moved map, *invariance* that it gives the"
        " same one. *Pooling* takes the maximum or the mean of each window, and so forgets where in the"
        " window it was. **Move by 1, then by 2.**",
    )
    if not page.is_presenting() and not asked.masks:
        _numbers(move, found)


def _ask(screen: page.FirstScreen, move: Move, found: Moved) -> page.Asked:
    n = int(found.changed.sum())
    return page.ask(
        screen,
        "pooled",
        "The picture moves by one cell. How many of the 16 pooled numbers change?",
        _ANSWERS,
        right=[said for said, (low, high) in _ANSWERS.items() if low <= n <= high],
        reason=f"**{n}**, because an edge that leaves its window enters the next. Pooling hides a move"
        f" within a window only; by {move.size} cells, its stride, the pooled map moves as a"
        " whole.",
        when=move.is_asked,
    )


def _finding(found: Moved, asked: page.Asked) -> str:
    equivariant = "The feature map moves with the picture"
    if away := found.n_astray:
        equivariant = f"At {away} inner places the map does not follow"
    if asked.masks:
        return f"{equivariant}; and the pooled map?"
    n, size = int(found.changed.sum()), found.changed.numel()
    return f"{equivariant}; of the {size} pooled numbers {n} change"


def _draw(move: Move, found: Moved, asked: page.Asked) -> None:
    reach = max(1.0, *(float(map_.abs().max()) for map_ in found.maps))
    maps, pooled = ([each.numpy() for each in pair] for pair in (found.maps, found.pooled))
    cells = [Outline(r, c, 1, 1) for r, c in found.changed.nonzero().tolist()]
    note = f"{len(cells)} changed"
    if asked.guess is not None:
        note += f"; you said {asked.guess.split(':')[0].lower()}"
    if asked.masks:
        pooled[1], cells, note = np.full_like(pooled[1], np.nan), [], ""
    title = f"{move.kind.capitalize()} pooling {move.size} × {move.size}"
    pairs = [
        [
            picture_grid("Picture", found.pictures[0], note="paint here"),
            picture_grid(f"Moved {move.words}", found.pictures[1]),
        ],
        [
            Grid("Feature map", maps[0], reach=reach),
            Grid("Map of the moved picture", maps[1], reach=reach),
        ],
        [
            Grid(title, pooled[0], reach=reach),
            Grid("Pooled after the move", pooled[1], note, reach=reach, outlines=cells),
        ],
    ]
    cell_grids(
        [Stack(pair, narrow=30) for pair in pairs],
        key="shift_grids",
        name="shifted",
        height=_HEIGHT,
        painting=GridPainting(0, 1, 0.0, lambda cells: keep_painted(cells, MOVED_PICTURE)),
    )


def _numbers(move: Move, found: Moved) -> None:
    """Say in numbers where equivariance and invariance hold."""
    greatest = [float(map_.max()) for map_ in found.maps]
    lost = float(found.pictures[0].sum() - found.pictures[1].sum())
    st.markdown(
        f"At {found.n_astray} inner places the map does not follow, and {lost:g} painted cells have left the"
        " picture. *Global max pooling* keeps only the greatest number of the whole map, which is"
        f" {significant(greatest[0], 3)} before the move and {significant(greatest[1], 3)} after it."
        " Equivariance breaks at the edges, because what leaves the picture is lost; and with windows"
        f" of {move.size}, a pooled map follows exactly only moves by multiples of {move.size}."
    )
