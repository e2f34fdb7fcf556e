"""One comparison: the curves, the texts and the gradients of models that lack one thing each."""

import streamlit as st

from lm_core.experiments.ablations.variants import COMPARISONS, VARIANTS
from pages.ablations import curve_choice, training_curves
from pages.ablations.mask import generate_side_by_side, loss_by_position
from pages.ablations.questions import QUESTIONS, ask, guesses
from pages.ablations.written_in_training import draw_first_lines, draw_texts
from pages.shared import page

_MOST_LINES = 2  # texts of which the picture has the beginnings
_LINK_NAMES = dict(zip(COMPARISONS, ("mask", "residual", "depth", "size"), strict=True))


def models_control(comparison: str) -> str:
    """Return the name of the control that chooses the models of a comparison."""
    return f"models_{_LINK_NAMES[comparison]}"


def compared(screen: page.FirstScreen, comparison: str, offered: list[str]) -> None:
    """Draw a comparison's models, those chosen of what is offered, step by step."""
    loss_text, shown = _choose(screen, comparison, offered)
    question = QUESTIONS[comparison]
    asked = ask(screen, question)
    choice = curve_choice.Choice(
        comparison,
        tuple(name for name in offered if name in shown),
        loss_text,
        hidden=question.hidden if asked.masks else (),
        guess=guesses(asked),
    )
    steps = curve_choice.results().snapshot_steps
    with screen.picture:
        picture = st.container(gap="xsmall")
    below = st.container()

    def draw(index: int) -> None:
        """Draw a snapshot: curves and the beginnings of the texts, and below the first screen all of them."""
        with picture:
            training_curves.draw_curves(choice, steps[index])
            if len(choice.names) <= _MOST_LINES:
                draw_first_lines(choice, steps[index])
        with below:
            draw_texts(choice, steps[index])
            if not asked.masks:
                training_curves.draw_gradients(choice, steps[index])

    with screen.picture:
        page.playback_bar("snapshot", len(steps), draw, label="Snapshot", seconds_per_step=0.8)
    if not asked.masks and comparison == "Mask":
        loss_by_position()
        generate_side_by_side()


def _choose(screen: page.FirstScreen, comparison: str, offered: list[str]) -> tuple[str, list[str]]:
    """Draw which loss and which models are shown, and return both."""
    with page.more(screen):
        loss_text = page.segments(
            "loss",
            "Loss on",
            [training_curves.TRAINING_TEXT, training_curves.HELD_OUT_TEXT],
            help="Held-out text is from the last twentieth of the training part. No model learned from"
            " it, so nothing here was learned by heart.",
        )
        shown = page.several(
            models_control(comparison),
            "Models",
            offered,
            offered,
            format_func=lambda name: VARIANTS[name].title,
        )
    return str(loss_text), list(shown)
