"""A flat picture of words, whatever the projection, and the true neighbours that it preserves."""

from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np
import pandas as pd
import streamlit as st
from torch import Tensor

from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from pages.embeddings.nearest import neighbours_of
from pages.embeddings.shown_words import THEMES, Shown
from pages.embeddings.word_choice import Choice, follow_click
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.word_maps import map_frame, word_map
from pages.shared.charts.word_vectors import picked_word
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.figures import show_chart

K = 10
"""k of neighbourhood preservation: true neighbours that are looked for in the map."""

_LAPTOP_TEXT = 13


class MapView(NamedTuple):
    """What is to be drawn, whatever the projection."""

    choice: Choice
    table: str
    shown: Shown
    unit: Tensor  # shape (n, D): the shown words' vectors at length 1
    is_revealed: bool  # whether the true neighbours may be drawn

    @property
    def words(self) -> list[str]:
        """The shown words."""
        return [self.choice.vocabulary.words[i] for i in self.shown.ids]


class Picture(NamedTuple):
    """Where the words lie, (n, 2) or (n, 3), what the axes are called, and what is to be said."""

    points: Tensor
    titles: tuple[str, str]
    note: str  # below the picture
    finding: str = ""  # above it; empty where the words alone say it


class Truth(NamedTuple):
    """Which of the chosen word's neighbours are near in the picture, and of all words how many."""

    near: list[int]  # places among the shown words
    far: list[int]  # places among the shown words
    mean: float  # True neighbours of a word that are near, over all shown words
    finding: str


def true_neighbours(view: MapView, points: Tensor) -> Truth:
    """Return which true neighbours a picture preserves."""
    found = neighbourhood_preservation(view.unit, points.to(view.unit.dtype), K)
    true, kept = found.true[view.shown.place], found.preserved[view.shown.place]
    are_all_shown = {n.id for n in neighbours_of(view.choice, view.table)} <= set(view.shown.ids)
    whose = view.choice.name if are_all_shown else f"{view.choice.name} among these words"
    finding = (
        f"Of the {K} true neighbours of {whose}, {int(kept.sum())}"
        f" {'is' if int(kept.sum()) == 1 else 'are'} near it here"
    )
    return Truth(true[kept].tolist(), true[~kept].tolist(), found.share * K, finding)


class Drawn(NamedTuple):
    """All that a flat map shows, as a key: for a class that looks at the same one it is drawn once."""

    words: tuple[str, ...]
    chosen: int
    points: tuple[tuple[float, ...], ...]
    titles: tuple[str, str]
    groups: tuple[str, ...]
    legend: tuple[str, ...]
    near: tuple[int, ...]
    far: tuple[int, ...]

    @classmethod
    def of(cls, view: MapView, picture: Picture, truth: Truth | None) -> Self:
        """Return what a view shows, with the truth about the neighbours if it may be told."""
        return cls(
            tuple(view.words),
            view.shown.place,
            tuple(map(tuple, picture.points.tolist())),
            picture.titles,
            view.shown.groups,
            view.shown.legend,
            tuple(truth.near) if truth else (),
            tuple(truth.far) if truth else (),
        )

    @property
    def frame(self) -> pd.DataFrame:
        """One row per word."""
        points = np.array(self.points)
        return map_frame(
            self.words, points, self.groups, chosen=self.chosen, near=self.near, far=self.far
        )


@lru_cache(maxsize=128)
def _drawing(drawn: Drawn, text_growth: float) -> Drawing:
    """Return the map; finding room for its names takes as long as all else on the page."""
    return word_map(
        drawn.frame, titles=drawn.titles, groups=drawn.legend, height=380, text_growth=text_growth
    )


def explain(view: MapView, picture: Picture) -> None:
    """Say below a picture what it shows."""
    parts, n = [picture.note], len(view.words)
    truth = true_neighbours(view, picture.points) if view.is_revealed else None
    if truth is not None:
        far = ", ".join(view.words[i] for i in truth.far)
        parts.append(
            "*Neighbourhood preservation*, the share of true neighbours that stay near in a"
            f" picture, is **{truth.mean:.1f} of {K}** over all {n} words. Random places would"
            f" preserve {K * K / (n - 1):.1f}, so what is above that comes from the vectors. Lines"
            f" lead from {view.choice.name} to its true neighbours among these words, by cosine in"
            f" all {view.unit.shape[1]} numbers. They are solid to neighbours that"
            " are near in the picture" + (f", and dashed to {far}." if far else ".")
        )
    st.markdown("  \n".join(parts))


def title_of(view: MapView, picture: Picture, truth: Truth | None) -> str:
    """Return what the picture shows in one line."""
    if picture.finding:
        return picture.finding
    if truth is not None:
        return truth.finding
    among = f"{len(view.words)} words ({view.table} embedding)"
    if view.shown.legend == tuple(THEMES):
        return f"Words of one theme lie together: {among}, placed by their vectors alone"
    return f"{view.choice.name} among {among}"


def draw_map(view: MapView, picture: Picture) -> None:
    """Draw a flat picture; a click on a word chooses it."""
    truth = true_neighbours(view, picture.points) if view.is_revealed else None
    title, drawn = title_of(view, picture, truth), Drawn.of(view, picture, truth)
    st.markdown(f"**{title}**")
    chosen = show_chart(
        _drawing(drawn, chart_style().text_size / _LAPTOP_TEXT),
        lambda: drawn.frame,
        key="map",
        alt=f"{title}. {len(view.words)} words as points. {picture.note}",
        name=f"map-{view.choice.name}",
        selectable=True,
    )
    follow_click("map", picked_word(chosen), "word")
