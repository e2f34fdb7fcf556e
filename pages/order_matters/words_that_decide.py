"""Is a review positive? What each word of a sentence adds, and how often four models are right."""

from collections.abc import Collection

import pandas as pd
import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.order_matters.models import BAG, WINDOW
from lm_core.experiments.order_matters.results import SentimentResults, WordShare
from lm_core.experiments.order_matters.reviews import shuffled_words
from lm_core.experiments.order_matters.sentiment import LSTM
from lm_core.rng import generator
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.text.word_vocabulary import words_of
from pages.order_matters.accuracies import draw_accuracies
from pages.order_matters.deciding_words_chart import word_bars
from pages.order_matters.learned import RESTORED
from pages.shared import page
from pages.shared.charts.palette import numbered
from pages.shared.numbers import percent, written
from pages.shared.ui.markdown import escaped

_FIRST = "The film is not good, it is wonderful."
_MOST_CHARACTERS, _MOST_WORDS = 100, 14
_SENTENCE, _ACCURACY = "sentence", "accuracy"
_SHUFFLES, _MOST_SHUFFLES = "review_shuffles", 99
_TITLES = {BAG: "bag of words", WINDOW: "window of 3 words", LSTM: "LSTM"}
_SAME = "The same as everywhere"
_ASKED_WORD = "good"


def words_that_decide(screen: page.FirstScreen) -> None:
    """Draw the weights of a sentence's words, or the accuracy of the models on held-out reviews."""
    results = page.shipped(SentimentResults)
    with screen.controls:
        shown = page.segments(
            "review_show", "Show", {_SENTENCE: "a sentence", _ACCURACY: "all held-out reviews"}
        )
    if shown == _ACCURACY:
        draw_accuracies(screen, results)
    else:
        _draw_sentence(screen, results)


def _draw_sentence(screen: page.FirstScreen, results: SentimentResults) -> None:
    with screen.controls:
        typed = page.text(
            "review_sentence", "Review", _FIRST, max_chars=_MOST_CHARACTERS, width=340
        )
    with page.more(screen):
        order = page.number(
            _SHUFFLES,
            "Order of the words",
            0,
            _MOST_SHUFFLES,
            0,
            help="0 is the order as written; each other number draws a random one.",
        )
    with screen.controls:
        page.button("shuffle_review", "Shuffle the words", "casino", _shuffle, order)

    def read(text: str) -> tuple[tuple[str, ...], WhatWasRead]:
        words = tuple(words_of(page.checked_text(text, most=_MOST_CHARACTERS, name="the review")))
        known = results.word_shares(words)
        if not known or len(words) > _MOST_WORDS:
            raise TextError(
                f"a review must have 1 to {_MOST_WORDS} words here, and the models must know one of"
                f" them; they know {len(known)} of {len(words)}"
            )
        return words, sentence_as_read(text, " ".join(words))

    with screen.picture:
        words = page.read_and_say("review_sentence", typed, read, _FIRST)
    now = words
    if order:
        now = tuple(shuffled_words(" ".join(words), generator(order)).split())
    asked = page.ask(
        screen,
        "weight_of_good",
        "A bag of words has learned a weight for each word. Which weight has *good* in this sentence, where"
        " *not* stands before it?",
        (_SAME, "A smaller one than elsewhere", "A negative one"),
        right=_SAME,
        reason=lambda _: _reason(results),
        when=typed == _FIRST,
    )
    with page.model_calls:
        as_written, as_read = results.positive(" ".join(words)), results.positive(" ".join(now))
    shares = results.word_shares(now)
    with screen.picture:
        _bars(shares, hidden=asked.hides(_ASKED_WORD))
        if not page.is_presenting():  # a projector has room for one of both
            _verdicts(as_written, as_read, is_shuffled=bool(order))
    if not asked.masks:
        page.note_beside(screen, _said(results, shares, words, as_read))
    if order:
        page.note_beside(screen, _moved(as_written, as_read, is_other=now != words))


def _shuffle(order: int) -> None:
    st.session_state[_SHUFFLES] = order % _MOST_SHUFFLES + 1


def _reason(results: SentimentResults) -> str:
    not_, good = (share.weight for share in results.word_shares(("not", _ASKED_WORD)))
    return (
        f"**The same**: *good* has {written(good, '+.2f')} and *not* {written(not_, '+.2f')} wherever they stand,"
        " because the bag adds up one weight a word and adds nothing for two words together. So *not good*"
        f" comes to {written(not_ + good, '+.2f')}, which still speaks for positive."
    )


def _bars(shares: tuple[WordShare, ...], hidden: Collection[str]) -> None:
    """Draw the weights, without those of some words, which wait for a guess."""
    names = numbered([share.word for share in shares])
    weights = [None if share.word in hidden else share.weight for share in shares]
    frame = pd.DataFrame({"word": names, "weight": weights})
    said = ["?" if weight is None else written(weight, "+.2f") for weight in weights]
    page.show_chart(
        word_bars(frame),
        frame,
        key="review_words",
        alt="; ".join(f"{name} {weight}" for name, weight in zip(names, said, strict=True)),
        name="words-that-decide",
    )


def _verdicts(as_written: dict[str, float], now: dict[str, float], *, is_shuffled: bool) -> None:
    names = ("model", "positive, as written", "positive, shuffled")
    rows = [
        (title, percent(as_written[name]), percent(now[name])) for name, title in _TITLES.items()
    ]
    n = 3 if is_shuffled else 2
    page.show_rows(names[:n], [row[:n] for row in rows], sideways="review_verdicts")


def _said(
    results: SentimentResults,
    shares: tuple[WordShare, ...],
    words: tuple[str, ...],
    now: dict[str, float],
) -> str:
    most = max(shares, key=lambda share: abs(share.weight))
    total = results.bias + sum(share.weight for share in shares)
    unknown = sorted({word for word in words if word not in results.vocabulary})
    left_out = (
        f" It leaves out {', '.join(f'*{escaped(word)}*' for word in unknown)}, because it has no weight for"
        " words that it read too rarely or never."
        if unknown
        else ""
    )
    return (
        f"The bars and a constant of {written(results.bias, '+.2f')} add up to {written(total, '+.2f')}, the"
        f" *log-odds*, which the sigmoid turns into {percent(now[BAG])} for positive. *{escaped(most.word)}* decides"
        f" most, because its weight is farthest from 0. The window reads three words at a time and the LSTM all of them"
        f" in order, so they need not give a word the same part everywhere.{left_out}"
    )


def _moved(as_written: dict[str, float], now: dict[str, float], *, is_other: bool) -> str:
    if not is_other:  # one word, equal ones, or few of which chance restores the order
        return RESTORED
    others = ", ".join(
        f"the {_TITLES[name]} from {percent(as_written[name])} to {percent(now[name])}"
        for name in (WINDOW, LSTM)
    )
    return (
        f"Shuffled, the bag of words gives {percent(now[BAG])} as before, exactly, because a sum does not depend"
        f" on the order of what is added. Order is part of what the others read, so they may move: {others}."
    )
