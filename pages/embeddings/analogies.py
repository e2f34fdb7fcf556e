"""Analogies: the difference of two words added to a third."""

import pandas as pd
import streamlit as st
import torch

from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.word_space import Neighbour
from pages.embeddings.typed_words import read_or_say
from pages.embeddings.vectors import MOST_TYPED
from pages.embeddings.word_choice import Choice, choose_table
from pages.shared import page
from pages.shared.charts import word_vectors
from pages.shared.charts.palette import BLUE
from pages.shared.numbers import percent
from pages.shared.ui.first_screen import FirstScreen, first_screen

_N = 8
_KNOWN = (
    ("king", "man", "woman", "queen"),
    ("brother", "boy", "girl", "sister"),
    ("he", "his", "her", "she"),
    ("walked", "walk", "talk", "talked"),
    ("better", "good", "bad", "worse"),
    ("france", "paris", "london", "england"),
    ("moscow", "russia", "france", "paris"),
    ("prince", "man", "woman", "princess"),
)
"""a - b + c, and the word that people expect; written down before any was tried."""


@page.fragment
def analogies(choice: Choice) -> None:
    """Draw a - b + c as arrows, list the nearest words, and count the known ones that come out."""
    screen = first_screen(picture=1.35, beside=1.0)
    with screen.controls:
        a, b, c = (
            page.control(st.text_input, name, label, start, max_chars=MOST_TYPED, width=130)
            for name, label, start in (
                ("a", "a", "king"),
                ("b", "− b", "man"),
                ("c", "+ c", "woman"),
            )
        )
        st.menu_button("Examples", list(map(_title, _KNOWN)), key="examples", on_click=_take)
        table = choose_table(choice.meta)
    read = [
        read_or_say(typed, choice.meta, choice.vocabulary, name=name)
        for name, typed in (("a", a), ("b", b), ("c", c))
    ]
    ids = [found.known[0] for found in read if found and found.known]
    if len(ids) == 3:
        _answer(choice, table, (ids[0], ids[1], ids[2]), screen)
    _scorecard(choice, table)


def _title(known: tuple[str, ...]) -> str:
    return f"{known[0]} − {known[1]} + {known[2]}"


def _take(title: str) -> None:
    a, b, c, _ = next(known for known in _KNOWN if _title(known) == title)
    st.session_state["a"], st.session_state["b"], st.session_state["c"] = a, b, c


def _answer(choice: Choice, table: str, ids: tuple[int, int, int], screen: FirstScreen) -> None:
    found = choice.space(table).analogy(*ids, _N, among=choice.among)
    words = [choice.vocabulary.words[i] for i in (*ids, found[0].id)]
    with screen.picture:
        _arrows(choice, table, (*ids, found[0].id), words)
    with screen.beside:
        _answers(choice, found, words)
    a, b, c, d = words
    st.markdown(
        f"The step from **{b}** to **{a}** is added to **{c}**. The nearest word to that place is"
        f" **{d}**, cosine {found[0].cosine:.3f}. {a}, {b} and {c} themselves are left out, as"
        f" usual, because one of them is often the nearest; {_without_the_rule(choice, table, ids)}"
    )


def _arrows(choice: Choice, table: str, ids: tuple[int, ...], words: list[str]) -> None:
    unit = choice.space(table).unit(ids)
    place = unit[0] - unit[1] + unit[2]
    picture = principal_components(unit, 2)
    points = torch.cat([picture.points, picture.place(place[None])]).numpy()
    names = [*words, "a − b + c"]
    frame = word_vectors.analogy_frame(names, points, [(1, 0), (2, 4)])
    share = float(picture.shares.sum())
    finding = f"{words[0]} − {words[1]} + {words[2]} is nearest to {words[3]}"
    st.markdown(f"**{finding}**")
    page.show_chart(
        word_vectors.analogy_plane(frame),
        frame,
        key="analogy",
        alt=f"{finding}: the step from {words[1]} to {words[0]}, and the same step from {words[2]}.",
    )
    st.caption(
        f"The first two principal components of the four words hold {percent(share)} of their"
        " variance; the picture does not show the rest, so words may be farther apart than they"
        " look."
    )


def _answers(choice: Choice, found: list[Neighbour], words: list[str]) -> None:
    names = [choice.vocabulary.words[each.id] for each in found]
    frame = word_vectors.neighbour_frame(
        names,
        [each.cosine for each in found],
        [choice.vocabulary.counts[each.id] for each in found],
    )
    st.markdown("**The nearest words, right or wrong**")
    page.show_chart(
        word_vectors.neighbour_bars(frame, BLUE, height=300),
        key="answers",
        alt=f"Nearest to {words[0]} − {words[1]} + {words[2]}: {', '.join(names)}.",
        name="analogy-answers",
    )


def _without_the_rule(choice: Choice, table: str, ids: tuple[int, int, int]) -> str:
    space = choice.space(table)
    a, b, c = space.unit(ids)
    nearest = space.nearest(a - b + c, 1, among=choice.among)[0]
    return f"otherwise the answer would be **{choice.vocabulary.words[nearest.id]}**."


def _scorecard(choice: Choice, table: str) -> None:
    """List the known analogies with what comes out of them, also where it is wrong."""
    with st.expander("How often does it work?"):
        rows = [row for known in _KNOWN if (row := _row(choice, table, known))]
        right = sum(row["place"] == "1" for row in rows)
        st.markdown(
            f"{len(_KNOWN)} analogies were written down before any was tried, so that none was"
            f" chosen because it works. This vocabulary has all words of {len(rows)}. For"
            f" **{right}** of them the expected word comes first among {choice.searched:,} words"
            f" ({table} embedding)."
        )
        st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")


def _row(choice: Choice, table: str, known: tuple[str, ...]) -> dict[str, str] | None:
    ids = choice.vocabulary.ids
    if any(word not in ids for word in known):
        return None
    a, b, c, expected = (ids[word] for word in known)
    found = choice.space(table).analogy(a, b, c, 10, among=choice.among)
    places = [each.id for each in found]
    return {
        "a − b + c": _title(known),
        "expected": known[3],
        "nearest": choice.vocabulary.words[places[0]],
        "place": str(places.index(expected) + 1) if expected in places else "beyond 10",
    }
