"""What a visitor does in the picture and beside it: points and centres moved, other starts, known examples."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.experiments.clustering.editing import LONGEST, MOST_EDITS, PointEdit, written_centres
from pages.clustering import editing
from pages.clustering.moves import Question
from pages.clustering.runs import Moment
from pages.clustering.settings import FROM_CENTRES, Settings
from pages.shared import page
from pages.shared.clustering.data import generated
from pages.shared.components.cluster_panels import MOST_POINTS, Edit

_CENTRES = {"k_means": "k-means' centres", "em": "EM's means"}
_EXAMPLES = {"Two equal groups": "two blobs", "95 : 5 groups": "95 : 5"}
_EXAMPLE_SETTINGS: dict[str, str | int] = {
    "clusters": 2,
    "initialisation": "random points",
    "restart": 1,
    "covariance": CovarianceKind.FULL.value,
    "em_initialisation": FROM_CENTRES,
    "step": editing.END,
}


def carry_out(now: Moment, question: Question | None, edit: Edit) -> None:
    """Carry out an edit of the picture, before the page runs again."""
    if edit.kind == "choose":
        st.session_state["point"] = edit.index + 1
    elif edit.kind == "guess" and question is not None:
        question.take(edit.panel, edit.place)
    elif edit.kind == "centre":
        _start_from(now.settings, _moved(now, edit))
    elif edit.kind in ("add", "point") and now.settings.data.plane.is_whole:
        _edit(now.settings, edit)


def _start_from(settings: Settings, centres: Tensor) -> None:
    editing.place_centres(written_centres(centres, settings.data.points), len(centres))


def _edit(settings: Settings, edit: Edit) -> None:
    is_new = edit.kind == "add"
    changed = PointEdit(*edit.place, None if is_new else edit.index)
    if is_new and len(settings.data.points) >= MOST_POINTS:
        st.toast(f"At most {MOST_POINTS:,} points can be drawn.")
    elif not editing.edit_point(settings.edits, changed, settings.untouched):
        st.toast(
            f"At most {MOST_EDITS} points can be changed by hand, in {LONGEST:,} characters. So"
            " this one stays where it was."
        )


def _moved(now: Moment, edit: Edit) -> Tensor:
    """Return a method's centres with one moved, as far as the plane shows, to where it was dropped."""
    plane, centres = now.settings.data.plane, now.centres[edit.panel].clone()
    target = torch.tensor(edit.place, dtype=centres.dtype)
    centres[edit.index] += plane.lift(target - plane.project(centres[edit.index]))
    return centres


def buttons(now: Moment) -> None:
    """Draw what is one click away: the last edit undone, other restarts, known examples."""
    settings, draw = now.settings, partial(page.button, type="tertiary")
    another = partial(editing.set_controls, restart=settings.chosen.restart % 999 + 1, step=0)
    editing.undo_button()
    draw("next_restart", "Next restart", "casino", another, disabled=settings.is_by_hand)
    for (key, name), centres in zip(_CENTRES.items(), now.centres, strict=True):
        draw(f"start_from_{key}", f"Start from {name}", "replay", _start_from, settings, centres)
    note = "An example of the blog series"
    for label, name in _EXAMPLES.items():
        draw(f"example_{name}", label, "history_edu", _show_example, name, help=note)


def _show_example(name: str) -> None:
    n, seed = 100, 8
    drawn = generated(name, n, seed).fingerprint
    editing.show_case(drawn, data=name, points=n, seed=seed, **_EXAMPLE_SETTINGS)
