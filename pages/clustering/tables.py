"""The points and both methods' centres as tables and files, and the words of each cluster."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages.clustering.editing import MOST_IN_LINK
from pages.clustering.runs import Moment
from pages.clustering.settings import Settings
from pages.shared.clustering.data import OWN
from pages.shared.clustering.panels import METHODS, responsibilities_of
from pages.shared.components.attention import data_popover
from pages.shared.csv_files import safe_csv
from pages.shared.word_links import link_to_map

_MOST_WORDS = 14  # of each cluster


def plain_points(settings: Settings) -> pd.DataFrame:
    """Return the points with their true groups, as *your own table* reads them back."""
    data = settings.data
    table: dict[str, Any] = {name: data.points[:, i].numpy() for i, name in enumerate(data.columns)}
    if data.labels is not None:
        groups = [data.groups[label] for label in data.labels.tolist()]
        table["true group"] = groups + [""] * (len(data.points) - len(groups))
    return pd.DataFrame(table)


def data_tables(now: Moment) -> None:
    """Fold away what the picture shows as a table, with its exports as CSV."""
    data_popover(
        partial(_labelled_points, now),
        key="clusters_points",
        name=f"points-{now.settings.data.name.replace(' ', '-')}",
        more={"centres": lambda: safe_csv(_centres(now))},
    )


def _labelled_points(now: Moment) -> pd.DataFrame:
    data, shares = now.settings.data, responsibilities_of(now.soft).numpy()
    table: dict[str, Any] = {"point": range(1, len(shares) + 1)}
    if data.rows:
        table["name"] = list(data.rows)
    table |= dict(plain_points(now.settings).items())
    table["k-means"] = now.hard.labels.numpy() + 1
    table |= {f"EM {k + 1}": shares[:, k].round(4) for k in range(shares.shape[1])}
    return pd.DataFrame(table)


def _centres(now: Moment) -> pd.DataFrame:
    counts = now.hard.labels.bincount(minlength=len(now.hard.centres)), now.soft.statistics.counts
    return pd.DataFrame(
        {"method": method, "cluster": k, "points": round(size, 2)}
        | dict(zip(now.settings.data.columns, centre, strict=True))
        for method, centres, sizes in zip(METHODS, now.centres, counts, strict=True)
        for k, (centre, size) in enumerate(zip(centres.tolist(), sizes.tolist(), strict=True), 1)
    )


def download_edited_points(settings: Settings) -> None:
    """Say where the link does not carry the edited points, and offer them as a file."""
    changed, is_own = len(settings.edits), settings.data.name == OWN
    if not changed or (changed <= MOST_IN_LINK and not is_own):
        return
    points = "1 point is" if changed == 1 else f"{changed} points are"
    none_of_these = f"up to {MOST_IN_LINK} edits, so none of these"
    carried = "neither your table nor its edits" if is_own else none_of_these
    with st.container(horizontal=True, vertical_alignment="center", key="clusters_keep"):
        st.caption(
            f"{points} edited. The link carries {carried}. Download all points as a file:"
            f" *{OWN}* reads it back.",
            width="stretch",
        )
        st.download_button(
            "Points as CSV", lambda: safe_csv(plain_points(settings)), file_name="points.csv",
            mime="text/csv", on_click="ignore", key="clusters_points_file",
        )  # fmt: skip


def words_of_clusters(now: Moment) -> None:
    """List the most frequent words of each cluster, by both methods, where words are clustered."""
    data, clusters = now.settings.data, len(now.settings.centres)
    if data.rows is None:
        return
    for column, method, labels in zip(st.columns(2), METHODS, now.labels, strict=True):
        lines = [f"**{method}**, the most frequent words of each cluster"]
        for cluster in range(clusters):
            own = [w for w, k in zip(data.rows, labels.tolist(), strict=True) if k == cluster]
            more = f" … and {len(own) - _MOST_WORDS} more" if len(own) > _MOST_WORDS else ""
            lines.append(f"{cluster + 1} ({len(own)}): {', '.join(own[:_MOST_WORDS])}{more}")
        column.markdown("\n\n".join(lines))
    link_to_map(data.rows[0], data.vectors, clusters)
