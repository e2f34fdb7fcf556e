"""Losses by step: stopped by hand, then by the patience rule."""

from functools import partial
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from lm_core.experiments.overfitting.study import LABEL_NOISE, POINTS, UNITS
from lm_core.experiments.overfitting.training import EVERY, STEPS, NetworkSettings, Training
from lm_core.training.early_stopping import stop_early
from pages.overfitting.scene import (
    DECAYS,
    DROPOUTS,
    FIRST,
    HEIGHT,
    STYLES,
    TRAINING,
    VALIDATION,
    choose_seed,
    choose_setting,
    draw_network,
    trained,
)
from pages.shared import page
from pages.shared.charts.lines import Axis, line_chart
from pages.shared.ui import lesson
from pages.shared.ui.figures import show_chart
from pages.shared.ui.playback import pause

NEVER, BY_HAND, BY_PATIENCE = "Never", "By hand", "By patience"
_STEP = "evaluation"
_PATIENCES = (1, 2, 3, 5, 10, 20)
_FIRST_PATIENCE = 5
_TOP = 2.0
_ANSWERS = {"About 20": 20.0, "About 100": 100.0, "About 250": 250.0, "At the end, 400": 400.0}


class Chosen(NamedTuple):
    """A training, and how it is stopped."""

    settings: NetworkSettings
    stopping: str
    patience: int
    is_stopped: bool


def _choose_stopping(screen: page.FirstScreen) -> Chosen:
    """Draw the choice of how the training is stopped, and of what is trained, and return both."""
    patience, is_stopped = _FIRST_PATIENCE, False
    with screen.controls:
        stopping = page.choice(
            "stopping", "Stop", (NEVER, BY_HAND, BY_PATIENCE), on_change=_begin, width=140
        )
        if stopping == BY_HAND:
            is_stopped = page.switch("stop_here", "Stop here", on_change=pause, args=(_STEP,))
        elif stopping == BY_PATIENCE:
            patience = page.pick("patience", "Patience", _PATIENCES, _FIRST_PATIENCE, width=150)
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
    page.go_to(_STEP, 0 if is_by_hand else STEPS // EVERY)
    if is_by_hand:
        st.session_state["stop_here"] = False


def over_time(screen: page.FirstScreen) -> None:
    """Draw the network and its losses, step by step."""
    chosen = _choose_stopping(screen)
    found = trained(chosen.settings)
    asked = _ask(screen, chosen, found)
    last = len(found.steps) - 1
    with screen.picture:
        page.playback_bar(
            _STEP,
            last + 1,
            lambda i: _draw(chosen, found, i, asked),
            label=f"Evaluations, one every {EVERY} steps",
            start=0 if chosen.stopping == BY_HAND and not chosen.is_stopped else last,
            seconds_per_step=0.5,
        )
    page.note_beside(screen, _NOTES[chosen.stopping])


_NOTES = {
    NEVER: "The network learns from the *training* points alone; the *validation* loss is measured"
    " on others, so learning by heart does not lower it. Ringed points have a wrong label (*label"
    " noise*). What is true of all points is learned first. Later a network with enough units learns"
    " the ringed ones by heart as well, with an island around each. **Step back to see them go, then stop it *By hand*.**",
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
        _ANSWERS,
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
        _losses(chosen, found, i, asked)


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
        rule = stop_early(validation, _FIRST_PATIENCE)
        return (
            f"You stopped at step {found.steps[i]}, with {validation[i]:.2f}. The lowest was {lowest}; patience"
            f" {_FIRST_PATIENCE} gives step {found.steps[rule.best]}"
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


def _losses(chosen: Chosen, found: Training, i: int, asked: page.Asked) -> None:
    is_masked = asked.masks
    is_blind = chosen.stopping == BY_HAND and not chosen.is_stopped
    rows = {
        TRAINING: found.training.losses[:, 0].tolist(),
        VALIDATION: found.validation.losses[:, 0].tolist(),
    }
    shown = {name: row[: i + 1] if is_blind else row for name, row in rows.items()}
    if is_masked:
        del shown[VALIDATION]
    lines = {name: list(zip(found.steps, row, strict=False)) for name, row in shown.items()}
    references, rings = _stops(chosen, found, i)
    show_chart(
        line_chart(
            lines,
            STYLES,
            Axis("steps", (0, STEPS)),
            Axis("loss (nats)", (0, _TOP)),
            references=references,
            rings=rings,
            guess=lesson.guesses_in_picture(asked.prediction, partial(_place, found)),
            now=found.steps[i],
            height=HEIGHT - 20,
        ),
        pa.table({"step": list(found.steps)[: len(shown[TRAINING])], TRAINING: shown[TRAINING]})
        if is_masked or is_blind
        else pa.table({"step": list(found.steps)} | rows),
        key="time_losses",
        alt=f"Step {found.steps[i]}: "
        + "; ".join(f"{name} {row[i]:.3f}" for name, row in shown.items() if i < len(row)),
        name="loss-by-step",
        is_small=True,
    )


Pairs = list[tuple[float, float]]


def _stops(chosen: Chosen, found: Training, i: int) -> tuple[dict[str, Pairs], dict[str, Pairs]]:
    """Return where the training is stopped, as a line, and what is kept of it, as a ring."""
    validation = found.validation.losses[:, 0].tolist()
    if chosen.stopping == BY_HAND and chosen.is_stopped:
        return {}, {VALIDATION: [(found.steps[i], validation[i])]}
    if chosen.stopping != BY_PATIENCE:
        return {}, {}
    stop = stop_early(validation, chosen.patience)
    rings = {VALIDATION: [(float(found.steps[stop.best]), validation[stop.best])]}
    if stop.stopped is None:
        return {}, rings
    at = float(found.steps[stop.stopped])
    return {"stops": [(at, _TOP), (at, 0.0)]}, rings


def _place(found: Training, said: str) -> tuple[float, float]:
    """Return where on the validation loss an answer stands."""
    step = _ANSWERS[said]
    return step, float(found.validation.losses[round(step / EVERY), 0])
