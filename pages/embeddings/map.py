"""The map: which words are drawn, by which projection, and the chosen word's neighbours beside it."""

from functools import lru_cache, partial

import streamlit as st
import torch

from lm_core.analysis.principal_components import principal_components
from pages.embeddings.axes import on_own_axes
from pages.embeddings.map_view import K, MapView, Picture, draw_map, explain, true_neighbours
from pages.embeddings.nearest import neighbours_of
from pages.embeddings.shown_words import choose_shown
from pages.embeddings.space import draw_space
from pages.embeddings.t_sne import (
    STEP,
    Settings,
    choose_t_sne,
    draw_t_sne,
    is_asked_for,
    last_picture,
)
from pages.embeddings.word_choice import Choice, choose, choose_table, follow_click
from pages.shared import page
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE
from pages.shared.charts.word_vectors import neighbour_bars, neighbour_frame, picked_word
from pages.shared.numbers import percent
from pages.shared.ui.controls import asked_by_link

_KINDS = (T_SNE := "t-SNE", PCA := "PCA", SPACE := "3-D", AXES := "Axes")
_ANSWERS = {"9 or 10": 9, "5 to 8": 5, "Fewer than 5": 0}
"""How many of the true neighbours are near in the picture, and the least of each answer."""
_LISTED = 6
_ASKED_OF = "preservation_asked_of"


def _components(unit: torch.Tensor, k: int) -> Picture:
    found = principal_components(unit, k)
    shares = [percent(share, 1) for share in found.shares.tolist()]
    return Picture(
        found.points,
        ("first component", "second component"),
        f"The {k} directions in which these words differ most hold"
        f" {percent(float(found.shares.sum()), 1)} of their variance ({' + '.join(shares)}). The"
        " picture does not show the rest, so words that look near may differ there.",
    )


def word_map() -> Choice:
    """Draw the controls, the map of the kind that is chosen, and the chosen word's neighbours."""
    screen = page.first_screen(picture=2.7, beside=1.0)
    with screen.controls:
        kind = page.segments("projection", "Projection", _KINDS, _KINDS[0])
        choice, more = choose(has_words=True, compares=False)
    below = st.container()
    with more, st.container(key="pairs_map"):
        table = choose_table(choice.meta)
        shown = choose_shown(choice, table)
        view = MapView(choice, table, shown, choice.space(table).unit(shown.ids), False)
        settings = choose_t_sne(view) if kind == T_SNE else None
        has_steps = kind == T_SNE and page.switch("steps", "Show its steps", asked_by_link(STEP))
    with screen.picture if kind == T_SNE else below:
        picture = _picture(view, kind, settings)
    with screen.beside:
        if not page.is_presenting():  # the part *Neighbours* has them large
            _neighbours(choice, table)
        if picture is not None:
            view = view._replace(is_revealed=not _ask(view, picture, kind).masks)
    if picture is None:
        return choice
    with screen.picture:
        if settings is not None and has_steps:
            draw_t_sne(view, settings)
        elif kind == SPACE:
            draw_space(view, picture)
        else:
            draw_map(view, picture)
    if not has_steps:
        with below:
            explain(view, picture)
    return choice


def _picture(view: MapView, kind: str, settings: Settings | None) -> Picture | None:
    """Return where the words lie, at the end of t-SNE; None where the visitor must act first."""
    if settings is not None:
        return last_picture(view, settings) if is_asked_for(settings) else None
    if kind == AXES:
        return on_own_axes(view)
    return _components(view.unit, 3 if kind == SPACE else 2)


def _ask(view: MapView, picture: Picture, kind: str) -> page.Asked[int]:
    """Ask how many neighbours the picture preserves, and say it once the answer may be drawn."""
    asked = page.ask(
        None,
        "preservation",
        f"How many of a word's {K} true neighbours are among its {K} nearest in this picture, on"
        " average?",
        _ANSWERS,
    )
    if not asked.masks:
        asked_of = st.session_state.setdefault(_ASKED_OF, kind)
        truth = true_neighbours(view, picture.points)
        right = next(answer for answer, least in _ANSWERS.items() if round(truth.mean) >= least)
        guessed = asked if kind == asked_of else page.Asked[int]()  # a guess is about one picture
        guessed.judge(
            right=right,
            reason=f"**{truth.mean:.1f} of {K}**, because two words may agree in the few directions"
            f" that a picture shows and differ in the rest of their {view.unit.shape[1]} numbers."
            f" Lines lead to the true neighbours of {view.choice.name}, dashed where the picture"
            " puts them far away.",
        )
    return asked


def _neighbours(choice: Choice, table: str) -> None:
    """Draw the chosen word's nearest words, wherever they are in the vocabulary."""
    found = neighbours_of(choice, table)[:_LISTED]
    words = [choice.vocabulary.words[each.id] for each in found]
    counts = [choice.vocabulary.counts[each.id] for each in found]
    cosines = [each.cosine for each in found]
    finding = f"Nearest to {choice.name} of all: {words[0]}"
    st.markdown(f"**{finding}**")
    chosen = page.show_chart(
        _bars(tuple(words), tuple(cosines), tuple(counts)),
        partial(neighbour_frame, words, cosines, counts),
        key="map_neighbours",
        alt=f"{finding}, then {', '.join(words[1:])}.",
        name=f"neighbours-{choice.name}",
        selectable=True,
    )
    follow_click("map_neighbours", picked_word(chosen), "word")


@lru_cache(maxsize=256)
def _bars(words: tuple[str, ...], cosines: tuple[float, ...], counts: tuple[int, ...]) -> Drawing:
    """Return the bars of some neighbours, drawn once for all who choose the same word."""
    frame = neighbour_frame(words, cosines, counts)
    return neighbour_bars(frame, BLUE, height=190)
