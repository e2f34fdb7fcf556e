"""A step of k-means and a step of EM, each as a panel in the plane that the points are drawn in."""

from functools import lru_cache
from typing import Any

from torch import Tensor

from lm_core.analysis.projection_planes import Plane
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import Mixture, responsibilities
from lm_core.clustering.k_means import KMeansStep
from pages.shared.components.cluster_panels import Component, Pair, Panel

METHODS = ("k-means", "EM")


def k_means_panel(
    step: KMeansStep, plane: Plane, note: str, *, assigned_by: Tensor | None = None, **more: Any
) -> Panel:
    """Return a step of k-means as a panel.

    Parameters
    ----------
    assigned_by : Tensor of shape (K, D), optional
        The centres that the labels come from, where they are not those of the step.
    **more
        Of `Panel`.
    """
    return Panel(
        METHODS[0],
        note,
        step.labels.numpy(),
        pairs_of(step.centres, plane),
        assigned_by=pairs_of(step.centres if assigned_by is None else assigned_by, plane),
        **more,
    )


def em_panel(step: EMStep, plane: Plane, note: str, **more: Any) -> Panel:
    """Return a step of EM as a panel; each point's shape is its most responsible component."""
    shares = responsibilities_of(step)
    return Panel(
        METHODS[1],
        note,
        shares.argmax(1).numpy(),
        pairs_of(step.mixture.means, plane),
        shares=shares.numpy(),
        components=components_of(step.mixture, plane),
        shared_by=components_of(step.shared_by, plane),
        **more,
    )


@lru_cache(maxsize=32)
def responsibilities_of(step: EMStep) -> Tensor:
    """Return the responsibilities, (N, K); asked of the step itself, all steps would keep theirs."""
    return responsibilities(step.points, step.shared_by)


def components_of(mixture: Mixture, plane: Plane) -> list[Component]:
    """Return a mixture's components as they lie in the plane."""
    covariances = plane.project_covariances(mixture.covariances)
    return [
        Component(weight, tuple(mean), (a, b, d))
        for weight, mean, ((a, b), (_, d)) in zip(
            mixture.weights.tolist(),
            plane.project(mixture.means).tolist(),
            covariances.tolist(),
            strict=True,
        )
    ]


def pairs_of(points: Tensor, plane: Plane) -> list[Pair]:
    """Return where points (N, D) lie in the plane."""
    return [(x, y) for x, y in plane.project(points).tolist()]
