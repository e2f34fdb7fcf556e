"""What a visit keeps of a tuning on its own labels: what was tuned, and what was said of its answers."""

import contextlib
from typing import Any, NamedTuple

import streamlit as st

from lm_core.errors import RunError
from lm_core.experiments.fine_tuning.own_labels import OwnLabels
from lm_core.jobs import jobs
from pages.shared.ui.kept import forget, kept_state

TUNED, _CHECKED = "fine_tuning_tuned", "fine_tuning_checked"
TUNED_KEPT, CHECKED_KEPT = "fine-tuning.tuned", "fine-tuning.checked"


class Tuned(NamedTuple):
    """A tuning that this visitor has asked for."""

    key: str  # of its job
    method: str
    labels: OwnLabels  # what it learns from, and what it is to tell
    given: dict[str, int]  # all labels at that time, those of skipped sentences included


def tuned_of() -> Tuned | None:
    """Return the tuning of this visit, if one was begun."""
    known: list[Any] = kept_state(TUNED, TUNED_KEPT, list)
    if not known:
        return None
    key, method, (sentences, labels, others), given = known
    return Tuned(key, method, OwnLabels(tuple(sentences), tuple(labels), tuple(others)), given)


def checked_of() -> dict[str, int]:
    """Return what the visitor said of the answers of the tuning, by sentence."""
    empty: dict[str, int] = {}
    return kept_state(_CHECKED, CHECKED_KEPT, lambda: empty)


def forget_tuning() -> None:
    """Begin anew: stop a tuning that still runs, and keep nothing that was checked."""
    tuned = tuned_of()
    for key, name in ((TUNED, TUNED_KEPT), (_CHECKED, CHECKED_KEPT)):
        st.session_state.pop(key, None)
        forget(name)
    if tuned is not None:
        with contextlib.suppress(RunError):  # it is gone already
            if jobs.job(tuned.key).status.state.is_live:
                jobs.cancel(tuned.key)
