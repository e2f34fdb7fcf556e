"""The curse of dimensionality: contexts possible, contexts seen, and contexts that only come later."""

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.n_grams.results import BOOK, NAMES, SYMBOLS_OF, NGramScore
from pages.n_grams.count_matrix_chart import count_frame, count_matrix, count_picture
from pages.n_grams.counted import OF, choose_counted, results
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREY, VERMILLION
from pages.shared.numbers import percent

_POSSIBLE, _SEEN = "possible", "seen"
_ANSWERS = {
    NAMES: {"40 thousand": 4e4, "400 thousand": 4e5, "4 million": 4e6, "14 million": 1.4e7},
    BOOK: {"150 thousand": 1.5e5, "5 million": 5e6, "150 million": 1.5e8, "1.7 billion": 1.7e9},
}
_HEIGHT = 330


def _choose_length() -> int:
    """Draw whether pairs or triples of letters are counted in the matrix, and return n."""
    return page.segments("matrix_n", "n of the matrix", (2, 3), 3)


def unseen_contexts(screen: page.FirstScreen) -> None:
    """Draw the sparse matrix of counts, and by n how many contexts could be and were seen."""
    with screen.controls:
        counted, n = choose_counted(), _choose_length()
    scores = results().of_text(counted)
    asked = _ask(screen, counted, scores)
    with screen.picture:
        left, right = st.columns([1.1, 1], gap="medium")
        with left:
            _matrix(counted, n)
        with right:
            _by_n(scores, asked)
    if not asked.masks:
        last = scores[-1]
        page.note_beside(
            screen,
            "This is the *curse of dimensionality*: each further letter multiplies the contexts"
            f" that could be by {scores[1].possible}, while the text stays as long as it is. So"
            f" with n = {last.n}, **{percent(last.unseen_share, 1)}** of the letters of held-out"
            " text follow a context that was never seen.",
        )
    _held_out(counted, scores)


def _ask(screen: page.FirstScreen, counted: str, scores: tuple[NGramScore, ...]) -> page.Asked:
    last = scores[-1]
    answers = _ANSWERS[counted]
    return page.ask(
        screen,
        f"n_grams_seen_{counted}",
        f"Of the {last.possible:,} contexts of {last.n - 1} letters, how many do {OF[counted]} have?",
        answers,
        right=last.seen,
        reason=f"**{last.seen:,}**, {percent(last.seen / last.possible, 2)} of them.",
    )


@st.cache_data(max_entries=4, show_spinner=False)
def _picture(counted: str, n: int) -> tuple[str, pd.DataFrame, float]:
    """Return the picture of the counts, what can be pointed at, and the share of cells above 0."""
    symbols = SYMBOLS_OF[counted]
    rows = results().tables[counted][n - 1].row(np.arange(len(symbols) ** (n - 1)))
    return count_picture(rows), count_frame(rows, symbols), float((rows > 0).mean())


def _matrix(counted: str, n: int) -> None:
    symbols = ["·" if s == "<unk>" else s for s in SYMBOLS_OF[counted]]
    picture, frame, share = _picture(counted, n)
    title = f"{percent(share)} of the {len(symbols) ** n:,} {n}-grams were seen"
    st.markdown(f"**{title}**")
    titles = ("letter before", "next letter")
    if n == 3:
        titles = ("first letter", "second letter; in each square, the next")
    page.show_chart(
        count_matrix(frame, picture, symbols, titles=titles, height=_HEIGHT),
        key="n_grams_matrix",
        alt=f"{title}. White: never; the stronger the colour, the more often.",
        name="n-gram-matrix",
    )


def _by_n(scores: tuple[NGramScore, ...], asked: page.Asked) -> None:
    last = scores[-1]
    possible = [(score.n, float(score.possible)) for score in scores]
    seen = [(score.n, float(score.seen)) for score in scores]
    lines = {_POSSIBLE: possible, _SEEN: seen if not asked.masks else seen[:3]}
    guess = asked.at(lambda share: (last.n, share))
    ends = (
        f"n = {last.n}: {last.seen:,} of {last.possible:,} seen"
        if not asked.masks
        else f"n = 3: {scores[2].seen:,} of {scores[2].possible:,} seen"
    )
    st.markdown(f"**Contexts of n − 1 letters. {ends}**")
    page.show_chart(
        line_chart(
            lines,
            {_POSSIBLE: LineStyle(GREY, 1), _SEEN: LineStyle(BLUE)},
            Axis("n", (1, last.n), values=tuple(range(1, last.n + 1))),
            Axis("contexts", (1.0, 10.0**10), True, tuple(10.0**p for p in (0, 2, 4, 6, 8, 10))),
            guess=guess,
            has_points=True,
            height=_HEIGHT,
        ),
        pd.DataFrame(
            [(s.n, s.possible, s.seen) for s in scores[: len(lines[_SEEN])]],
            columns=["n", "possible", "seen"],
        ),
        key="n_grams_contexts",
        alt=ends,
        name="contexts-by-n",
    )


def _held_out(counted: str, scores: tuple[NGramScore, ...]) -> None:
    """Draw which share of held-out text follows a context that was never seen, or never had that letter."""
    if page.is_presenting():
        return
    st.header("What of new text was never seen before?", anchor=False)
    context = [(s.n, s.unseen_share) for s in scores if s.unseen_share > 0]
    ngram = [(s.n, s.impossible_share) for s in scores if s.impossible_share > 0]
    last = scores[-1]
    title = (
        f"n = {last.n}: {percent(last.unseen_share, 1)} of held-out letters have a new context,"
        f" {percent(last.impossible_share, 1)} are a new n-gram"
    )
    st.markdown(f"**{title}**")
    names = ("new context", "new n-gram")
    page.show_chart(
        line_chart(
            dict(zip(names, (context, ngram), strict=True)),
            {names[0]: LineStyle(BLUE), names[1]: LineStyle(VERMILLION, 1)},
            Axis("n", (1, last.n), values=tuple(range(1, last.n + 1))),
            Axis(
                "share of held-out letters",
                (1e-5, 1.0),
                True,
                tuple(10.0**p for p in range(-5, 1)),
                ".3~%",
            ),
            has_points=True,
            height=230,
        ),
        pd.DataFrame(
            [(s.n, s.unseen_share, s.impossible_share) for s in scores], columns=["n", *names]
        ),
        key="n_grams_unseen",
        alt=title,
        name="unseen-by-n",
    )
    held = {NAMES: "3,203 names", BOOK: "the last tenth of the book"}[counted]
    st.markdown(
        f"Held out: {held}, of which nothing was counted. To a new n-gram the plain counts give"
        " probability 0, and one 0 makes the whole product 0. Hence *Smoothing*."
    )
