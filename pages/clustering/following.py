"""What is done by hand in the picture, carried out; and what is one click away."""

from collections.abc import Callable
from functools import partial

import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.experiments.clustering.editing import LONGEST, MOST_EDITS, PointEdit, written_centres
from pages.clustering.choices import TOGETHER, Choice
from pages.clustering.guess import Question, keep_guess
from pages.clustering.hands import (
    BY_HAND,
    edit_point,
    place_centres,
    set_controls,
    show_case,
    undo_button,
)
from pages.clustering.walk import Walk
from pages.shared.clustering.data import load
from pages.shared.components.cluster_panels import MOST_POINTS, Edit

_CENTRES = ("k-means' centres", "EM's means")
_SOURCE_POINTS = {"good": "two blobs", "bad": "95 : 5"}
_SOURCE_METHODS = {
    "clusters": 2,
    "start": "random points",
    "number": 1,
    "kind": CovarianceKind.FULL.value,
    "em_start": TOGETHER,
    "step": 0,
}


def follow(choice: Choice, walk: Walk, step: int, question: Question | None, edit: Edit) -> None:
    """Carry out what was done in the picture, before the page runs again."""
    if edit.kind == "choose":
        st.session_state["point"] = edit.index + 1
    elif edit.kind == "guess" and question is not None:
        keep_guess(question, edit.panel, edit.place)
    elif edit.kind == "centre":
        _place(choice, _moved(choice, walk, step, edit))
    elif edit.kind in ("add", "point") and choice.data.plane.is_whole:
        _edit(choice, edit)


def _place(choice: Choice, centres: Tensor) -> None:
    place_centres(written_centres(centres, choice.data.points), len(centres))


def _edit(choice: Choice, edit: Edit) -> None:
    is_new = edit.kind == "add"
    if is_new and len(choice.data.points) >= MOST_POINTS:
        st.toast(f"At most {MOST_POINTS:,} points can be drawn.")
        return
    changed = PointEdit(*edit.place, None if is_new else edit.index)
    if not edit_point(choice.edits, changed, choice.untouched):
        st.toast(
            f"At most {MOST_EDITS} points can be changed by hand, in {LONGEST:,} characters."
            " This one stays as it is."
        )


def _moved(choice: Choice, walk: Walk, step: int, edit: Edit) -> Tensor:
    """Return a method's centres with one moved, as far as the plane shows, to where it was let go."""
    plane = choice.data.plane
    centres = present_centres(walk, step)[edit.panel].clone()
    target = torch.tensor(edit.place, dtype=centres.dtype)
    centres[edit.index] += plane.lift(target - plane.project(centres[edit.index]))
    return centres


def present_centres(walk: Walk, step: int) -> tuple[Tensor, Tensor]:
    """Return k-means' centres and EM's means, (K, D) each, after a half-step."""
    hard, soft = walk.steps.at(step)
    return hard.centres, soft.mixture.means


def buttons(choice: Choice, walk: Walk, step: int) -> None:
    """Draw what is one click away: other starts, the source's cases, the last change undone."""
    undo_button()
    _button(
        "Another start",
        "casino",
        partial(set_controls, number=choice.number % 999 + 1, step=0),
        disabled=choice.rule == BY_HAND,
    )
    for name, centres in zip(_CENTRES, present_centres(walk, step), strict=True):
        _button(f"Run from {name}", "replay", partial(_place, choice, centres))
    for case, name in _SOURCE_POINTS.items():
        points = {"data": name, "n": 100, "seed": 8}
        act = partial(show_case, load(*points.values()).fingerprint, **points, **_SOURCE_METHODS)
        _button(f"Source's {case} case", "history_edu", act)


def _button(label: str, icon: str, act: Callable[[], None], *, disabled: bool = False) -> None:
    st.button(label, type="tertiary", icon=f":material/{icon}:", disabled=disabled, on_click=act)
