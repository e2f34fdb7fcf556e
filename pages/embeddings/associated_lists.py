"""Four lists of words: those of an example, or the visitor's own."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.text.what_was_read import words_as_read
from lm_core.text.word_queries import parse_words
from pages.embeddings.word_choice import Choice
from pages.shared import page
from pages.shared.ui.markdown import escaped

MOST = 12
FIELDS = {
    "target_1": "First list",
    "target_2": "Second list",
    "attribute_1": "Nearer to these …",
    "attribute_2": "… than to these?",
}
EXAMPLES = {
    "Men and women: career or home": (
        "he man men boy father son brother husband uncle",
        "she woman women girl mother daughter sister wife aunt",
        "business office money profession work career",
        "home family children house marriage parents wedding kitchen",
    ),
    "Men and women: science or art": (
        "he man men boy father son brother husband uncle",
        "she woman women girl mother daughter sister wife aunt",
        "science reason knowledge experiment mathematics history philosophy truth",
        "poetry music dance song beauty painting novel theatre",
    ),
    "Instruments and weapons: pleasant or not": (
        "violin piano guitar flute drum harp bell organ music",
        "gun sword pistol knife rifle cannon axe spear dagger",
        "love peace happy joy friend pleasure gentle laughter heaven honest",
        "death hatred pain evil murder sickness filth ugly poison cruel",
    ),
    "French and Russian: pleasant or not": (
        "french france napoleon paris emperor",
        "russian russia kutuzov moscow tsar",
        "love peace happy joy friend pleasure gentle laughter heaven honest",
        "death hatred pain evil murder sickness filth ugly poison cruel",
    ),
}
FIRST = next(iter(EXAMPLES.values()))


class Lists(NamedTuple):
    """The ids of the words of each list that have a vector."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    near: tuple[int, ...]
    far: tuple[int, ...]


def take_example(title: str) -> None:
    """Put an example into the four fields."""
    st.session_state.update(dict(zip(FIELDS, EXAMPLES[title], strict=True)))


def read_lists(choice: Choice, typed: list[str]) -> Lists | None:
    """Return the lists; None, and say why, where one has too few words with a vector."""
    known: list[tuple[int, ...]] = []
    unknown: list[str] = []
    for (name, label), raw, first in zip(FIELDS.items(), typed, FIRST, strict=True):
        try:
            found = parse_words(raw, choice.vocabulary, fewest=2, most=MOST)
            if len(found.known) < 2:
                raise TextError("at least 2 of its words must have a vector")
        except TextError as error:
            page.show_error(f"{label}: {error}", icon=":material/abc:")
            return None
        words = (*(choice.vocabulary.words[i] for i in found.known), *found.unknown)
        if raw != first:
            page.show_what_was_changed(words_as_read(raw, words), name)
        known.append(found.known)
        unknown += found.unknown
    if unknown:
        some = ", ".join(word[:20] for word in unknown[:6])
        st.caption(f"No vector: {escaped(some)}{', …' if len(unknown) > 6 else ''}. Left out.")
    return Lists(*known)
