"""How many points each method puts wrongly, beside what the source says."""

import streamlit as st

from lm_core.clustering.datasets import iris
from lm_core.clustering.initialisation import initial_centres
from lm_core.clustering.metrics import misassigned
from lm_core.clustering.side_by_side import run
from pages.clustering.choices import Choice
from pages.clustering.walk import Walk, errors_of
from pages.shared.clustering.panels import METHODS, responsibilities_of

_CLAIMS = {
    "two blobs": ("all points right (100 points)", "not shown in this case"),
    "95 : 5": ("“many wrong assignments” (100 points)", "not shown in this case"),
    "95 : 5, stretched": ("shown as a bad case, no count", "shown as a good one, no count"),
    "Iris": ("never below 16 of 150", "5 of 150, with a loss of about 181"),
}
"""Of the source document's text, code and notes."""


def verdict(choice: Choice, walk: Walk, step: int) -> None:
    """Count the points in wrong clusters, now and at the end, where the truth is known."""
    data = choice.data
    st.caption(data.note)
    if data.labels is None:
        return
    rows = []
    claims = _CLAIMS.get(data.name)
    ends = zip(_labels(walk, step), _labels(walk, len(walk.steps)), strict=True)
    for i, (now, end) in enumerate(ends):
        row = {
            "method": METHODS[i],
            "wrong now": errors_of(now, data.labels),
            "wrong at the end": errors_of(end, data.labels),
            "of": len(data.labels),
        }
        rows.append(row | ({"the source says": claims[i]} if claims else {}))
    st.dataframe(rows, hide_index=True, height="content")
    _explain(choice, walk, rows)


@st.cache_data
def _iris_by_default() -> tuple[float, int]:
    """Return negative log-likelihood and errors of EM on Iris, begun where k-means ends."""
    flowers = iris()
    centres = initial_centres(flowers.points, 3, "k-means++", 0)
    end = run(flowers.points, centres, em_after_k_means=True).soft[-1]
    found = end.responsibilities.argmax(1)
    return -end.log_likelihood, misassigned(found, flowers.labels)


def _labels(walk: Walk, step: int) -> tuple:
    hard, soft = walk.steps.at(step)
    return hard.labels, responsibilities_of(soft).argmax(1)


def _explain(choice: Choice, walk: Walk, rows: list[dict]) -> None:
    hard, soft = (row["wrong at the end"] for row in rows)
    likelihood = walk.log_likelihoods[-1]
    sentence = (
        f"At the end k-means has **{hard}** of {rows[0]['of']} points in a wrong cluster, EM"
        f" **{soft}**, under the matching of clusters with true groups that is best for each."
    )
    if choice.data.name == "Iris":
        sentence += (
            f" EM's negative log-likelihood is {-likelihood:.2f}. With three full covariances on"
            " the four plain columns, from where k-means ends (*More*), it is"
            f" {_iris_by_default()[0]:.2f} with {_iris_by_default()[1]} errors; from the same centres"
            " as k-means EM often stops at a worse optimum."
        )
    elif choice.data.name.startswith("95") and len(choice.centres) == 2:
        sentence += _on_unequal_groups(hard, rows[0]["of"])
    st.markdown(sentence)


def _on_unequal_groups(errors: int, n: int) -> str:
    """Say why k-means cuts the large group, or that it has not done so this time."""
    if errors > n / 20:  # more than a few at the border
        return (
            " k-means minimises squared distances, and here it has saved more of them by cutting"
            " the large group than by leaving a few far points alone; how badly depends on the"
            " sample and the start: try another start, or 500 points instead of 100."
        )
    return (
        " This time k-means has not cut the large group. It may from another start or on another"
        " sample: draw fifty starts below."
    )
