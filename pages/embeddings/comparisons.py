"""A few words compared: all their pairs, the odd one out, and analogies."""

import pandas as pd
import streamlit as st
import torch

from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.word_space import Neighbour, odd_one_out
from pages.embeddings.vectors import MOST_TYPED, Choice, choose_table, read_or_say
from pages.shared.charts import word_vectors
from pages.shared.charts.palette import BLUE, PURPLE
from pages.shared.numbers import percent
from pages.shared.turns import fragment
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, first_screen
from pages.shared.ui.lesson import predict_then_reveal, show_verdict

MOST = 12
_LISTS = {
    "A family, and one more": "father mother brother sister son daughter snow",
    "Family and weather": "father mother brother sister rain snow wind storm",
    "Numbers, colours, animals": "two three four red blue green horse dog cat",
    "Ranks": "king queen prince princess emperor general colonel soldier",
    "A stranger at table": "bread cheese soup cake gun butter",
    "Verbs and their past": "walk walked talk talked run ran say said",
}


@fragment
def word_list(choice: Choice) -> None:
    """Draw all pairs of a list of words, then ask which of them is the odd one out."""
    screen = first_screen()
    with screen.controls:
        typed = control(
            st.text_area,
            "words",
            f"3 to {MOST} words",
            next(iter(_LISTS.values())),
            height=68,
            max_chars=MOST_TYPED,
        )
        st.menu_button("Lists", list(_LISTS), key="lists", on_click=_take_list)
        table = choose_table(choice.meta)
    found = read_or_say(typed, choice.meta, choice.vocabulary, name="words", fewest=3, most=MOST)
    with screen.picture:
        if found is None or len(found.known) < 3:
            st.info("Type at least three words that have a vector.")
            return
        _matrix(choice, found.known, table)
    with screen.beside:
        _odd(choice, found.known, table)


def _take_list(title: str) -> None:
    st.session_state["words"] = _LISTS[title]


def _matrix(choice: Choice, ids: tuple[int, ...], table: str) -> None:
    words = [choice.vocabulary.words[i] for i in ids]
    cosines = choice.space(table).matrix(ids)
    pairs = cosines.triu(1) - 2.0 * cosines.new_ones(cosines.shape).tril()
    best = divmod(int(pairs.argmax()), len(ids))
    finding = f"Most alike: {words[best[0]]} and {words[best[1]]}, cosine {float(pairs.max()):.3f} ({table} embedding)"
    st.markdown(f"**{finding}**")
    frame = word_vectors.similarity_frame(words, cosines.numpy())
    show_chart(
        word_vectors.similarity_matrix(frame, height=90 + 29 * len(words)),
        frame[["first", "second", "cosine"]],
        key="pairs",
        alt=f"{finding}. All pairs of {', '.join(words)}.",
        name="similarities",
    )


def _odd(choice: Choice, ids: tuple[int, ...], table: str) -> None:
    words = [choice.vocabulary.words[i] for i in ids]
    st.header("The odd one out", anchor=False)
    prediction = predict_then_reveal(
        "odd_" + "_".join(words), "Which of the words fits the others least?", words
    )
    if not prediction.revealed:
        return
    place, fits = odd_one_out(choice.space(table).unit(ids), range(len(ids)))
    finding = f"By the {table} embedding, {words[place]} is the odd one out"
    order = fits.argsort(descending=True).tolist()
    frame = word_vectors.neighbour_frame(
        [words[i] for i in order],
        [float(fits[i]) for i in order],
        [choice.vocabulary.counts[ids[i]] for i in order],
    )
    show_verdict(
        prediction,
        right=words[place],
        reason=f"**{finding}**, because its mean cosine with the others is the lowest,"
        f" {float(fits.min()):.3f}. The word that fits best is {words[order[0]]}, with"
        f" {float(fits.max()):.3f}.",
    )
    if is_presenting():  # the matrix needs the room, and has the same numbers
        return
    show_chart(
        word_vectors.neighbour_bars(
            frame,
            PURPLE,
            chosen=words[place],
            guess=prediction.guess or "",
            height=40 + 24 * len(words),
        ),
        frame,
        key="odd",
        alt=f"{finding}. Mean cosine of each word with the others.",
        name="odd-one-out",
    )


# Analogies ------------------------------------------------------------------------------------

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


@fragment
def analogies(choice: Choice) -> None:
    """Draw a - b + c as arrows, list the nearest words, and count the known ones that come out."""
    screen = first_screen(picture=1.35, beside=1.0)
    with screen.controls:
        a, b, c = (
            control(st.text_input, name, label, start, max_chars=MOST_TYPED, width=130)
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
    show_chart(
        word_vectors.analogy_plane(frame),
        frame,
        key="analogy",
        alt=f"{finding}: the step from {words[1]} to {words[0]}, and the same step from {words[2]}.",
        name="analogy",
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
    show_chart(
        word_vectors.neighbour_bars(frame, BLUE, height=300),
        frame,
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
