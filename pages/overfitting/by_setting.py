"""Training and validation loss against capacity, data and wrong labels, with and without a remedy."""

from dataclasses import replace

import streamlit as st

from lm_core.experiments.overfitting import training
from lm_core.experiments.overfitting.results import OverfittingResults
from lm_core.experiments.overfitting.study import (
    DECAY,
    DROPOUT,
    EARLY,
    LABEL_NOISE,
    NONE,
    PATIENCE,
    POINTS,
    REMEDIES,
    UNITS,
    VALUES,
)
from lm_core.training.early_stopping import StoppingPoint, stop_early
from pages.overfitting.losses_by_setting import HEIGHT, Chosen, draw_losses
from pages.overfitting.scene import FIRST, choose_seed, choose_setting, draw_network, trained
from pages.shared import page
from pages.shared.numbers import percent

_VARIED = {"Capacity": UNITS, "Training points": POINTS, "Wrong labels": LABEL_NOISE}
_REMEDIES = (NONE, DECAY, DROPOUT, EARLY)
_ANSWERS = {"It falls as well": 0.5, "It stays about the same": 1.0, "It rises": 2.0}
"""By how much each multiplies the loss, where it is drawn."""
_ALIKE = 0.05


def _choose_varied(screen: page.FirstScreen) -> Chosen:
    """Draw the choice of what is varied, its value and the remedy, and return them."""
    with screen.controls:
        title = page.choice("against", "Loss against", tuple(_VARIED), width=155)
        remedy = page.choice("remedy", "Remedy", _REMEDIES, width=155)
        varied = _VARIED[title]
        with st.popover("More", icon=":material/tune:"):
            values = {name: choose_setting(name) for name in VALUES}
            seed = choose_seed()
    settings = training.NetworkSettings(
        units=int(values[UNITS]),
        points=int(values[POINTS]),
        label_noise=float(values[LABEL_NOISE]),
        seed=seed,
    )
    return Chosen(varied, remedy, replace(settings, **REMEDIES.get(remedy, {})))


def by_setting(screen: page.FirstScreen) -> None:
    """Draw one network, and the measured losses of many by what is varied."""
    chosen = _choose_varied(screen)
    results = page.shipped(OverfittingResults)
    found = trained(chosen.settings)
    end = len(found.steps) - 1
    if chosen.remedy == EARLY:
        end = _stop(found).best
    asked = _ask(screen, results, chosen)
    is_masked = asked.masks
    with screen.picture:
        st.markdown(f"**{_finding(results, chosen, is_masked=is_masked)}**")
        left, right = st.columns([1, 1.15], gap="small")
        with left:
            draw_network(
                chosen.settings, end, key="setting_plane", height=HEIGHT, is_masked=is_masked
            )
        with right:
            draw_losses(results, chosen, found, end, asked)
    page.note_beside(screen, _explained(chosen, found, end))
    if not page.is_presenting():
        made, is_early = results.provenance, chosen.remedy == EARLY
        st.caption(
            f"A line is the mean of {made['networks']} networks with points and weights of their own"
            f" {'stopped early within' if is_early else 'after'} {found.steps[-1]} steps of Adam; the"
            " quartiles of the validation losses are shaded"
            f" (measured {made['date'][:10]}). Where they are not varied there are"
            f" {FIRST.units} units, {FIRST.points} points and {percent(FIRST.label_noise)} wrong"
            " labels. "
            + (
                "Early stopping chooses by other points, so it has an advantage. "
                if is_early
                else ""
            )
            + "The rings are the network on the left"
            + (
                "."
                if chosen.remedy == NONE
                else ", the dotted line is the validation loss without a remedy."
            )
        )


def _stop(found: training.Training) -> StoppingPoint:
    return stop_early(found.validation.losses[:, 0].tolist(), PATIENCE)


