"""Both methods' runs, computed once and kept, and what they have come to at a step."""

from typing import NamedTuple

import streamlit as st
from torch import Tensor

from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.k_means import KMeansStep
from lm_core.clustering.metrics import misassigned
from lm_core.clustering.side_by_side import SideBySide, run
from pages.clustering.settings import Settings
from pages.shared.clustering.panels import responsibilities_of


class Moment(NamedTuple):
    """Both methods at a step; one that is over keeps its last."""

    settings: Settings
    runs: SideBySide
    step: int

    @property
    def hard(self) -> KMeansStep:
        """The step of k-means."""
        return self.runs.at(self.step)[0]

    @property
    def soft(self) -> EMStep:
        """The step of EM."""
        return self.runs.at(self.step)[1]

    @property
    def labels(self) -> tuple[Tensor, Tensor]:
        """The cluster of each point, of k-means, and the most responsible component, of EM."""
        return self.hard.labels, responsibilities_of(self.soft).argmax(1)

    @property
    def centres(self) -> tuple[Tensor, Tensor]:
        """Those of k-means and the means of EM, (K, D) each."""
        return self.hard.centres, self.soft.mixture.means

    @property
    def end(self) -> "Moment":
        """Both methods when both are over."""
        return self.at(len(self.runs) - 1)

    def at(self, step: int) -> "Moment":
        """Return both methods at another step."""
        return self._replace(step=step)

    def errors(self, true: Tensor) -> list[int]:
        """Return how many of the points with a true group each method has in a wrong cluster."""
        return [misassigned(found, true) for found in self.labels]


def run_both(settings: Settings) -> SideBySide:
    """Run both methods, or answer from memory."""
    centres = tuple(settings.centres.flatten().tolist())
    key = (settings.data.fingerprint, centres, settings.kind, settings.em_after_k_means)
    return _runs(key, settings.data.points, settings.centres)


@st.cache_resource(max_entries=48)
def _runs(
    key: tuple[str, tuple[float, ...], CovarianceKind, bool], _points: Tensor, _centres: Tensor
) -> SideBySide:
    return run(_points, _centres, key[2], em_after_k_means=key[3])
