"""What lies folded below the curves: the rule of each task, what each method learns, the learning rates."""

from functools import partial

import pandas as pd
import streamlit as st

from lm_core.experiments.fine_tuning import authors, next_sentences, speakers, tags
from lm_core.experiments.fine_tuning.settings import (
    AUTHOR,
    FROZEN,
    LEARNING_RATES,
    LORA,
    METHODS,
    PAIR,
    SCRATCH,
    SPEAKER,
    TAG,
    TUNED,
    FineTuningConfig,
)
from lm_core.experiments.fine_tuning.study import COMPARED_SIZE, N_COMPARED
from lm_core.text.catalogue import CORPORA
from pages.fine_tuning.subject import EXAMPLES, results
from pages.shared.numbers import percent
from pages.shared.ui.folds import draw_when_open

_BEGINS = {
    SCRATCH: ("random weights", "all"),
    FROZEN: ("the encoder that has read", "a new last layer"),
    TUNED: ("the encoder that has read", "all"),
    LORA: (
        "the encoder that has read",
        "two thin matrices beside each matrix, and a new last layer",
    ),
}


def explanations(task: str) -> None:
    """Draw the folds below a task's curves."""
    for name, icon, draw in (
        ("The task", "task_alt", _task),
        ("The four methods", "tune", _methods),
        ("Learning rates that were compared", "speed", _rates),
    ):
        fold = st.expander(name, icon=f":material/{icon}:", key=f"fold_{icon}", on_change="rerun")
        draw_when_open(fold, partial(draw, task))
    made = results().provenance
    st.caption(
        f"{len(results().points)} tunings, {made['seconds'] / 3600:.1f} h of one processor,"
        f" {made['date'][:10]}. Test texts are of other books or parts than the labelled ones;"
        " those of *author* were seen while its learning rates were compared, so its figures may"
        " flatter; the others decided nothing."
    )


def _task(task: str) -> None:
    record = results().tasks[task]
    st.markdown(_RULES[task]())
    rules = ", ".join(
        f"{rule}: {percent(share, 1)} right" for rule, share in record.baselines.items()
    )
    st.markdown(
        f"Labelled {EXAMPLES[task]} to learn from: **{record.n_training:,}**. Test {EXAMPLES[task]}:"
        f" **{record.n_test:,}**. For comparison, {rules}."
    )


def _author() -> str:
    shortest, longest = authors.PASSAGE
    books = "; ".join(
        f"{author}: *{_title(authors.TRAINING_BOOKS[author])}*, tested on"
        f" *{_title(authors.TEST_BOOKS[author])}*"
        for author in authors.AUTHORS
    )
    return (
        f"**Which of four authors wrote a passage?** Whole sentences of a book until there are {shortest}"
        f" subwords, cut at {longest}. One book of each author to learn from, another one to be tested on:"
        f" {books}. So the names of the characters can hardly give an author away, except Mark Twain, because Tom and"
        " Huck are in both of his books."
    )


def _pair() -> str:
    return (
        "**Does the second sentence follow on the first?** In half of the pairs it does, within"
        " one paragraph; in the others it is the second sentence of another pair of the same book,"
        " so style alone does not give it away. To learn from:"
        f" {_titles(next_sentences.TRAINING_BOOKS)}. To be tested on:"
        f" {_titles(next_sentences.TEST_BOOKS)}."
    )


def _tag() -> str:
    return (
        "**Which part of speech is each word?** Sentences of the Brown corpus of at most"
        f" {tags.LONGEST} subwords, each word with one of {len(results().tasks[TAG].labels)} tags."
        " The test sentences are of other texts than the labelled ones. A word's tag is read off"
        " the vector of its first subword, because it belongs to the word and not to its pieces."
    )


def _speaker() -> str:
    return (
        "**Who says it?** A rule makes the questions: a quotation, then a verb of speech with a name before or"
        ' behind it, as in *"…," said Sonya*. The question is what is said, the answer the place of the name in'
        f" the passage. The first {percent(speakers.TRAINING_SHARE)} of *War and Peace* give the"
        " labelled questions, the rest the test. The encoder has read most of that rest, but"
        " without questions, so it knows the text and not the task."
    )


_RULES = {AUTHOR: _author, PAIR: _pair, TAG: _tag, SPEAKER: _speaker}


def _titles(books: tuple[str, ...]) -> str:
    return ", ".join(f"*{_title(book)}*" for book in books)


def _title(book: str) -> str:
    return CORPORA[f"gutenberg/{book}"].title


def _methods(task: str) -> None:
    record = results().tasks[task]
    rows = [
        f"| {method} | {_BEGINS[method][0]} | {_BEGINS[method][1]} | {record.learned[method]:,} |"
        f" {LEARNING_RATES[method]:g} |"
        for method in METHODS
    ]
    st.markdown(
        "\n".join(
            (
                "| method | begins with | learns | learned numbers | highest learning rate |",
                "|:--|:--|:--|--:|--:|",
                *rows,
            )
        )
    )
    rank = FineTuningConfig(task, LORA, 1).rank
    st.markdown(
        "*LoRA* adds a product of two thin matrices to each matrix of the encoder's blocks, here"
        f" of rank {rank}: **{record.learned[LORA]:,}** numbers instead of"
        f" **{record.learned[TUNED]:,}**. Beside one encoder, many tasks can be stored so."
    )
    st.latex(r"W' = W + B A, \qquad A \in \mathbb{R}^{r \times n},\; B \in \mathbb{R}^{m \times r}")


def _rates(task: str) -> None:
    scores = [score for score in results().rates if score.task == task]
    st.markdown(
        f"Each method learned from {COMPARED_SIZE} labelled {EXAMPLES[task]}; the accuracy is that"
        f" on {N_COMPARED} further training {EXAMPLES[task]}. One rate was then taken for all four"
        " tasks, so it need not be the best one for each."
    )
    st.dataframe(
        pd.DataFrame(
            [
                (
                    s.method,
                    s.rate,
                    s.accuracy,
                    "taken" if s.rate == LEARNING_RATES[s.method] else "",
                )
                for s in scores
            ],
            columns=["method", "learning rate", "accuracy", ""],
        ),
        hide_index=True,
        column_config={"accuracy": st.column_config.NumberColumn(format="percent")},
    )
