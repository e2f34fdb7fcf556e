"""The map: many numbers a word on a sheet of paper, and what that costs."""

import streamlit as st
import torch

from lm_core.analysis.principal_components import principal_components
from pages.embeddings.choices import Choice, choose_table
from pages.embeddings.map_picture import K, MapView, Picture, draw_map, draw_space
from pages.embeddings.own_axes import on_own_axes
from pages.embeddings.shown_words import choose_shown
from pages.embeddings.t_sne_walk import choose_walk, draw_walk
from pages.shared.ui.controls import control
from pages.shared.ui.lesson import predict_then_reveal

_KINDS = ("PCA", "t-SNE", "3-D", "Axes")


@st.fragment
def atlas(choice: Choice) -> None:
    """Draw the map of the kind that is chosen, and say how honest it is."""
    left, right = st.columns([1.15, 3], gap="medium")
    with left:
        kind = control(
            st.segmented_control,
            "projection",
            "Projection",
            _KINDS,
            default=_KINDS[0],
            required=True,
        )
        more = st.container(key="pairs_map")
        with more:
            table = choose_table()
            shown = choose_shown(choice, table)
        unit = choice.space(table).unit(shown.ids)
    with right:
        place = st.container()
        view = MapView(choice, table, shown, unit, is_told=_is_told(unit))
    if kind == "t-SNE":
        with more:
            walk = choose_walk(view)
        with place:
            draw_walk(view, walk)
    elif kind == "Axes":
        with more:
            picture = on_own_axes(view)
        with place:
            draw_map(view, picture)
    elif kind == "3-D":
        with place:
            draw_space(view, _components(unit, 3))
    else:
        with place:
            draw_map(view, _components(unit, 2))


def _components(unit: torch.Tensor, k: int) -> Picture:
    found = principal_components(unit, k)
    shares = [f"{share:.1%}" for share in found.shares.tolist()]
    return Picture(
        found.points,
        ("first component", "second component"),
        f"The {k} directions in which these words differ most hold {float(found.shares.sum()):.1%}"
        f" of their variance ({' + '.join(shares)}); the rest is not in the picture.",
    )


def _is_told(unit: torch.Tensor) -> bool:
    """Ask how honest a map can be before its truth is drawn; return whether it may be."""
    return predict_then_reveal(
        "honesty",
        f"A map has room for 2 of a vector's {unit.shape[1]} numbers. Of a word's {K} true"
        f" neighbours, how many are among its {K} nearest in the PCA map, on average?",
        (f"All {K}, or nearly", "About half", f"Fewer than {K // 2}"),
    ).revealed
