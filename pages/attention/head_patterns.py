"""Patterns of all heads: on the sentence, on the book, and by how much each follows one."""

from collections.abc import Iterable
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from lm_core.analysis.head_patterns import HeadPattern
from lm_core.errors import ResultError
from lm_core.experiments.attention.head_scores import HeadScores
from pages.attention import traces
from pages.attention.heads import name_of
from pages.shared import page
from pages.shared.models.read_sentences import Sentence
from pages.shared.numbers import percent
from pages.shared.ui.folds import draw_when_open

_OF_A_PATTERN = {
    "Score": "share",
    "Shuffled": "shuffled_share",
    "Uniform attention": "uniform_share",
}
_BOOK, _HERE, _GENERATED = "the book", "this sentence", "a generated text"
_SHOWN = 12


@page.fragment
def head_patterns(here: Sentence) -> None:
    """Draw what the heads attend to: the best head of each pattern on the book, or each head on a text."""
    st.header("Head patterns", anchor=False)
    where = page.segments("patterns_on", "Measured on", (_BOOK, _HERE, _GENERATED))
    if where == _BOOK:
        _on_the_book(here)
        return
    sentence = here if where == _HERE else traces.generated_by(here)
    best: dict[tuple[int, int], HeadPattern] = {}
    for pattern in traces.patterns_of(sentence):
        best.setdefault((pattern.layer, pattern.head), pattern)
    _table_of_patterns(list(best.values())[:_SHOWN])
    if where == _GENERATED:
        with st.expander(f"The text: {len(sentence.symbols)} {sentence.vocabulary.unit}s"):
            st.text(sentence.text)


def _on_the_book(here: Sentence) -> None:
    """Draw the best head of each pattern, and how sharp the heads are."""
    try:
        scores = traces.scores_on_the_book(here.meta)
    except ResultError as error:
        page.show_error(error, st.info)
        return
    if scores is None:
        st.info("This snapshot was not scored on the book: choose another, or another text.")
        return
    names = dict.fromkeys(pattern.pattern for pattern in scores.patterns)
    best = [found for name in names if (found := scores.best(name))]
    _table_of_patterns(sorted(best, key=lambda p: -p.excess))
    first, second = scores.repetition_losses
    entropy, largest = np.array(scores.entropy_bits), np.array(scores.largest_scores)
    st.markdown(
        "An *induction head* attends to what followed the same token earlier, so it can predict"
        " the rest of a repetition. When this model reads random tokens twice, its loss is"
        f" **{first:.2f}** nats a token the first time and **{second:.2f}** the second:"
        f" {_learned_from_repetition(first, second)} Its heads have a mean entropy of"
        f" **{entropy.mean():.2f} bits** ({entropy.min():.2f} to {entropy.max():.2f}), and the"
        f" largest scaled score is **{largest.max():.1f}**."
    )
    fold = st.expander("Every head", key="every_head", on_change="rerun")
    draw_when_open(fold, partial(_tables_of_every_head, scores, names))


def _tables_of_every_head(scores: HeadScores, patterns: Iterable[str]) -> None:
    for tab, field in zip(st.tabs(list(_OF_A_PATTERN)), _OF_A_PATTERN.values(), strict=True):
        with tab:
            st.dataframe(
                _every_head(scores, field).style.format(
                    dict.fromkeys(patterns, partial(percent, decimals=1))
                    | {"entropy, bits": "{:.2f}", "largest score": "{:.1f}"},
                    na_rep="",
                ),
                hide_index=True,
            )


def _every_head(scores: HeadScores, field: str) -> pd.DataFrame:
    """Return a row for each head: its sharpness, and one number for each pattern."""
    rows = [
        {"head": name_of((i, j)), "entropy, bits": entropy, "largest score": largest}
        for i, of_layer in enumerate(zip(scores.entropy_bits, scores.largest_scores, strict=True))
        for j, (entropy, largest) in enumerate(zip(*of_layer, strict=True))
    ]
    by_name = {row["head"]: row for row in rows}
    for pattern in scores.patterns:
        by_name[name_of((pattern.layer, pattern.head))][pattern.pattern] = getattr(pattern, field)
    return pd.DataFrame(rows)


def _learned_from_repetition(first: float, second: float) -> str:
    saved = 1.0 - second / first
    if saved < 0.05:
        return "so it hardly uses the repetition."
    return f"{percent(saved)} less, because it can copy what it has read before."


def _table_of_patterns(patterns: list[HeadPattern]) -> None:
    """Write some heads' patterns as a table, the clearest first, and quote the first of them."""
    first = patterns[0]
    target = "token itself" if first.pattern == "itself" else first.pattern
    st.markdown(
        f"Head **{first.layer + 1}.{first.head + 1}** gives **{percent(first.share)}** of its"
        f" attention to the {target}. Uniform attention would give {percent(first.uniform_share)}"
        f" (mean over {first.n_tokens:,} tokens, model as trained). Nearness alone could explain a"
        " high share, so as a control (*shuffled*) we measure the same head on a token equally far"
        " back that is no such target. If it gets as much, the head looks at a distance, not at"
        " this kind of token. Where the pattern is a position, the control is a random token."
    )
    table = pa.table(
        {
            "head": [f"{p.layer + 1}.{p.head + 1}" for p in patterns],
            "attends to": [p.pattern for p in patterns],
            "score": [percent(p.share) for p in patterns],
            "shuffled": [_share(p.shuffled_share) for p in patterns],
            "uniform attention": [percent(p.uniform_share) for p in patterns],
            "tokens": [p.n_tokens for p in patterns],
        }
    )
    st.dataframe(table, hide_index=True, height="content")


def _share(share: float | None) -> str:
    return "" if share is None else percent(share)
