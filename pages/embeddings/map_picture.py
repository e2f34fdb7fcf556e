"""One map, flat or in space, with the truth about the chosen word's neighbours."""

from typing import NamedTuple

import pandas as pd
import streamlit as st
from torch import Tensor

from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from pages.embeddings.choices import Choice, follow_click
from pages.embeddings.neighbours import neighbours_of
from pages.embeddings.shown_words import Shown
from pages.shared import charts
from pages.shared.charts.palette import GREY, GROUPS
from pages.shared.components.word_space import Angle, LegendEntry, word_space_view
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

K = 10
"""Neighbours of which it is told whether the map keeps them."""


class MapView(NamedTuple):
    """What is to be drawn, whatever the projection.

    Attributes
    ----------
    choice : Choice
    table : str
    shown : Shown
    unit : Tensor of shape (n, D)
        The shown words' vectors at length 1.
    is_told : bool
        Whether the true neighbours may be drawn.
    """

    choice: Choice
    table: str
    shown: Shown
    unit: Tensor
    is_told: bool

    @property
    def words(self) -> list[str]:
        """The shown words; the chosen one comes first."""
        return [self.choice.vocabulary.words[i] for i in self.shown.ids]


class Picture(NamedTuple):
    """Where the words lie, (n, 2) or (n, 3), what the axes are called, and what is to be said."""

    points: Tensor
    titles: tuple[str, str]
    note: str


class Truth(NamedTuple):
    """What became of the chosen word's neighbours, as places in the picture and in a sentence."""

    near: list[int]
    far: list[int]
    finding: str
    mean: str


def _truth(view: MapView, points: Tensor) -> Truth:
    n = len(view.shown.ids)
    found = neighbourhood_preservation(view.unit, points.to(view.unit.dtype), K)
    true, kept = found.true[0], found.preserved[0]
    are_all_shown = {n.id for n in neighbours_of(view.choice, view.table)} <= set(view.shown.ids)
    whose = view.choice.name if are_all_shown else f"{view.choice.name} among these words"
    finding = (
        f"Of the {K} true neighbours of {whose}, {int(kept.sum())}"
        f" {'is' if int(kept.sum()) == 1 else 'are'} near it here"
    )
    mean = (
        f"Over all {n} words the picture keeps **{found.share * K:.1f} of {K}** true neighbours;"
        f" words thrown on the paper blindly would keep {K * K / (n - 1):.1f}."
    )
    return Truth(true[kept].tolist(), true[~kept].tolist(), finding, mean)


def _frame(view: MapView, picture: Picture) -> tuple[pd.DataFrame, Truth | None]:
    truth = _truth(view, picture.points) if view.is_told else None
    frame = charts.map_frame(
        view.words,
        picture.points.numpy(),
        view.shown.groups,
        chosen=0,
        near=truth.near if truth else (),
        far=truth.far if truth else (),
    )
    return frame, truth


def _say(view: MapView, picture: Picture, truth: Truth | None) -> None:
    parts = [picture.note]
    if truth is not None:
        far = ", ".join(view.words[i] for i in truth.far)
        parts.append(
            f"{truth.mean} Lines lead from {view.choice.name} to its true neighbours among these"
            f" words, by cosine in all {view.unit.shape[1]} numbers: whole to those that are also"
            f" near in the picture" + (f", dashed to {far}." if far else ".")
        )
    st.markdown("  \n".join(parts))


def draw_map(view: MapView, picture: Picture | None) -> None:
    """Draw a flat picture; a click on a word chooses it."""
    if picture is None:
        return
    frame, truth = _frame(view, picture)
    n = len(frame)
    title = truth.finding if truth else f"{view.choice.name} among {n} words ({view.table})"
    st.markdown(f"**{title}**")
    chosen = show_chart(
        charts.word_map(frame, titles=picture.titles, groups=view.shown.legend),
        frame,
        key="map",
        alt=f"{title}. {n} words as points. {picture.note}",
        name=f"map-{view.choice.name}",
        selectable=True,
    )
    follow_click("map", charts.picked_word(chosen), "word")
    _say(view, picture, truth)


def _choose_angle() -> Angle:
    """Draw the two controls that turn a space; dragging the space moves them, too."""
    left, right = st.columns(2, gap="medium")
    with left:
        turn = control(st.slider, "turn", "Turned by", -180, 180, 30, format="%d°")
    with right:
        tilt = control(st.slider, "tilt", "Tilted by", -90, 90, 15, format="%d°")
    return Angle(turn, tilt)


def _keep(angle: Angle) -> None:
    st.session_state.update(angle._asdict())


def draw_space(view: MapView, picture: Picture) -> None:
    """Draw a picture of three dimensions, to be turned."""
    frame, truth = _frame(view, picture)
    title = (
        truth.finding if truth else f"{view.choice.name} among {len(frame)} words ({view.table})"
    )
    st.markdown(f"**{title}**")
    place = st.container()
    angle = _choose_angle()
    with place:
        _space(view, picture, frame["role"].tolist(), angle, title)
    with st.expander("The places as a table"):
        st.dataframe(frame.assign(z=picture.points[:, 2].numpy()), hide_index=True, height=320)
    _say(view, picture, truth)


def _space(view: MapView, picture: Picture, roles: list[str], angle: Angle, title: str) -> None:
    colour_of = dict(zip(view.shown.legend, GROUPS, strict=False))
    word_space_view(
        view.words,
        picture.points.numpy(),
        roles,
        [colour_of.get(group, GREY) for group in view.shown.groups],
        angle,
        key="space",
        legend=[*_marks(view), *(LegendEntry("other", *pair) for pair in colour_of.items())],
        label=f"{title}. {len(roles)} words in three dimensions.",
        name=f"space-{view.choice.name}",
        on_turned=_keep,
    )


def _marks(view: MapView) -> list[LegendEntry]:
    marks = [LegendEntry("chosen", view.choice.name)]
    if view.is_told:
        marks += [
            LegendEntry("near here", "true neighbour, near here"),
            LegendEntry("far here", "true neighbour, far here"),
        ]
    return marks
