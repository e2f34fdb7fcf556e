"""Words as a visitor types them: found among those that have a vector, or said to be none."""

import streamlit as st

from lm_core.errors import TextError
from lm_core.text import word_queries
from lm_core.text.what_was_read import words_as_read
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.checkpoints import CheckpointMeta
from pages.embeddings.vectors import is_own
from pages.shared import page
from pages.shared.ui.markdown import escaped


def read_or_say(
    typed: str,
    meta: CheckpointMeta,
    vocabulary: WordVocabulary,
    *,
    name: str,
    fewest: int = 1,
    most: int = 1,
) -> word_queries.WordQuery | None:
    """Return the words that were typed; say what cannot be read, and of unknown ones what is near.

    `name`: str, of the control that they were typed into: a click on a suggestion writes there.
    """
    try:
        found = word_queries.parse_words(typed, vocabulary, fewest=fewest, most=most)
    except TextError as error:
        page.show_error(error, icon=":material/abc:")
        return None
    words = (*(vocabulary.words[i] for i in found.known), *found.unknown)
    page.show_what_was_changed(words_as_read(typed, words), name)
    for word in found.unknown:
        _say_unknown(word, typed, meta, vocabulary, name)
    return found


def _say_unknown(
    word: str, typed: str, meta: CheckpointMeta, vocabulary: WordVocabulary, name: str
) -> None:
    shown = word if len(word) <= 30 else f"{word[:30]}…"
    least = meta.recipe.get("minimum_count", 1)
    alike = _alike(word, meta.weights_sha256, vocabulary)
    why = (
        "your file does not hold it, or not among its first words."
        if is_own(meta)
        else f"it occurs fewer than {least} times in the training text."
    )
    st.error(
        f"**{escaped(shown)}** has no vector: {why}"
        + (" Similar spellings:" if alike else " No word has a similar spelling."),
        icon=":material/search_off:",
    )
    with st.container(horizontal=True):
        for other in alike:
            st.button(
                escaped(other),
                key=f"instead_{name}_{word}_{other}",
                on_click=_write,
                args=(name, word_queries.with_word_replaced(typed, word, other, vocabulary.find)),
            )


@st.cache_data(max_entries=256, show_spinner=False)
def _alike(word: str, weights_sha256: str, _vocabulary: WordVocabulary) -> list[str]:
    del weights_sha256  # part of the key, in place of the vocabulary
    return word_queries.nearest_spellings(word, _vocabulary.words)


def _write(name: str, text: str) -> None:
    st.session_state[name] = text
