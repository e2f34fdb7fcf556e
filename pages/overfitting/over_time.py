"""Losses by step: stopped by hand, then by the patience rule."""

import streamlit as st

from lm_core.experiments.overfitting.training import EVERY, Training
from lm_core.training.early_stopping import stop_early
from pages.overfitting.scene import FIRST, draw_network, trained
from pages.overfitting.stopped_losses import ANSWERS, draw_losses
from pages.overfitting.stopping import (
    BY_HAND,
    BY_PATIENCE,
    FIRST_PATIENCE,
    NEVER,
    STEP,
    Chosen,
    choose_stopping,
)
from pages.shared import page


def over_time(screen: page.FirstScreen) -> None:
    """Draw the network and its losses, step by step."""
    chosen = choose_stopping(screen)
    found = trained(chosen.settings)
    asked = _ask(screen, chosen, found)
    last = len(found.steps) - 1
    with screen.picture:
        page.playback_bar(
            STEP,
            last + 1,
            lambda i: _draw(chosen, found, i, asked),
            label=f"Evaluations, one every {EVERY} steps",
            start=0 if chosen.stopping == BY_HAND and not chosen.is_stopped else last,
        )
    page.note_beside(screen, _NOTES[chosen.stopping])


_NOTES = {
    NEVER: "The network learns from the *training* points alone; the *validation* loss is measured"
    " on others, so learning by heart does not lower it. Ringed points have a wrong label (*label"
    " noise*). What is true of all points is mostly learned first. Later a network with many"
    " units for few points learns the ringed ones by heart as well, and bends its border around them. **Step back to see them go, then stop it *By hand*.**",
    BY_HAND: "You see no more than the training does, and nothing of what comes, so you decide with"
    " what it knows. **Press Play, and switch on *Stop here* when the validation loss has been at"
    " its lowest.** Another seed under *More* is another training.",
    BY_PATIENCE: "*Early stopping* ends the training once the validation loss has had no new lowest value"
    " for so many evaluations, the *patience*, and goes back to the weights of the lowest."
    " It has to wait, because a loss that rises once may fall again.",
}


def _ask(screen: page.FirstScreen, chosen: Chosen, found: Training) -> page.Asked:
    """Ask where validation is lowest; None where something else is on screen."""
    if chosen.stopping != NEVER or chosen.settings != FIRST:
        return page.Asked()
    best = int(found.validation.losses[:, 0].argmin())
    losses = found.validation.losses[:, 0]
    return page.ask(
        screen,
        "lowest",
        "The training loss falls to the end. After how many steps is the validation loss lowest?",
        ANSWERS,
        right=found.steps[best],
        reason=f"It is lowest after **{found.steps[best]}** steps, at {losses[best]:.2f} nats. From then on the"
        " network learns single points by heart, those with wrong labels among them. So it becomes sure of"
        f" wrong answers near them, and the loss ends at {losses[-1]:.2f}.",
    )


def _draw(chosen: Chosen, found: Training, i: int, asked: page.Asked) -> None:
    st.markdown(f"**{_finding(chosen, found, i, asked)}**")
    left, right = st.columns([1, 1.15], gap="small")
    with left:
        is_masked = asked.masks
        draw_network(chosen.settings, i, key="time_plane", is_masked=is_masked)
    with right:
        draw_losses(chosen, found, i, asked)


def _finding(chosen: Chosen, found: Training, i: int, asked: page.Asked) -> str:
    training, validation = (
        scores.losses[:, 0].tolist() for scores in (found.training, found.validation)
    )
    best = min(range(len(validation)), key=validation.__getitem__)
    lowest = f"{validation[best]:.2f} after step {found.steps[best]}"
    if asked.masks:
        return f"Training loss {training[i]:.3f} nats after step {found.steps[i]}. And validation?"
    if chosen.stopping == BY_HAND:
        if not chosen.is_stopped:
            return (
                f"Step {found.steps[i]}: training {training[i]:.2f}, validation {validation[i]:.2f}"
            )
        rule = stop_early(validation, FIRST_PATIENCE)
        return (
            f"You stopped at step {found.steps[i]}, with {validation[i]:.2f}. The lowest was {lowest}; patience"
            f" {FIRST_PATIENCE} gives step {found.steps[rule.best]}"
        )
    if chosen.stopping == BY_PATIENCE:
        stop = stop_early(validation, chosen.patience)
        kept = f"{validation[stop.best]:.2f} of step {found.steps[stop.best]}"
        if stop.stopped is None:
            return f"Patience {chosen.patience} never runs out; the lowest is {kept}"
        drawn = (
            ""
            if i == stop.best
            else f"; drawn here is step {found.steps[i]}, with {validation[i]:.2f}"
        )
        return (
            f"It stops after step {found.steps[stop.stopped]} and goes back to the weights with {kept}"
            f" (ringed){drawn}"
        )
    return f"Validation is lowest, {lowest}; at the end training is {training[-1]:.3f} and validation {validation[-1]:.2f}"