def _ask(screen: page.FirstScreen, results: OverfittingResults, chosen: Chosen) -> page.Asked:
    """Ask what more capacity does; None where something else is on screen."""
    if chosen.varied != UNITS or chosen.remedy != NONE:
        return page.Asked()
    points = {p.value: p.validation for p in results.swept(UNITS, NONE)}
    change = points[64] - points[4]
    held = list(_ANSWERS)[1 if abs(change) < _ALIKE else 2 if change > 0 else 0]
    best = min(points, key=lambda value: points[value])
    return page.ask(
        screen,
        "capacity",
        "From 4 to 64 units the training loss falls almost to 0. What does the validation loss do?",
        _ANSWERS,
        right=held,
        reason=f"From {points[4]:.2f} to **{points[64]:.2f}** nats; lowest is {points[best]:.2f}, with"
        f" {best:g} units. With more units a network can fit single points as well, so the"
        " training loss alone says nothing. Choose a *remedy*: what does it change?",
    )


def _finding(results: OverfittingResults, chosen: Chosen, *, is_masked: bool) -> str:
    points = results.swept(chosen.varied, chosen.remedy)
    if is_masked:
        return (
            f"From {_named(chosen, 0)} to {_named(chosen, -1)} the training loss goes from"
            f" {points[0].training:.2f} to {points[-1].training:.2f}"
        )
    best = min(points, key=lambda point: point.validation)
    at = _named(chosen, VALUES[chosen.varied].index(best.value))
    said = f"Validation is lowest at {at}: {best.validation:.2f}"
    if best is points[-1]:
        return f"{said}; at {_named(chosen, 0)} it is {points[0].validation:.2f}"
    return f"{said}; at {_named(chosen, -1)} it is {points[-1].validation:.2f}"


def _named(chosen: Chosen, i: int) -> str:
    value = VALUES[chosen.varied][i]
    if chosen.varied == LABEL_NOISE:
        return f"{percent(value)} wrong labels"
    return f"{value:g} {'unit' if chosen.varied == UNITS else 'point'}{'s' if value > 1 else ''}"


def _explained(chosen: Chosen, found: training.Training, end: int) -> str:
    """Return what the remedy does, with the numbers of the network that is drawn."""
    settings, layers = chosen.settings, found.layers[end]
    if chosen.remedy == DECAY:
        loss, added = (
            float(found.training.losses[end, 0]),
            float(training.penalty(layers, settings.weight_decay)[0]),
        )
        return (
            r"*Weight decay* adds the squared length of the weights to the loss:"
            r" $\mathcal{L} + \frac{\lambda}{2}\lVert W\rVert^2$"
            f" = {loss:.2f} + {settings.weight_decay / 2:g} · {2 * added / settings.weight_decay:.1f} ="
            f" {loss + added:.2f}. So each step also shortens them, and a network with short weights cannot"
            " bend sharply around single points."
        )
    if chosen.remedy == DROPOUT:
        n_units = 2 * settings.units
        return (
            "*Dropout* turns off each hidden unit, with all its outgoing connections, with"
            f" probability p = {settings.dropout:g}: of {n_units} units about"
            f" {settings.dropout * n_units:.0f} in a step, others for each point. Those left are"
            f" divided by 1 − p = {1 - settings.dropout:g}; for validation all are on. So no unit"
            " can rely on a certain other one, and single points are harder to learn by heart."
        )
    if chosen.remedy == EARLY:
        stopped, last = _stop(found).stopped, found.steps[-1]
        at = last if stopped is None else found.steps[stopped]
        return (
            f"*Early stopping* with a patience of {PATIENCE} evaluations: the network on the left"
            f" is that of step {found.steps[end]}, because none up to step {at} was better. "
            + (f"It saves the last {last - at} steps" if at < last else "Here it saves no step")
            + f", but it is not free, because it chooses by {training.VALIDATION_POINTS} points with right"
            " labels, from which none of the networks learns."
        )
    return (
        "*Capacity* is how much a network can fit: here, its hidden units. With enough of them it"
        " fits every training point, so it learns wrong labels (ringed) as well. **Choose more"
        " points, then more wrong labels.**"
    )
