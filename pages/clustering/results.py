"""Both methods' runs, computed once and kept, and their tables."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from torch import Tensor

from lm_core.clustering import side_by_side
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.k_means import Phase
from lm_core.clustering.metrics import is_misassigned, misassigned
from lm_core.clustering.side_by_side import SideBySide
from pages.clustering.editing import MOST_IN_LINK
from pages.clustering.settings import Settings
from pages.shared.clustering.data import OWN
from pages.shared.clustering.panels import METHODS, responsibilities_of
from pages.shared.components.attention import data_popover
from pages.shared.csv_files import safe_csv
from pages.shared.word_links import link_to_map

_SHOWN = 14
"""Words of each cluster."""


class Runs(NamedTuple):
    """Both methods from the same start to their ends, with what every step achieved.

    Attributes
    ----------
    steps : SideBySide
    inertias, log_likelihoods, lower_bounds : lists of float
        One for each step of the method.
    """

    steps: SideBySide
    inertias: list[float]
    log_likelihoods: list[float]
    lower_bounds: list[float]


def run_both(settings: Settings) -> Runs:
    """Run both methods, or answer from memory.

    Raises
    ------
    LMCoreError
        If the points cannot be clustered.
    """
    centres = tuple(settings.centres.flatten().tolist())
    key = (settings.data.fingerprint, centres, settings.kind, settings.em_after_k_means)
    return _runs(key, settings.data.points, settings.centres)


@st.cache_resource(max_entries=48)
def _runs(
    key: tuple[str, tuple[float, ...], CovarianceKind, bool], _points: Tensor, _centres: Tensor
) -> Runs:
    _, _, kind, em_after_k_means = key
    steps = side_by_side.run(_points, _centres, kind, em_after_k_means=em_after_k_means)
    return Runs(
        steps,
        side_by_side.inertias(steps.hard),
        side_by_side.log_likelihoods(steps.soft),
        side_by_side.lower_bounds(steps.soft),
    )


def errors_of(found: Tensor, true: Tensor | None) -> int | None:
    """Return how many of the points with a true group lie in a wrong cluster; None without any."""
    return None if true is None else misassigned(found[: len(true)], true)


def wrong_points(found: Tensor, true: Tensor) -> np.ndarray:
    """Return for each point whether its cluster is matched with another group; added ones have none."""
    wrong = np.zeros(len(found), bool)
    wrong[: len(true)] = is_misassigned(found[: len(true)], true).numpy()
    return wrong


def assigned_by(runs: Runs, step: int) -> Tensor:
    """Return the centres that k-means' labels come from: after an update, those before it."""
    at = min(step, len(runs.steps.hard) - 1)
    now = runs.steps.hard[at]
    return now.centres if now.phase is Phase.ASSIGNMENT else runs.steps.hard[at - 1].centres


def places_of(runs: Runs, step: int) -> tuple[list[Tensor], list[Tensor]]:
    """Return the centres of k-means and the means of EM, each (K, D), from the start to this step."""
    hard, soft = (
        [places[0], *places[1 : step + 1 : 2]]
        for places in (
            [s.centres for s in runs.steps.hard],
            [s.mixture.means for s in runs.steps.soft],
        )
    )
    return hard, soft


def labelled_points(settings: Settings, runs: Runs, step: int) -> pd.DataFrame:
    """Return the points with both methods' answers, a row for each."""
    data, (hard, soft) = settings.data, runs.steps.at(step)
    shares, places = responsibilities_of(soft).numpy(), plain_points(settings)
    table: dict[str, object] = {"point": range(1, len(shares) + 1)}
    if data.rows:
        table["name"] = list(data.rows)
    table |= dict(places.items())
    table["k-means"] = hard.labels.numpy() + 1
    table |= {f"EM {k + 1}": shares[:, k].round(4) for k in range(shares.shape[1])}
    return pd.DataFrame(table)


def plain_points(settings: Settings) -> pd.DataFrame:
    """Return the points with their true groups, as *your own table* reads them back."""
    data = settings.data
    table: dict[str, Any] = {name: data.points[:, i].numpy() for i, name in enumerate(data.columns)}
    if data.labels is not None:
        groups = [data.groups[label] for label in data.labels.tolist()]
        table["true group"] = groups + [""] * (len(data.points) - len(groups))
    return pd.DataFrame(table)


def centres_table(settings: Settings, runs: Runs, step: int) -> pd.DataFrame:
    """Return both methods' centres, and EM's covariances as drawn, a row for each."""
    hard, soft = runs.steps.at(step)
    counts = hard.labels.bincount(minlength=len(hard.centres)).tolist()
    rows = []
    for method, centres, sizes in (
        ("k-means", hard.centres, counts),
        ("EM", soft.mixture.means, soft.statistics.counts.tolist()),
    ):
        for k, (centre, size) in enumerate(zip(centres.tolist(), sizes, strict=True)):
            place = dict(zip(settings.data.columns, centre, strict=True))
            rows.append({"method": method, "cluster": k + 1, "points": round(size, 2), **place})
    return pd.DataFrame(rows)


def data_tables(settings: Settings, runs: Runs, step: int) -> None:
    """Fold away what the picture shows as a table, with its exports as CSV."""
    name = f"points-{settings.data.name.replace(' ', '-')}"
    data_popover(
        partial(labelled_points, settings, runs, step),
        key="clusters_points",
        name=name,
        more={"centres": lambda: safe_csv(centres_table(settings, runs, step))},
    )


def download_edited_points(settings: Settings) -> None:
    """Say where the link does not carry the edited points, and offer them as a file."""
    changed = len(settings.edits)
    if not changed or (changed <= MOST_IN_LINK and settings.data.name != OWN):
        return
    points = "1 point is" if changed == 1 else f"{changed} points are"
    carried = f"up to {MOST_IN_LINK} edits, so none of these"
    if settings.data.name == OWN:
        carried = "neither your table nor its edits"
    with st.container(horizontal=True, vertical_alignment="center", key="clusters_keep"):
        st.caption(
            f"{points} edited. The link carries {carried}. Download all points as a file:"
            f" *{OWN}* reads it back.",
            width="stretch",
        )
        st.download_button(
            "Points as CSV",
            lambda: safe_csv(plain_points(settings)),
            file_name="points.csv",
            mime="text/csv",
            on_click="ignore",
            key="clusters_points_file",
        )


def words_of_clusters(settings: Settings, runs: Runs, step: int) -> None:
    """List the most frequent words of each cluster, by both methods, where words are clustered."""
    words = settings.data.rows
    if words is None:
        return
    hard, soft = runs.steps.at(step)
    found = dict(zip(METHODS, (hard.labels, responsibilities_of(soft).argmax(1)), strict=True))
    for column, (method, labels) in zip(st.columns(2), found.items(), strict=True):
        lines = [f"**{method}**, the most frequent words of each cluster"]
        for cluster in range(len(settings.centres)):
            own = [w for w, label in zip(words, labels.tolist(), strict=True) if label == cluster]
            more = f" … and {len(own) - _SHOWN} more" if len(own) > _SHOWN else ""
            lines.append(f"{cluster + 1} ({len(own)}): {', '.join(own[:_SHOWN])}{more}")
        column.markdown("\n\n".join(lines))
    link_to_map(words[0], settings.data.vectors, len(settings.centres))
