"""What is compared, and which quantity of the trainings is drawn."""

from typing import NamedTuple

import streamlit as st

from pages.ablations.measured import GROUPS, results, title_of
from pages.shared.ui.controls import control

TRAINING, HELD_OUT = "training text", "held-out text"


class Choice(NamedTuple):
    """All that the controls say."""

    group: str
    names: tuple[str, ...]
    judged_by: str


def choose() -> Choice:
    """Draw the controls and return what they say."""
    trained = {group: [n for n in names if n in results()] for group, names in GROUPS.items()}
    groups = [group for group, names in trained.items() if len(names) > 1]
    left, right = st.columns([2.4, 1.2], vertical_alignment="bottom")
    with left:
        group = control(
            st.segmented_control,
            "part",
            "What is left out",
            groups,
            default=groups[0],
            required=True,
        )
    with right:
        judged_by = control(
            st.segmented_control,
            "loss",
            "Loss on",
            [TRAINING, HELD_OUT],
            default=TRAINING,
            required=True,
            help="Held-out text is the last twentieth of the training part: nobody learned from it.",
        )
    names = control(
        st.pills,
        f"shown_{list(GROUPS).index(group) + 1}",
        "Models",
        trained[group],
        selection_mode="multi",
        default=trained[group],
        format_func=title_of,
        label_visibility="collapsed",
    )
    return Choice(group, tuple(name for name in trained[group] if name in names), judged_by)
