"""Four heads: the tuned models on a visitor's own text, and which vectors each head reads."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from lm_core.experiments.fine_tuning.settings import AUTHOR, LORA, PAIR, SPEAKER, TAG
from pages.fine_tuning.classes_of_texts import judge_pair, name_author
from pages.fine_tuning.speaker import name_speaker
from pages.fine_tuning.subject import EXAMPLES, adapters_of, choose_task, results
from pages.fine_tuning.tags_of_words import tag_words
from pages.fine_tuning.task_heads_chart import HeadPanel, heads_diagram
from pages.shared import page

_PANELS = (
    HeadPanel(AUTHOR, ("CLS", "a", "text", "SEP"), (0, 1, 2, 3), ("class",), "one of four"),
    HeadPanel(PAIR, ("CLS", "a", "SEP", "b", "SEP"), (0, 1, 2, 3, 4), ("class",), "follows or not"),
    HeadPanel(TAG, ("CLS", "the", "gar", "den"), (1, 2), ("DET", "NOUN"), "a tag each word"),
    HeadPanel(
        SPEAKER, ("CLS", "?", "SEP", "Ann", "ran"), (3, 4), ("2", "2"), "2 scores each token"
    ),
)
_NOTES = {
    AUTHOR: "The *head* is one linear layer. Here it reads the mean of all vectors, because the"
    " label belongs to the whole passage.",
    PAIR: "The *head* is one linear layer. It reads the mean of all vectors of both sentences,"
    " because the question is about both.",
    TAG: "The *head* is one linear layer. It reads the vector of each word's first subword, because"
    " each word has a tag of its own.",
    SPEAKER: "The *head* gives each subword of the passage two scores: to be the answer's first, and"
    " its last. So the answer is the pair with the highest sum.",
}


def heads(screen: page.FirstScreen) -> None:
    """Draw what a task's head makes of a text, with the vectors that it reads beside."""
    with screen.controls:
        task = choose_task()
        n_labelled = _choose_number(task)
    _ASK[task](screen, n_labelled)
    page.note_beside(screen, _NOTES[task])
    if not page.is_presenting():
        with screen.beside:
            page.show_chart(
                heads_diagram(_PANELS, task),
                _heads_frame,
                key="heads",
                alt="; ".join(
                    f"{p.name}: reads {', '.join(p.tokens[i] for i in p.read)}" for p in _PANELS
                ),
                name="four-heads",
                is_small=True,
            )
        n = results().tasks[task].learned[LORA]
        st.caption(
            f"The encoder with low-rank updates and head learned from {n_labelled:,}"
            f" {EXAMPLES[task]}: {n:,} numbers of its own. Seed 0. It makes mistakes, so look at"
            " *Learning curves*, which says how often."
        )


def _choose_number(task: str) -> int:
    numbers = list(adapters_of(task))
    return page.pick(
        f"learned_from_{task.replace(' ', '_')}",
        "Learned from",
        numbers,
        numbers[-1],
        format_func=lambda n: f"{n:,} {EXAMPLES[task]}",
        width=230,
    )


def _heads_frame() -> pd.DataFrame:
    return pd.DataFrame(
        [
            (p.name, " ".join(p.tokens), " ".join(p.tokens[i] for i in p.read), p.note)
            for p in _PANELS
        ],
        columns=["task", "tokens", "vectors that are read", "result"],
    )


# Spans ----------------------------------------------------------------------------------------


_ASK: dict[str, Callable[[page.FirstScreen, int], None]] = {
    AUTHOR: name_author,
    PAIR: judge_pair,
    TAG: tag_words,
    SPEAKER: name_speaker,
}
