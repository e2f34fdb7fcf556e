"""What to say where a component of EM rests on too few points."""

from collections.abc import Sequence

import streamlit as st

from lm_core.clustering.em import EMStep
from lm_core.clustering.number_of_clusters import Candidate, dimension_of

_DENSITY = (
    " A density may exceed 1, because it is a probability per unit of the columns: a component that gets"
    " narrower gets higher, without limit."
)


def rests_on_the_floor(step: EMStep) -> bool:
    """Return whether a component is held up by the floor alone.

    Where all points lie on a line or a plane, every component is flat, and does no harm.
    """
    return bool(step.collapses) and dimension_of(step.points) == step.points.shape[1]


def warn_of_collapses(step: EMStep) -> None:
    """Say which components of EM rest on too few points at a step."""
    if rests_on_the_floor(step):
        _warn("EM: " + "; ".join(collapse.reason for collapse in step.collapses) + ".")


def warn_of_numbers_of_clusters(candidates: Sequence[Candidate]) -> None:
    """Say at which K the criteria of EM rest on the floor, not on the points."""
    on_floor = [str(c.clusters) for c in candidates if rests_on_the_floor(c.soft)]
    if on_floor:
        _warn(
            f"EM: with K = {', '.join(on_floor)} a component has shrunk onto points that agree in some"
            " direction, and only the covariance floor holds it up. There the likelihood, BIC and AIC"
            " depend on the floor, so a pick among these K says nothing of the points."
        )


def _warn(sentence: str) -> None:
    st.warning(
        f"{sentence}{_DENSITY} The page *Mixture pitfalls* shows why.", icon=":material/compress:"
    )
