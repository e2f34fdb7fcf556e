"""How the networks were trained, and what is changed of them after it."""

from typing import Any, NamedTuple

import streamlit as st

from lm_core.experiments.inside_a_cell import training
from lm_core.experiments.inside_a_cell.study import CLIPS, LEARNING_RATES, grid
from pages.shared import page

_UNCHANGED, _NO_CLIPPING = "unchanged", "none"
_RADII = {_UNCHANGED: None} | {f"{r:g}": r for r in (0.5, 0.7, 0.9, 1.0, 1.1, 1.3, 1.6, 2.0)}
_CLIPS = {f"to norm {clip:g}" if clip else _NO_CLIPPING: clip for clip in CLIPS}
"""By the value in the link: None, as a widget's value, would mean that nothing is chosen."""
_ASKED = dict(zip(("after every digit", "after the last digit"), training.LOSS_STEPS, strict=True))
_LSTM_GATES = {"i": "i input", "f": "f forget", "o": "o output"}


OF_ALL: dict[str, Any] = {"on_change": st.rerun}
"""Of a control on which all of the page depends: when it is moved the whole page runs, at once."""


class Changes(NamedTuple):
    """What is changed of a trained network, without further training."""

    radius: float | None = None  # to which W_hh is rescaled; None for no rescaling
    fixed: str = ""  # letters of the gates of an LSTM that are set to 1


def training_controls() -> tuple[str, float, float | None, Changes]:
    """Draw the controls of the training, and of what is changed after it."""
    asked = page.segments(
        "loss",
        "The first digit is asked for",
        list(_ASKED),
        list(_ASKED)[-1],
        help="In training the network is asked after every digit or after the last. After every"
        " digit, the early answers teach the network what to store, because their way back is short;"
        " after the last one, all that it learns comes through the gradient over 19 steps.",
        **OF_ALL,
    )
    rate = page.pick(
        "learning_rate",
        "Learning rate",
        sorted(LEARNING_RATES),
        0.01,
        format_func=lambda rate: f"{rate:g}",
        help="The learning rate of the first update; from there it falls in a straight line to 0.",
        **OF_ALL,
    )
    clip = page.segments("clipping", "Gradient clipping", list(_CLIPS), list(_CLIPS)[-1], **OF_ALL)
    st.caption(
        "Nothing is trained on this page, so a change is seen at once. These three select one of"
        f" {len(grid())} trained networks: {len(training.VARIANTS)} cells, asked after every digit or the"
        f" last, {len(LEARNING_RATES)} rates, with clipping and without."
    )
    radius = page.pick(
        "spectral_radius",
        "Rescale W_hh, after the updates, to spectral radius",
        list(_RADII),
        _UNCHANGED,
        help="Scales the recurrent weights, of a gated cell those of each gate, to this spectral radius."
        " Everything else stays as trained, so what changes is due to the recurrent weights alone.",
        **OF_ALL,
    )
    fixed = page.several(
        "fixed",
        "Gates of an LSTM set to 1, after the updates",
        _LSTM_GATES,
        help="A gate at 1 lets everything pass, so it is as if the cell had no such gate. Nothing is"
        " trained again, so you see what the trained network used the gate for.",
        **OF_ALL,
    )
    return _ASKED[asked], rate, _CLIPS[clip], Changes(_RADII[radius], "".join(sorted(fixed)))
