"""The contexts that two words have in common, by how telling they are."""

import streamlit as st

from lm_core.experiments.word2vec.telling_contexts import (
    MOST_WORDS,
    PER_WORD,
    STOP_WORDS,
    WINDOW,
    TellingContexts,
    load_contexts,
)
from pages.embeddings.word_choice import Choice
from pages.shared import page
from pages.shared.charts.word_vectors import context_chart, context_frame

_DRAWN = 12  # contexts


@st.cache_resource(max_entries=2, show_spinner=False)
def _contexts_of(name: str, size: int) -> TellingContexts | None:
    return load_contexts(name, size)


def draw_telling(choice: Choice) -> list[str]:
    """Draw the telling contexts of both words, and return them, the most telling first."""
    table = _contexts_of(choice.meta.name, len(choice.vocabulary))
    if table is None or choice.other is None or max(choice.word, choice.other) >= len(table.ids):
        st.info(f"Contexts were counted for the {MOST_WORDS:,} most frequent words alone.")
        return []
    shared = table.shared(choice.word, choice.other)
    words = choice.vocabulary.words
    rows = [(words[i], first, second) for i, first, second in shared]
    of_row = min(PER_WORD, int((table.bits[choice.word] > 0).sum()))
    finding = (
        f"{choice.name} and {choice.other_name} share {len(rows)} of {choice.name}'s {of_row} most"
        " telling contexts"
    )
    st.markdown(f"**{finding}**")
    if rows:
        frame = context_frame(rows[:_DRAWN])
        page.show_chart(
            context_chart(frame, names=(choice.name, choice.other_name)),
            frame,
            key="telling_contexts",
            alt=f"{finding}: {', '.join(word for word, *_ in rows[:_DRAWN])}.",
            name=f"contexts-{choice.name}-{choice.other_name}",
        )
    return [word for word, *_ in rows]


def what_is_telling() -> None:
    """Say how a context is told to be telling."""
    st.markdown(
        "The model has only seen which words occur near each other. So if the vectors of two frequent words"
        " point the same way, the reason is to be found in the text; those of rare words may do so by chance."
    )
    how = (
        f" It is counted within {WINDOW} words in the texts that these vectors were trained on. The"
        f" {STOP_WORDS} most frequent words, such as *the*, are left out, because they are near every"
        " word."
    )
    st.markdown(
        "*Pointwise mutual information* says how many times more often a word is near than by"
        " chance. It is a logarithm to base 2, so 3 bits are 2³ = 8 times."
        f"{'' if page.is_presenting() else how}"
    )
