"""One comparison: the curves, the texts and the gradients of models that lack one thing each."""

import streamlit as st

from lm_core.experiments.ablations.variants import COMPARISONS, VARIANTS
from pages.ablations.mask import generate_side_by_side, loss_by_position
from pages.ablations.questions import QUESTIONS, ask
from pages.ablations.training_curves import (
    HELD_OUT_TEXT,
    TRAINING_TEXT,
    Choice,
    draw_curves,
    draw_first_lines,
    draw_gradients,
    draw_texts,
    results,
)
from pages.shared.ui.controls import control
from pages.shared.ui.first_screen import FirstScreen
from pages.shared.ui.playback import playback_bar

_MOST_LINES = 2
"""Texts of which the picture has the beginnings."""
_LINK_NAMES = dict(zip(COMPARISONS, ("mask", "residual", "depth", "size"), strict=True))


def models_control(comparison: str) -> str:
    """Return the name of the control that chooses the models of a comparison."""
    return f"models_{_LINK_NAMES[comparison]}"


def compared(screen: FirstScreen, comparison: str, offered: list[str]) -> None:
    """Draw a comparison's models, those chosen of what is offered, step by step."""
    loss_text, shown = _choose(screen, comparison, offered)
    question = QUESTIONS[comparison]
    with screen.beside:
        prediction = ask(question)
    choice = Choice(
        comparison,
        tuple(name for name in offered if name in shown),
        loss_text,
        hidden=() if prediction.revealed else question.hidden,
        guess=question.guesses(prediction),
    )
    steps = results().snapshot_steps
    with screen.picture:
        picture = st.container(gap="xsmall")
    below = st.container()

    def draw(index: int) -> None:
        """Draw a snapshot: curves and the beginnings of the texts, and below the first screen all of them."""
        with picture:
            draw_curves(choice, steps[index])
            if len(choice.names) <= _MOST_LINES:
                draw_first_lines(choice, steps[index])
        with below:
            draw_texts(choice, steps[index])
            if prediction.revealed:
                draw_gradients(choice, steps[index])

    with screen.picture:
        playback_bar("snapshot", len(steps), draw, label="Snapshot", start=len(steps) - 1)
    if prediction.revealed and comparison == "Mask":
        loss_by_position()
        generate_side_by_side()


def _choose(screen: FirstScreen, comparison: str, offered: list[str]) -> tuple[str, list[str]]:
    """Draw which loss and which models are shown, and return both."""
    with screen.controls, st.popover("More", icon=":material/tune:"):
        loss_text = control(
            st.segmented_control,
            "loss",
            "Loss on",
            [TRAINING_TEXT, HELD_OUT_TEXT],
            default=TRAINING_TEXT,
            required=True,
            help="Held-out text is the last twentieth of the training part. No model learned from it.",
        )
        shown = control(
            st.pills,
            models_control(comparison),
            "Models",
            offered,
            selection_mode="multi",
            default=offered,
            format_func=lambda name: VARIANTS[name].title,
        )
    return str(loss_text), list(shown)
