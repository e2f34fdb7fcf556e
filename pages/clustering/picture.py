"""Both methods side by side at one step, and the picture in words."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering import em, k_means
from lm_core.clustering.metrics import is_misassigned
from pages.clustering.gestures import carry_out
from pages.clustering.moves import Question, is_predicting
from pages.clustering.runs import Moment
from pages.clustering.settings import BORDERS, LINES, PATHS, TRUTH, WRONG, Settings
from pages.shared.charts.palette import GUESS
from pages.shared.clustering.panels import METHODS, components_of, em_panel, k_means_panel
from pages.shared.components.cluster_panels import Foreseen, Panel, Scene, bounds_of, cluster_panels
from pages.shared.counts import counted
from pages.shared.ui.playback import moves

_MOST_SIZES = 4
_EDITABLE = "Drag a centre or a point. Click on free space to add a point, on a point to choose it."


def draw_panels(
    now: Moment, point: int, question: Question | None, guessed: Sequence[bool]
) -> None:
    """Draw both methods after a step, one point ringed; points and centres can be dragged.

    A method that a visitor expected to find the groups says so. While the class is asked where a centre
    goes, a student's click is the answer.
    """
    settings, data = now.settings, now.settings.data
    is_open = question is not None and question.is_open
    hint = _EDITABLE if data.plane.is_whole else "Drag a centre. Click on a point to choose it."
    if is_open:
        hint = "Where will the centre marked ? be after the next step? Click there."
    truth = data.mixture if settings.shows(TRUTH) else None
    scene = Scene(
        data.plane.project(data.points).numpy(),
        data.directions,
        picture_bounds(now),
        f"clusters-{data.name.replace(' ', '-')}-step-{now.step}",
        data.plane.is_whole,
        hint,
        truth=components_of(truth, data.plane) if truth else (),
        chosen=point,
        rows=data.rows,
        has_background=settings.shows(BORDERS),
        has_lines=settings.shows(LINES),
        guessing=is_open,
    )
    panels = _panels(now, guessed, question.marks() if question else ({}, {}))
    later = () if is_predicting() else _foreseen(now, guessed)
    edit = partial(carry_out, now, question)
    cluster_panels(scene, panels, key="side_by_side", foreseen=later, on_edit=edit)


def _panels(
    now: Moment, guessed: Sequence[bool], marks: Sequence[Mapping[str, Any]] = ({}, {})
) -> tuple[Panel, Panel]:
    settings, data = now.settings, now.settings.data
    shown = []
    for way, labels, of_guess in zip(now.runs.ways(now.step), now.labels, marks, strict=True):
        trail = zip(*data.plane.project(torch.stack(way)).tolist(), strict=True)
        trails = {"trails": list(trail)} if settings.shows(PATHS) else {}
        wrong = {}
        if settings.shows(WRONG) and data.labels is not None:
            wrong = {"wrong": is_misassigned(labels, data.labels).numpy()}
        shown.append(trails | wrong | dict(of_guess))
    hard, soft = (f" · {GUESS}" if is_guess else "" for is_guess in guessed)
    by, plane = now.runs.assigned_by(now.step), data.plane
    return (
        k_means_panel(now.hard, plane, _hard_note(now) + hard, assigned_by=by, **shown[0]),
        em_panel(now.soft, plane, _soft_note(now) + soft, **shown[1]),
    )


def _foreseen(now: Moment, guessed: Sequence[bool]) -> list[Foreseen]:
    """Return the steps before and after this one, where there are any."""
    return [
        Foreseen(move.button, f"Arrow{move.shortcut}", _panels(now.at(move.step), guessed))
        for move in moves("step", now.step)
        if move.step in range(len(now.runs))
    ]


def picture_bounds(now: Moment) -> tuple[float, float, float, float]:
    """Return the same box for all steps."""
    data, runs = now.settings.data, now.runs
    places = [data.plane.project(torch.cat(way)).numpy() for way in runs.ways(len(runs))]
    return bounds_of(data.plane.project(data.points).numpy(), *places)


def _hard_note(now: Moment) -> str:
    steps, step = now.runs.hard, now.hard
    if now.step >= len(steps) - 1:
        return _ended(step.iteration, "converged" if step.converged else "iteration limit")
    if step.phase is k_means.Phase.UPDATE:
        return f"· iteration {step.iteration}, update step"
    if now.step == 0:
        return "· initial centres, assignment step"
    changed = int((step.labels != steps[now.step - 1].labels).sum())
    points = "1 point changes" if changed == 1 else f"{changed} points change"
    return f"· iteration {step.iteration}, assignment step: {points}"


def _soft_note(now: Moment) -> str:
    step = now.soft
    if now.step >= len(now.runs.soft) - 1:
        end = "converged" if step.converged else "iteration limit"
        return _ended(step.iteration, "a component collapsed" if step.has_broken else end)
    if step.phase is em.Phase.M:
        return f"· iteration {step.iteration}, M-step"
    when = f"iteration {step.iteration}" if step.iteration else "initial mixture"
    return f"· {when}, E-step"


def _ended(iterations: int, how: str) -> str:
    return f"· {counted(iterations, 'iteration')}: {how}"


def finding(now: Moment) -> str:
    """Return in a line how both methods divide the points; masked, without the sizes."""
    points, clusters = counted(len(now.hard.labels), "point"), len(now.hard.centres)
    if now.settings.is_masked:
        return f"{METHODS[0]} and {METHODS[1]} divide {points} into {clusters}"
    k_means, em = (_sizes(labels, clusters) for labels in now.labels)
    return f"{METHODS[0]} divides {points} {k_means}, {METHODS[1]} {em}"


def _sizes(labels: Tensor, clusters: int) -> str:
    """Return how many points each cluster has, the largest first; of many clusters, the range."""
    sizes = sorted(labels.bincount(minlength=clusters).tolist(), reverse=True)
    if len(sizes) > _MOST_SIZES:
        return f"into {len(sizes)} clusters of {sizes[-1]} to {sizes[0]}"
    return " : ".join(map(str, sizes))


def legend(settings: Settings) -> None:
    """Say what the marks in the picture are; what is not drawn is left out."""
    marks = [
        "● ■ ▲ a cluster; a mixed colour is shared",
        "①  a centre or mean" + (", with its path" if settings.shows(PATHS) else ""),
        "◯ around a mean: one and two standard deviations",
        "thick ring: the chosen point",
    ]
    if settings.shows(TRUTH) and settings.data.mixture is not None:
        marks.append("dashed: the true groups")
    if settings.shows(WRONG) and settings.data.labels is not None:
        marks.append("thin ring: a point in a wrong cluster")
    st.caption("  \n".join(marks))
