"""Below the neighbours: a way from word to word, and sentences that are found by their mean vectors."""

import pandas as pd
import streamlit as st

from lm_core.analysis.mean_vectors import mean_vector, search_sentences
from lm_core.analysis.word_paths import NeighbourGraph
from lm_core.errors import TextError
from lm_core.text.what_was_read import words_as_read
from pages.embeddings.vectors import INPUT, available, space_of
from pages.embeddings.word_choice import Choice
from pages.shared import page
from pages.shared.ui.kept import FOR_YOU_ALONE
from pages.shared.ui.markdown import as_code, escaped

_AMONG, _NEAREST = 5_000, 10
MOST_SENTENCES, MOST_CHARACTERS = 100, 20_000
SENTENCES = """The dog bit the man.
The man bit the dog.
The soldiers marched through the snow to the river.
The army crossed the frozen water in winter.
Her mother sat by the window and wept.
They drank tea and ate bread in the kitchen.
The general read the letter and said nothing.
The children played in the garden all summer."""
_ASKED = "The troops went over the ice."


@st.cache_resource(max_entries=4, show_spinner="Joining words with their nearest")
def _graph(name: str, weights_sha256: str, n: int, subtract_mean: bool) -> NeighbourGraph:
    del weights_sha256  # part of the key
    space = space_of(available()[name], INPUT, subtract_mean=subtract_mean)
    with page.model_calls:
        return NeighbourGraph.of(space.most_frequent(n), _NEAREST)


def way_between(choice: Choice) -> None:
    """Draw the shortest way from the chosen word to the other over words near each other."""
    if choice.other is None:
        st.info("Type two words above: the way leads from the first to the second.")
        return
    n = min(choice.among or _AMONG, _AMONG, len(choice.vocabulary))
    if max(choice.word, choice.other) >= n:
        st.info(
            f"Both words must be among the {n:,} most frequent: choose others, or more of them."
        )
        return
    meta = choice.meta
    way = _graph(meta.name, meta.weights_sha256, n, choice.subtract_mean).path(
        choice.word, choice.other
    )
    words = [choice.vocabulary.words[i] for i, _ in way]
    if not way:
        st.markdown("No way leads there: the two words lie in groups that no step joins.")
        return
    direct = choice.space(INPUT).pair(choice.word, choice.other).cosine
    st.markdown(f"**{' → '.join(map(as_code, words))}**")
    rows = [
        {"from": a, "to": b, "cosine": f"{cosine:.3f}"}
        for a, b, (_, cosine) in zip(words, words[1:], way[1:], strict=False)
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")
    lowest = min((cosine for _, cosine in way[1:]), default=1.0)
    st.markdown(
        f"Each step leads to one of the {_NEAREST} nearest words among the {n:,} most frequent, in either"
        " direction; of all ways this one has the smallest sum of angles. The words at its ends have a"
        f" cosine of {direct:.3f}, and the lowest of a step is {lowest:.3f}, because only words that are near"
        " each other are joined."
    )


def sentence_search(choice: Choice) -> None:
    """Draw a visitor's sentences by how alike their mean vectors are to that of another text."""
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        typed = page.control(
            st.text_area,
            "search_sentences",
            f"Your sentences, one a line, at most {MOST_SENTENCES}",
            SENTENCES,
            max_chars=MOST_CHARACTERS,
            height=210,
            in_link=False,
        )
    with right:
        asked = page.text("search_for", "Find what is like", _ASKED, max_chars=500, in_link=False)
        st.caption(FOR_YOU_ALONE)
    _say_unread(choice, "search_sentences", str(typed), SENTENCES)
    _say_unread(choice, "search_for", asked, _ASKED)
    page.say_limits({"search_sentences": MOST_CHARACTERS, "search_for": 500})
    space = choice.space(INPUT)
    try:
        sentences = _lines(str(typed))
        matches, without = search_sentences(space, asked, sentences)
        missing = [*mean_vector(space, asked)[1]]
    except TextError as error:
        page.show_error(error, st.info, icon=":material/text_fields:")
        return
    if not matches:
        st.info("No sentence has a word with a vector: use other words.")
        return
    st.markdown(f"**Most alike: {escaped(matches[0].sentence)}**")
    rows = [
        {"sentence": m.sentence, "cosine": f"{m.cosine:.3f}", "no vector": ", ".join(m.unknown)}
        for m in matches
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")
    if without or missing:
        words = ", ".join(escaped(word[:20]) for word in missing[:5])
        st.caption(
            (f"No vector: {words}. " if missing else "")
            + (f"{_counted(len(without))} no word with a vector." if without else "")
        )
    st.markdown(
        "A text is the mean of its words' vectors here, so sentences are found that share no word with what"
        " is asked for, if their words keep similar company. A mean has no order: *The dog bit the man* and"
        " *The man bit the dog* have the same vector. Sentences that share frequent words such as *the* have higher"
        " cosines for that alone"
        + (
            "."
            if choice.subtract_mean
            else ", and so have all sentences, because all vectors have a part in common."
        )
    )


def _counted(n: int) -> str:
    return "1 sentence has" if n == 1 else f"{n} sentences have"


def _say_unread(choice: Choice, name: str, typed: str, start: str) -> None:
    """Say which letters of a text the vocabulary's words cannot have; signs only part them."""
    letters = "".join(c if c.isalnum() or c in "'’-_" else " " for c in typed)
    if typed != start:
        words = (found.word for found in choice.vocabulary.find(typed))
        page.show_what_was_changed(words_as_read(letters, words), name)


def _lines(typed: str) -> list[str]:
    lines = page.checked_text(typed, most=MOST_CHARACTERS, name="the sentences").splitlines()
    sentences = list(dict.fromkeys(" ".join(line.split()) for line in lines if line.strip()))
    if not 2 <= len(sentences) <= MOST_SENTENCES:
        raise TextError(
            f"there must be 2 to {MOST_SENTENCES} different sentences, one a line, got {len(sentences)}"
        )
    return sentences
