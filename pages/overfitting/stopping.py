"""When a training stops: never, by hand, or by the patience rule."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.overfitting.study import LABEL_NOISE, POINTS, UNITS
from lm_core.experiments.overfitting.training import EVERY, STEPS, NetworkSettings
from pages.overfitting.scene import DECAYS, DROPOUTS, choose_seed, choose_setting
from pages.shared import page
from pages.shared.ui.playback import pause

NEVER, BY_HAND, BY_PATIENCE = "Never", "By hand", "By patience"
STEP = "evaluation"
_PATIENCES = (1, 2, 3, 5, 10, 20)
FIRST_PATIENCE = 5


class Chosen(NamedTuple):
    """A training, and how it is stopped."""

    settings: NetworkSettings
    stopping: str
    patience: int
    is_stopped: bool


def choose_stopping(screen: page.FirstScreen) -> Chosen:
    """Draw the choice of how the training is stopped, and of what is trained, and return both."""
    patience, is_stopped = FIRST_PATIENCE, False
    with screen.controls:
        stopping = page.choice(
            "stopping", "Stop", (NEVER, BY_HAND, BY_PATIENCE), on_change=_begin, width=140
        )
        if stopping == BY_HAND:
            is_stopped = page.switch("stop_here", "Stop here", on_change=pause, args=(STEP,))
        elif stopping == BY_PATIENCE:
            patience = page.pick("patience", "Patience", _PATIENCES, FIRST_PATIENCE, width=150)
        with st.popover("More", icon=":material/tune:"):
            settings = NetworkSettings(
                units=int(choose_setting(UNITS)),
                points=int(choose_setting(POINTS)),
                label_noise=float(choose_setting(LABEL_NOISE)),
                weight_decay=float(
                    page.control(st.select_slider, "weight_decay", "Weight decay λ", DECAYS)
                ),
                dropout=float(page.control(st.select_slider, "dropout", "Dropout p", DROPOUTS)),
                seed=choose_seed(),
            )
    return Chosen(settings, stopping, int(patience), bool(is_stopped))


def _begin() -> None:
    """Go to the first step for who wants to stop by hand, and to the last for all others."""
    is_by_hand = st.session_state.get("stopping") == BY_HAND
    page.go_to(STEP, 0 if is_by_hand else STEPS // EVERY)
    if is_by_hand:
        st.session_state["stop_here"] = False
