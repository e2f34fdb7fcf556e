"""Both methods side by side at one step, what may be edited there, and what is one click away."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering import em, k_means
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.experiments.clustering.editing import LONGEST, MOST_EDITS, PointEdit, written_centres
from pages.clustering.editing import (
    BY_HAND,
    END,
    edit_point,
    place_centres,
    set_controls,
    show_case,
    undo_button,
)
from pages.clustering.prediction import (
    Question,
    answer,
    answers_class,
    guess_of,
    is_predicting,
    keep_guess,
    own_place,
)
from pages.clustering.results import (
    Runs,
    assigned_by,
    places_of,
    wrong_points,
)
from pages.clustering.settings import FROM_CENTRES, TRUTH, WRONG, Settings
from pages.shared.charts.palette import GUESS
from pages.shared.classroom.asking import ClassPrediction
from pages.shared.clustering.data import generated
from pages.shared.clustering.panels import (
    components_of,
    em_panel,
    k_means_panel,
    responsibilities_of,
)
from pages.shared.components.cluster_panels import (
    MOST_POINTS,
    Component,
    Edit,
    Foreseen,
    Panel,
    bounds_of,
    cluster_panels,
)
from pages.shared.ui.playback import moves

_CENTRES = {"k_means": "k-means' centres", "em": "EM's means"}
_EXAMPLES = {"Two equal groups": "two blobs", "95 : 5 groups": "95 : 5"}
_EXAMPLE_SETTINGS: dict[str, str | int] = {
    "clusters": 2,
    "initialisation": "random points",
    "restart": 1,
    "covariance": CovarianceKind.FULL.value,
    "em_initialisation": FROM_CENTRES,
    "step": END,
}


def draw_panels(
    settings: Settings,
    runs: Runs,
    step: int,
    point: int,
    question: Question | None,
    asked: ClassPrediction | None,
    guessed: tuple[bool, bool],
) -> None:
    """Draw both methods after a step, one point ringed; points and centres can be dragged.

    A method that a visitor expected to find the groups says so. While the class is asked where a centre
    goes, a student's click is the answer.
    """
    data = settings.data
    drawn = data.plane.project(data.points).numpy()
    guessing = answers_class(asked)
    if asked is None:
        guessing = question is not None and guess_of(question) is None
    cluster_panels(
        drawn,
        _panels(settings, runs, step, _guesses(question, asked), guessed),
        key="side_by_side",
        names=data.directions,
        bounds=picture_bounds(settings, runs),
        hint=_hint(settings, guessing),
        name=f"clusters-{data.name.replace(' ', '-')}-step-{step}",
        is_flat=data.plane.is_whole,
        truth=_truth(settings),
        chosen=point,
        rows=data.rows,
        has_background="borders" in settings.shown,
        has_lines="lines to centres" in settings.shown,
        guessing=guessing,
        foreseen=() if is_predicting() else _foreseen(settings, runs, step, guessed),
        on_edit=partial(_carry_out, settings, runs, step, question, asked),
    )


def _panels(
    settings: Settings,
    runs: Runs,
    step: int,
    guesses: Sequence[Mapping[str, Any]],
    guessed: tuple[bool, bool],
) -> tuple[Panel, Panel]:
    data, (hard, soft) = settings.data, runs.steps.at(step)
    trails = [data.plane.project(torch.stack(way)).tolist() for way in places_of(runs, step)]
    found = (hard.labels, responsibilities_of(soft).argmax(1))
    shows_wrong = WRONG in settings.shown
    common = [
        {
            "trails": list(zip(*trail, strict=True))
            if "paths of centres" in settings.shown
            else (),
            "wrong": wrong_points(labels, data.labels)
            if shows_wrong and data.labels is not None
            else None,
            **guess,
        }
        for guess, trail, labels in zip(guesses, trails, found, strict=True)
    ]
    said = [f" · {GUESS}" if is_guess else "" for is_guess in guessed]
    return (
        k_means_panel(
            hard,
            data.plane,
            _hard_note(runs, step) + said[0],
            assigned_by=assigned_by(runs, step),
            **common[0],
        ),
        em_panel(soft, data.plane, _soft_note(runs, step) + said[1], **common[1]),
    )


def _foreseen(
    settings: Settings, runs: Runs, step: int, guessed: tuple[bool, bool]
) -> list[Foreseen]:
    """Return the steps before and after this one, where there are any."""
    return [
        Foreseen(
            move.button,
            f"Arrow{move.shortcut}",
            _panels(settings, runs, move.step, ({}, {}), guessed),
        )
        for move in moves("step", step)
        if move.step in range(len(runs.steps))
    ]


def _guesses(
    question: Question | None, asked: ClassPrediction | None
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return what each panel shows of the guess: which centre, where it was put, and the truth."""
    if question is None:
        return {}, {}
    if asked is None:
        return _guessed(question, 0), _guessed(question, 1)
    of_class = _guessed_by_class(question, asked)
    return ({}, of_class) if question.farther else (of_class, {})


def _guessed(question: Question, panel: int) -> Mapping[str, Any]:
    guess = guess_of(question)
    return {
        "asked": question.centres[panel] if guess is None else None,
        "guess": guess.place if guess and guess.panel == panel else None,
        "answer": question.answers[panel] if guess and guess.panel == panel else None,
    }


def _guessed_by_class(question: Question, asked: ClassPrediction) -> Mapping[str, Any]:
    guess = own_place(asked)
    if asked.summary is None:
        return {"asked": question.centres[question.farther], "guess": guess}
    return {
        "guess": guess,
        "answer": question.answers[question.farther],
        "said": asked.summary.points,
        "median": asked.summary.median,
    }


