"""Inside the small CNN: its first filters and their feature maps, for a digit that the class draws."""

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from lm_core.experiments.convolution.digits import load_digits, split_digits
from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import CNN, MLP, early_snapshots
from lm_core.experiments.convolution.training import PLACES
from lm_core.models.image_networks import ImageCNN, ImageNetwork
from pages.convolution.digit_choice import (
    NOTHING,
    Shown,
    answer_in_words,
    canvas_grid,
    painting,
    read_digit,
)
from pages.shared import page
from pages.shared.components.cell_grids import Grid, Stack, cell_grids, follow_hand

_HEIGHT = 320
_SILENT = 0.05
_EARLY = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Steps after which the network is looked at; the last look is at the shipped one."""


@st.cache_resource(max_entries=len(PLACES), show_spinner="Training")
def _early(places: str) -> list[ImageNetwork]:
    """Return the CNN early in its training: its beginning is carried out once for all visitors."""
    train, _ = split_digits(load_digits())
    with page.model_calls:
        return early_snapshots(CNN, places, 0, train, _EARLY)


def inside_cnn(screen: page.FirstScreen, results: ConvolutionResults, shown: Shown) -> None:
    """Draw the CNN's first filters with their feature maps, and what it takes the digit for."""
    with screen.picture:
        page.playback_bar(
            "training_frame",
            len(_EARLY) + 1,
            lambda i: _draw(results, shown, i),
            label="Snapshot of the training",
        )
    page.note_beside(
        screen,
        "These are the eight filters of the CNN's first layer, each with its feature map after"
        " ReLU. They begin as random numbers, and nobody draws them, so what they look for comes"
        " from training. **Play it.** Which edges and strokes do they see? The next layer has 16"
        " filters over these maps.",
    )


def _draw(results: ConvolutionResults, shown: Shown, i: int) -> None:
    follow_hand()
    shipped = results.digit_networks[CNN, shown.places]
    network = shipped if i == len(_EARLY) else _early(shown.places)[i]
    assert isinstance(network, ImageCNN)
    assert isinstance(shipped, ImageCNN)
    with page.model_calls, torch.no_grad():
        trace = network.trace(shown.image)
    answers = read_digit(results, shown) | {CNN: trace.logits[0].softmax(0)}
    n_silent = int((trace.first[0].amax((1, 2)) < _SILENT).sum())
    step = results.provenance["digits"]["steps"] if i == len(_EARLY) else _EARLY[i]
    said = f"After {step:,} step{'s' if step != 1 else ''} the CNN {answer_in_words(answers[CNN])}"
    said += f", the trained MLP {answer_in_words(answers[MLP])}"
    silent = f"; {n_silent} of {len(network.first)} filters are silent" if n_silent else ""
    st.markdown(f"**{NOTHING if shown.is_empty else said + silent}**")
    most = float(shipped.first.abs().max())
    cell_grids(
        [
            Stack([canvas_grid(shown)], 2.2, 56),
            Stack([_shares(answers)], 1.1, 28),
            *_filters(network.first.numpy()[:, 0], trace.first[0].numpy(), most),
        ],
        key="inside_grids",
        name="feature-maps",
        height=_HEIGHT,
        painting=painting(),
    )


def _filters(weights: np.ndarray, maps: np.ndarray, most: float) -> list[Stack]:
    """Return filters above their feature maps, two pairs in each of four stacks."""
    reach = max(1e-6, float(maps.max()))
    return [
        Stack(
            [
                grid
                for i in (first, first + 4)
                for grid in (
                    Grid(f"{i + 1}", weights[i], reach=most, has_numbers=False, share=0.55),
                    Grid("", maps[i], reach=reach, is_signed=False, has_numbers=False),
                )
            ],
            narrow=21,
        )
        for first in range(4)
    ]


def _shares(answers: dict[str, Tensor]) -> Grid:
    """Return the probability of each digit by the CNN and the MLP, in %."""
    shares = np.stack([answers[name].numpy() for name in (CNN, MLP)], 1)
    return Grid(
        "Read as",
        shares,
        "%",
        is_signed=False,
        reach=1.4,
        texts=[f"{100 * share:.0f}" for share in shares.ravel()],
        row_names=[str(digit) for digit in range(10)],
        column_names=[CNN, MLP],
        largest=34.0,
    )
