"""Both methods side by side at one half-step, and what a hand may do there."""

from functools import partial

import torch

from lm_core.clustering import em, k_means
from pages.clustering.choices import Choice
from pages.clustering.following import follow
from pages.clustering.guess import Question, guess_of, is_predicting
from pages.clustering.walk import (
    Walk,
    assigned_by,
    places_of,
    wrong_points,
)
from pages.shared.clustering.panels import (
    components_of,
    em_panel,
    k_means_panel,
    responsibilities_of,
)
from pages.shared.components.cluster_panels import (
    Component,
    Foreseen,
    Panel,
    bounds_of,
    cluster_panels,
)
from pages.shared.ui.playback import moves


def both_panels(
    choice: Choice, walk: Walk, step: int, point: int, question: Question | None
) -> None:
    """Draw both methods after a half-step, one point ringed; points and centres can be dragged."""
    data = choice.data
    drawn = data.plane.project(data.points).numpy()
    guessing = question is not None and guess_of(question) is None
    cluster_panels(
        drawn,
        _panels(choice, walk, step, question),
        key="lockstep",
        names=data.directions,
        bounds=_bounds(choice, walk),
        hint=_hint(choice, guessing),
        name=f"clusters-{data.name.replace(' ', '-')}-step-{step}",
        is_flat=data.plane.is_whole,
        truth=_truth(choice),
        chosen=point,
        rows=data.rows,
        has_background="borders" in choice.shown,
        has_lines="lines" in choice.shown,
        guessing=guessing,
        foreseen=() if is_predicting() else _foreseen(choice, walk, step),
        on_edit=partial(follow, choice, walk, step, question),
    )


def _panels(
    choice: Choice, walk: Walk, step: int, question: Question | None
) -> tuple[Panel, Panel]:
    data, (hard, soft) = choice.data, walk.steps.at(step)
    trails = [data.plane.project(torch.stack(way)).tolist() for way in places_of(walk, step)]
    found = (hard.labels, responsibilities_of(soft).argmax(1))
    shows_wrong = "wrong points" in choice.shown and data.labels is not None
    common = [
        {
            "trails": list(zip(*trail, strict=True)) if "trails" in choice.shown else (),
            "wrong": wrong_points(labels, data.labels) if shows_wrong else None,
            **_guessed(question, panel),
        }
        for panel, (trail, labels) in enumerate(zip(trails, found, strict=True))
    ]
    return (
        k_means_panel(
            hard,
            data.plane,
            _hard_note(walk, step),
            assigned_by=assigned_by(walk, step),
            **common[0],
        ),
        em_panel(soft, data.plane, _soft_note(walk, step), **common[1]),
    )


def _foreseen(choice: Choice, walk: Walk, step: int) -> list[Foreseen]:
    """Return the half-steps before and after this one, where there are any."""
    return [
        Foreseen(move.button, f"Arrow{move.shortcut}", _panels(choice, walk, move.step, None))
        for move in moves("step", step)
        if move.step in range(len(walk.steps))
    ]


def _guessed(question: Question | None, panel: int) -> dict[str, object]:
    """Return what a panel shows of the guess: which centre, where it was put, and the truth."""
    if question is None:
        return {}
    guess = guess_of(question)
    return {
        "asked": question.centres[panel] if guess is None else None,
        "guess": guess.place if guess and guess.panel == panel else None,
        "answer": question.answers[panel] if guess and guess.panel == panel else None,
    }


def _bounds(choice: Choice, walk: Walk) -> tuple[float, float, float, float]:
    """Return the same box for all steps."""
    plane = choice.data.plane
    places = [plane.project(torch.cat(way)).numpy() for way in places_of(walk, len(walk.steps))]
    return bounds_of(plane.project(choice.data.points).numpy(), *places)


def _truth(choice: Choice) -> list[Component]:
    if "truth" not in choice.shown or choice.data.mixture is None:
        return []
    return components_of(choice.data.mixture, choice.data.plane)


def _hard_note(walk: Walk, step: int) -> str:
    steps = walk.steps.hard
    now = steps[min(step, len(steps) - 1)]
    if step >= len(steps) - 1:
        end = "no point changes" if now.converged else "stopped"
        return f"· over after {_iterations(now.iteration)}: {end}"
    if now.phase is k_means.Phase.UPDATE:
        return f"· {now.iteration}, update: centres to their means"
    if step == 0:
        return "· start, assign: points to centres"
    changed = int((now.labels != steps[step - 1].labels).sum())
    return f"· {now.iteration}, assign: {changed} {'point changes' if changed == 1 else 'points change'}"


def _soft_note(walk: Walk, step: int) -> str:
    steps = walk.steps.soft
    now = steps[min(step, len(steps) - 1)]
    if step >= len(steps) - 1:
        end = "a component broke" if now.has_broken else "converged" if now.converged else "stopped"
        return f"· over after {_iterations(now.iteration)}: {end}"
    if now.phase is em.Phase.M:
        return f"· {now.iteration}, M: components to their shares"
    return f"· {now.iteration or 'start'}, E: points shared out"


def _iterations(n: int) -> str:
    return "1 iteration" if n == 1 else f"{n} iterations"


def _hint(choice: Choice, guessing: bool) -> str:
    if guessing:
        return "Where will the centre marked ? be after the next half-step? Click there."
    if choice.data.plane.is_whole:
        return (
            "Drag a centre or a point; click on free space to add a point, on a point to choose it."
        )
    return "Drag a centre; click on a point to choose it."
