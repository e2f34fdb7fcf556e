"""The picture as tables: points with both methods' answers, and the centres."""

from functools import partial

import pandas as pd
import streamlit as st

from pages.clustering.choices import Choice
from pages.clustering.hands import MOST_IN_LINK
from pages.clustering.walk import Walk
from pages.shared.clustering.data import OWN
from pages.shared.clustering.panels import responsibilities_of
from pages.shared.components.attention import data_popover


def labelled_points(choice: Choice, walk: Walk, step: int) -> pd.DataFrame:
    """Return the points with both methods' answers, a row for each."""
    data, (hard, soft) = choice.data, walk.steps.at(step)
    shares, places = responsibilities_of(soft).numpy(), plain_points(choice)
    table: dict[str, object] = {"point": range(1, len(shares) + 1)}
    if data.rows:
        table["name"] = list(data.rows)
    table |= dict(places.items())
    table["k-means"] = hard.labels.numpy() + 1
    table |= {f"EM {k + 1}": shares[:, k].round(4) for k in range(shares.shape[1])}
    return pd.DataFrame(table)


def plain_points(choice: Choice) -> pd.DataFrame:
    """Return the points with their true groups, as *your own table* reads them back."""
    data = choice.data
    table = {name: data.points[:, i].numpy() for i, name in enumerate(data.columns)}
    if data.labels is not None:
        groups = [data.groups[label] for label in data.labels.tolist()]
        table["true group"] = groups + [""] * (len(data.points) - len(groups))
    return pd.DataFrame(table)


def centres_table(choice: Choice, walk: Walk, step: int) -> pd.DataFrame:
    """Return both methods' centres, and EM's covariances as drawn, a row for each."""
    hard, soft = walk.steps.at(step)
    counts = hard.labels.bincount(minlength=len(hard.centres)).tolist()
    rows = []
    for method, centres, sizes in (
        ("k-means", hard.centres, counts),
        ("EM", soft.mixture.means, soft.statistics.counts.tolist()),
    ):
        for k, (centre, size) in enumerate(zip(centres.tolist(), sizes, strict=True)):
            place = dict(zip(choice.data.columns, centre, strict=True))
            rows.append({"method": method, "cluster": k + 1, "points": round(size, 2), **place})
    return pd.DataFrame(rows)


def tables(choice: Choice, walk: Walk, step: int) -> None:
    """Fold away what the picture shows as a table, with its exports as CSV."""
    name = f"points-{choice.data.name.replace(' ', '-')}"
    data_popover(
        partial(labelled_points, choice, walk, step),
        key="clusters_points",
        name=name,
        more={"centres": lambda: centres_table(choice, walk, step).to_csv(index=False)},
    )


def keep_points(choice: Choice) -> None:
    """Say where the link does not carry the points changed by hand, and offer them as a file."""
    changed = len(choice.edits)
    if not changed or (changed <= MOST_IN_LINK and choice.data.name != OWN):
        return
    points = "1 point is" if changed == 1 else f"{changed} points are"
    carried = f"up to {MOST_IN_LINK} changes, so none of these"
    if choice.data.name == OWN:
        carried = "neither your table nor its changes"
    with st.container(horizontal=True, vertical_alignment="center", key="clusters_keep"):
        st.caption(
            f"{points} changed by hand; the link carries {carried}. Keep all points as a file:"
            f" under *Points*, *{OWN}* reads it back.",
            width="stretch",
        )
        st.download_button(
            "Points as CSV",
            lambda: plain_points(choice).to_csv(index=False),
            file_name="points.csv",
            mime="text/csv",
            on_click="ignore",
            key="clusters_points_file",
        )
