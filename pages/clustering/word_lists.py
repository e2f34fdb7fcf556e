"""The words of each cluster, where words are clustered."""

import streamlit as st

from pages.clustering.choices import Choice
from pages.clustering.walk import Walk
from pages.shared.clustering.panels import responsibilities_of
from pages.shared.word_links import link_to_map

_SHOWN = 14


def words_of_clusters(choice: Choice, walk: Walk, step: int) -> None:
    """List the most frequent words of each cluster, by both methods."""
    words = choice.data.rows
    if words is None:
        return
    hard, soft = walk.steps.at(step)
    found = {"k-means": hard.labels, "EM": responsibilities_of(soft).argmax(1)}
    for column, (method, labels) in zip(st.columns(2), found.items(), strict=True):
        lines = [f"**{method}**, the most frequent words of each cluster"]
        for cluster in range(len(choice.centres)):
            own = [w for w, label in zip(words, labels.tolist(), strict=True) if label == cluster]
            more = f" … and {len(own) - _SHOWN} more" if len(own) > _SHOWN else ""
            lines.append(f"{cluster + 1} ({len(own)}): {', '.join(own[:_SHOWN])}{more}")
        column.markdown("\n\n".join(lines))
    link_to_map(words[0], choice.data.vectors, len(choice.centres))
