"""The picture as tables: points with both methods' answers, and the centres."""

from functools import partial

import pandas as pd

from pages.clusters.lockstep.choices import Choice
from pages.clusters.lockstep.walk import Walk, shares_of
from pages.shared.attention_views import data_popover


def labelled_points(choice: Choice, walk: Walk, step: int) -> pd.DataFrame:
    """Return the points with both methods' answers, a row for each."""
    data, (hard, soft) = choice.data, walk.steps.at(step)
    shares = shares_of(soft).numpy()
    table: dict[str, object] = {"point": range(1, len(shares) + 1)}
    if data.rows:
        table["name"] = list(data.rows)
    table |= {name: data.points[:, i].numpy() for i, name in enumerate(data.columns)}
    if data.labels is not None:
        groups = [data.groups[label] for label in data.labels.tolist()]
        table["true group"] = groups + [""] * (len(shares) - len(groups))
    table["k-means"] = hard.labels.numpy() + 1
    table |= {f"EM {k + 1}": shares[:, k].round(4) for k in range(shares.shape[1])}
    return pd.DataFrame(table)


def centres_table(choice: Choice, walk: Walk, step: int) -> pd.DataFrame:
    """Return both methods' centres, and EM's covariances as drawn, a row for each."""
    hard, soft = walk.steps.at(step)
    counts = hard.labels.bincount(minlength=len(hard.centres)).tolist()
    rows = []
    for method, centres, sizes in (
        ("k-means", hard.centres, counts),
        ("EM", soft.mixture.means, soft.moments.counts.tolist()),
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
