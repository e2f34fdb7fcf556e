"""A few words: every pair's cosine, and the one that fits the others least."""

import streamlit as st

from lm_core.analysis.word_space import odd_one_out
from pages.embeddings.choices import MOST_TYPED, Choice, choose_table, read_or_say
from pages.shared import charts
from pages.shared.charts.palette import PURPLE
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal

MOST = 12
_LISTS = {
    "Family and weather": "father mother brother sister rain snow wind storm",
    "Numbers, colours, animals": "two three four red blue green horse dog cat",
    "Ranks": "king queen prince princess emperor general colonel soldier",
    "A stranger at table": "bread cheese soup cake gun butter",
    "Verbs and their past": "walk walked talk talked run ran say said",
}


@st.fragment
def several(choice: Choice) -> None:
    """Draw all pairs of a list of words, then ask which of them is the odd one out."""
    left, right = st.columns([1, 2.4], gap="medium")
    with left:
        typed = control(
            st.text_area,
            "words",
            f"3 to {MOST} words",
            next(iter(_LISTS.values())),
            height=120,
            max_chars=MOST_TYPED,
        )
        st.menu_button("Lists", list(_LISTS), key="lists", on_click=_take_list)
        table = choose_table()
        found = read_or_say(
            typed, choice.meta, choice.vocabulary, name="words", fewest=3, most=MOST
        )
    if found is None or len(found.known) < 3:
        with right:
            st.info("Three words with a vector make a picture.")
        return
    with right:
        _matrix(choice, found.known, table)
    _odd(choice, found.known, table)


def _take_list(title: str) -> None:
    st.session_state["words"] = _LISTS[title]


def _matrix(choice: Choice, ids: tuple[int, ...], table: str) -> None:
    words = [choice.vocabulary.words[i] for i in ids]
    cosines = choice.space(table).matrix(ids)
    pairs = cosines.triu(1) - 2.0 * cosines.new_ones(cosines.shape).tril()
    best = divmod(int(pairs.argmax()), len(ids))
    finding = f"Most alike: {words[best[0]]} and {words[best[1]]}, cosine {float(pairs.max()):.3f} ({table})"
    st.markdown(f"**{finding}**")
    frame = charts.similarity_frame(words, cosines.numpy())
    show_chart(
        charts.similarity_matrix(frame, height=90 + 29 * len(words)),
        frame[["first", "second", "cosine"]],
        key="pairs",
        alt=f"{finding}. All pairs of {', '.join(words)}.",
        name="similarities",
    )


def _odd(choice: Choice, ids: tuple[int, ...], table: str) -> None:
    words = [choice.vocabulary.words[i] for i in ids]
    st.subheader("The odd one out", anchor=False)
    prediction = predict_then_reveal(
        "odd_" + "_".join(words), "Which of the words fits the others least?", words
    )
    if not prediction.revealed:
        return
    place, fits = odd_one_out(choice.space(table).unit(ids), range(len(ids)))
    finding = f"By the {table} vectors, {words[place]} is the odd one out"
    verdict = ""
    if prediction.guess is not None:
        verdict = ", as you said" if prediction.guess == words[place] else ""
    order = fits.argsort(descending=True).tolist()
    frame = charts.neighbour_frame(
        [words[i] for i in order],
        [float(fits[i]) for i in order],
        [choice.vocabulary.counts[ids[i]] for i in order],
    )
    st.markdown(
        f"**{finding}{verdict}**: its mean cosine with the others is {float(fits.min()):.3f}, that of"
        f" {words[order[0]]}, which fits best, {float(fits.max()):.3f}."
    )
    show_chart(
        charts.neighbour_bars(frame, PURPLE, chosen=words[place], height=40 + 24 * len(words)),
        frame,
        key="odd",
        alt=f"{finding}. Mean cosine of each word with the others.",
        name="odd-one-out",
    )