def picture_bounds(settings: Settings, runs: Runs) -> tuple[float, float, float, float]:
    """Return the same box for all steps."""
    plane = settings.data.plane
    places = [plane.project(torch.cat(way)).numpy() for way in places_of(runs, len(runs.steps))]
    return bounds_of(plane.project(settings.data.points).numpy(), *places)


def _truth(settings: Settings) -> list[Component]:
    if TRUTH not in settings.shown or settings.data.mixture is None:
        return []
    return components_of(settings.data.mixture, settings.data.plane)


def _hard_note(runs: Runs, step: int) -> str:
    steps = runs.steps.hard
    now = steps[min(step, len(steps) - 1)]
    if step >= len(steps) - 1:
        end = "converged" if now.converged else "iteration limit"
        return f"· {_iterations(now.iteration)}: {end}"
    if now.phase is k_means.Phase.UPDATE:
        return f"· iteration {now.iteration}, update step"
    if step == 0:
        return "· initial centres, assignment step"
    changed = int((now.labels != steps[step - 1].labels).sum())
    points = "1 point changes" if changed == 1 else f"{changed} points change"
    return f"· iteration {now.iteration}, assignment step: {points}"


def _soft_note(runs: Runs, step: int) -> str:
    steps = runs.steps.soft
    now = steps[min(step, len(steps) - 1)]
    if step >= len(steps) - 1:
        end = (
            "a component collapsed"
            if now.has_broken
            else "converged"
            if now.converged
            else "iteration limit"
        )
        return f"· {_iterations(now.iteration)}: {end}"
    if now.phase is em.Phase.M:
        return f"· iteration {now.iteration}, M-step"
    when = f"iteration {now.iteration}" if now.iteration else "initial mixture"
    return f"· {when}, E-step"


def _iterations(n: int) -> str:
    return "1 iteration" if n == 1 else f"{n} iterations"


def _hint(settings: Settings, guessing: bool) -> str:
    if guessing:
        return "Where will the centre marked ? be after the next step? Click there."
    if settings.data.plane.is_whole:
        return (
            "Drag a centre or a point. Click on free space to add a point, on a point to choose it."
        )
    return "Drag a centre. Click on a point to choose it."


def _carry_out(
    settings: Settings,
    runs: Runs,
    step: int,
    question: Question | None,
    asked: ClassPrediction | None,
    edit: Edit,
) -> None:
    """Carry out an edit of the picture, before the page runs again."""
    if edit.kind == "choose":
        st.session_state["point"] = edit.index + 1
    elif edit.kind == "guess" and asked is not None:
        answer(asked, edit.place)
    elif edit.kind == "guess" and question is not None:
        keep_guess(question, edit.panel, edit.place)
    elif edit.kind == "centre":
        _place(settings, _moved(settings, runs, step, edit))
    elif edit.kind in ("add", "point") and settings.data.plane.is_whole:
        _edit(settings, edit)


def _place(settings: Settings, centres: Tensor) -> None:
    place_centres(written_centres(centres, settings.data.points), len(centres))


def _edit(settings: Settings, edit: Edit) -> None:
    is_new = edit.kind == "add"
    if is_new and len(settings.data.points) >= MOST_POINTS:
        st.toast(f"At most {MOST_POINTS:,} points can be drawn.")
        return
    changed = PointEdit(*edit.place, None if is_new else edit.index)
    if not edit_point(settings.edits, changed, settings.untouched):
        st.toast(
            f"At most {MOST_EDITS} points can be changed by hand, in {LONGEST:,} characters."
            " This one stays where it was."
        )


def _moved(settings: Settings, runs: Runs, step: int, edit: Edit) -> Tensor:
    """Return a method's centres with one moved, as far as the plane shows, to where it was dropped."""
    plane = settings.data.plane
    centres = present_centres(runs, step)[edit.panel].clone()
    target = torch.tensor(edit.place, dtype=centres.dtype)
    centres[edit.index] += plane.lift(target - plane.project(centres[edit.index]))
    return centres


def present_centres(runs: Runs, step: int) -> tuple[Tensor, Tensor]:
    """Return k-means' centres and EM's means, (K, D) each, after a step."""
    hard, soft = runs.steps.at(step)
    return hard.centres, soft.mixture.means


def buttons(settings: Settings, runs: Runs, step: int) -> None:
    """Draw what is one click away: other restarts, known examples, the last edit undone."""
    undo_button()
    _button(
        "next_restart",
        "Next restart",
        "casino",
        partial(set_controls, restart=settings.restart % 999 + 1, step=0),
        disabled=settings.initialisation == BY_HAND,
    )
    for (key, name), centres in zip(_CENTRES.items(), present_centres(runs, step), strict=True):
        act = partial(_place, settings, centres)
        _button(f"start_from_{key}", f"Start from {name}", "replay", act)
    for label, name in _EXAMPLES.items():
        tip = "An example of the blog series"
        _button(f"example_{name}", label, "history_edu", partial(_show_example, name), tip=tip)


def _show_example(name: str) -> None:
    n, seed = 100, 8
    drawn = generated(name, n, seed)
    show_case(drawn.fingerprint, data=name, points=n, seed=seed, **_EXAMPLE_SETTINGS)


def _button(
    key: str,
    label: str,
    icon: str,
    act: Callable[[], None],
    *,
    disabled: bool = False,
    tip: str | None = None,
) -> None:
    icon = f":material/{icon}:"
    st.button(
        label, type="tertiary", icon=icon, key=key, disabled=disabled, on_click=act, help=tip
    )  # fmt: skip
