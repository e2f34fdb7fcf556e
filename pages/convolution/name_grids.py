"""The filters of a character CNN over a name, the next letter by both networks, and their losses, as grids."""

from typing import NamedTuple

import numpy as np

from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import CNN, MLP
from lm_core.text.names import END, SYMBOLS
from pages.shared import page
from pages.shared.components.cell_grids import Grid, Outline, Stack, cell_grids
from pages.shared.numbers import percent

STEP = "letter"  # the control that holds how many letters were read
_HEIGHT = 310
_ROWS, _NEXT = 8, 8


class Read(NamedTuple):
    """What both networks make of a name."""

    responses: np.ndarray  # shape (filters, T): of the first layer, at each letter
    # dict of str to ndarray of shape (T + 1, V): probabilities by network, before the first letter,
    # after it, and so on
    next_letters: dict[str, np.ndarray]


def draw_names(
    results: ConvolutionResults, found: Read, name: str, step: int, asked: page.Asked
) -> None:
    """Draw the grids after so many letters, and a click on a letter as its place."""
    cell_grids(
        [
            Stack([_filters(results, found.responses, name, step)], 1.9, 100),
            Stack([_next(found, name, step)], 0.8),
            Stack([_losses(results, asked)], 0.9),
        ],
        key="name_grids",
        name="names",
        height=_HEIGHT,
        on_pick=lambda _, __, column: page.go_to(STEP, column + 1),
    )


def _filters(results: ConvolutionResults, responses: np.ndarray, name: str, step: int) -> Grid:
    strongest = np.argsort(-responses.max(1), kind="stable")[:_ROWS]
    shown = responses[strongest]
    rows = [", ".join(f.letters for f in results.favourites[i][:2]) for i in strongest]
    return Grid(
        "Responses of eight filters",
        shown,
        f"to “{(END * 2 + name)[step - 1 : step + 2]}”" if step else "",
        f"The strongest is {shown.max():.2f}.",
        reach=1.3 * max(1e-6, float(shown.max())),
        is_signed=False,
        has_numbers=False,
        outlines=[Outline(0, max(0, step - 3), _ROWS, min(3, step))] if step else [],
        row_names=rows,
        column_names=list(name),
        is_picked=True,
    )


def _next(found: Read, name: str, step: int) -> Grid:
    shares = np.stack([found.next_letters[which][step] for which in (CNN, MLP)], 1)
    order = np.argsort(-shares.mean(1), kind="stable")[:_NEXT]
    shown = shares[order]
    return Grid(
        "Next letter",
        shown,
        "%",
        "; ".join(
            f"{_symbol(i)} {percent(shares[i, 0])} and {percent(shares[i, 1])}" for i in order[:3]
        ),
        is_signed=False,
        reach=1.2,
        largest=34.0,
        texts=[f"{100 * share:.0f}" for share in shown.ravel()],
        row_names=[_symbol(i) for i in order],
        column_names=[CNN, MLP],
    )


def _symbol(i: int) -> str:
    return "end" if SYMBOLS[i] == END else SYMBOLS[i]


def _losses(results: ConvolutionResults, asked: page.Asked) -> Grid:
    losses = np.array([results.test_losses(which) for which in (CNN, MLP)]).T
    note = "(nats)"
    if asked.masks:
        losses = np.full_like(losses, np.nan)
    elif asked.guess is not None:
        note += f"; you said: {asked.guess.split(':')[0].lower()}"
    return Grid(
        "Loss on test names",
        losses,
        note,
        is_signed=False,
        reach=12.0,
        largest=56.0,
        texts=[f"{loss:.3f}" for loss in losses.ravel()],
        row_names=[f"seed {i}" for i in range(len(losses))],
        column_names=[CNN, MLP],
    )
