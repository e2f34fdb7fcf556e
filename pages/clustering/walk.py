"""Both methods' half-steps for a choice, run once and kept."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from torch import Tensor

from lm_core.clustering import side_by_side
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.k_means import Phase
from lm_core.clustering.metrics import is_misassigned, misassigned
from lm_core.clustering.side_by_side import SideBySide
from lm_core.errors import LMCoreError
from pages.clustering.choices import Choice


class Walk(NamedTuple):
    """Both methods from the same start to their ends, with what every half-step achieved.

    Attributes
    ----------
    steps : SideBySide
    inertias, log_likelihoods, lower_bounds : lists of float
        One for each half-step of the method.
    """

    steps: SideBySide
    inertias: list[float]
    log_likelihoods: list[float]
    lower_bounds: list[float]


def walk_of(choice: Choice) -> Walk:
    """Run both methods, or answer from memory; what cannot be clustered stops the page."""
    centres = tuple(choice.centres.flatten().tolist())
    key = (choice.data.fingerprint, centres, choice.kind, choice.em_after_k_means)
    try:
        return _walk(key, choice.data.points, choice.centres)
    except LMCoreError as error:
        st.error(str(error))
        st.stop()


@st.cache_resource(max_entries=48)
def _walk(
    key: tuple[str, tuple[float, ...], CovarianceKind, bool], _points: Tensor, _centres: Tensor
) -> Walk:
    _, _, kind, em_after_k_means = key
    steps = side_by_side.run(_points, _centres, kind, em_after_k_means=em_after_k_means)
    return Walk(
        steps,
        side_by_side.inertias(steps.hard),
        side_by_side.log_likelihoods(steps.soft),
        side_by_side.lower_bounds(steps.soft),
    )


def errors_of(found: Tensor, true: Tensor | None) -> int | None:
    """Return how many of the points with a true group lie in a wrong cluster; None without any."""
    return None if true is None else misassigned(found[: len(true)], true)


def wrong_points(found: Tensor, true: Tensor) -> np.ndarray:
    """Return for each point whether its cluster stands for another group; added ones have none."""
    wrong = np.zeros(len(found), bool)
    wrong[: len(true)] = is_misassigned(found[: len(true)], true).numpy()
    return wrong


def assigned_by(walk: Walk, step: int) -> Tensor:
    """Return the centres that k-means' labels come from: after an update, those before it."""
    at = min(step, len(walk.steps.hard) - 1)
    now = walk.steps.hard[at]
    return now.centres if now.phase is Phase.ASSIGNMENT else walk.steps.hard[at - 1].centres


def places_of(walk: Walk, step: int) -> tuple[list[Tensor], list[Tensor]]:
    """Return the centres of k-means and the means of EM, each (K, D), from the start to this step."""
    return tuple(
        [places[0], *places[1 : step + 1 : 2]]
        for places in (
            [s.centres for s in walk.steps.hard],
            [s.mixture.means for s in walk.steps.soft],
        )
    )
