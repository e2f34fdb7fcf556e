"""The counts of all phones of a class, added together."""

from functools import reduce
from operator import add

import streamlit as st

from lm_core.analysis.vowels import ChainCounts, runs
from lm_core.classroom.records import Question
from pages.shared import page
from pages.shared.classroom.asking import answer_class, ask_button, class_prediction

_NAME = "vowel_counts"
_QUESTION = Question(
    "word",
    "Count all letters of your line (each takes another one), then tap *Send my counts*.",
    name=_NAME,
)
_PAIRS = [before for before in runs() if before]
"""What is sent: who has these has the shares of all orders."""


def counts_of_class(own: ChainCounts, *, is_whole: bool) -> ChainCounts | None:
    """Draw what sends a phone's counts, and return the sum of all once the presenter has revealed it."""
    ask_button(_QUESTION, "Collect the class's counts")
    asked = class_prediction(_NAME)
    if asked is None:
        return None
    if asked.summary is None:
        if asked.own is None:
            page.button(
                "send_counts", "Send my counts", "send", answer_class, asked.question_id,
                as_answer(own), disabled=not is_whole,
            )  # fmt: skip
        else:
            st.caption("Your counts are sent; the presenter adds all of them together.")
        return None
    answers = asked.summary.counts.items()  # equal ones are counted together
    sent = [counts for said, n in answers if (counts := of_answer(said)) for _ in range(n)]
    return reduce(add, sent) if sent else None


def as_answer(counts: ChainCounts) -> str:
    """Return counts as a word that a class's answer may be: numbers for each run of one and two letters.

    Examples
    --------
    >>> from lm_core.analysis.vowels import are_vowels, count_chain
    >>> as_answer(count_chain(are_vowels("onegin")))
    '3.0 1.2 0.0 2.0 1.1 0.1'
    """
    return " ".join(f"{counts.letters[run][0]}.{counts.letters[run][1]}" for run in _PAIRS)


def of_answer(answer: str) -> ChainCounts | None:
    """Return the counts that an answer says; None where somebody has typed something else."""
    parts = [part.split(".") for part in answer.split()]
    if len(parts) != len(_PAIRS) or not all(
        len(part) == 2 and all(number.isascii() and number.isdigit() for number in part)
        for part in parts
    ):
        return None
    after = [(int(consonants), int(vowels)) for consonants, vowels in parts]
    # Each letter but the first came after one: that one is left out of the sum.
    everything = tuple(map(sum, zip(*after[:2], strict=True)))
    return ChainCounts(
        {(): (everything[0], everything[1]), **dict(zip(_PAIRS, after, strict=True))}
    )
