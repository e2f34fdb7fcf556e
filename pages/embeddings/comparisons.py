"""A few words compared: all their pairs, and the odd one out."""

import streamlit as st

from lm_core.analysis.word_space import odd_one_out
from pages.embeddings.typed_words import read_or_say
from pages.embeddings.vectors import MOST_TYPED
from pages.embeddings.word_choice import Choice, choose_table
from pages.shared import page
from pages.shared.charts import word_vectors
from pages.shared.charts.palette import PURPLE

MOST = 12
_LISTS = {
    "A family, and one more": "father mother brother sister son daughter snow",
    "Family and weather": "father mother brother sister rain snow wind storm",
    "Numbers, colours, animals": "two three four red blue green horse dog cat",
    "Ranks": "king queen prince princess emperor general colonel soldier",
    "A stranger at table": "bread cheese soup cake gun butter",
    "Verbs and their past": "walk walked talk talked run ran say said",
}


@page.fragment
def word_list(choice: Choice) -> None:
    """Draw all pairs of a list of words, then ask which of them is the odd one out."""
    screen = page.first_screen()
    with screen.controls:
        typed = page.control(
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
    page.show_chart(
        word_vectors.similarity_matrix(frame, height=90 + 29 * len(words)),
        frame[["first", "second", "cosine"]],
        key="pairs",
        alt=f"{finding}. All pairs of {', '.join(words)}.",
        name="similarities",
    )


def _odd(choice: Choice, ids: tuple[int, ...], table: str) -> None:
    words = [choice.vocabulary.words[i] for i in ids]
    st.header("The odd one out", anchor=False)
    place, fits = odd_one_out(choice.space(table).unit(ids), range(len(ids)))
    finding = f"By the {table} embedding, {words[place]} is the odd one out"
    order = fits.argsort(descending=True).tolist()
    frame = word_vectors.neighbour_frame(
        [words[i] for i in order],
        [float(fits[i]) for i in order],
        [choice.vocabulary.counts[ids[i]] for i in order],
    )
    asked = page.ask(
        None,
        "odd_" + "_".join(words),
        "Which of the words fits the others least?",
        words,
        right=words[place],
        reason=f"**{finding}**, because its mean cosine with the others is the lowest,"
        f" {float(fits.min()):.3f}. The word that fits best is {words[order[0]]}, with"
        f" {float(fits.max()):.3f}.",
    )
    if asked.masks or page.is_presenting():  # the matrix needs the room, and has the same numbers
        return
    page.show_chart(
        word_vectors.neighbour_bars(
            frame, PURPLE, chosen=words[place], guess=asked.guess or "", height=40 + 24 * len(words)
        ),
        key="odd",
        alt=f"{finding}. Mean cosine of each word with the others.",
        name="odd-one-out",
    )
