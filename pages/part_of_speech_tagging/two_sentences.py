"""Two sentences with one word that is tagged differently in them."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.experiments.part_of_speech_tagging import inference
from lm_core.experiments.part_of_speech_tagging.settings import RECURRENT, WINDOWS, window_name
from lm_core.text.word_features import spelled_plainly
from pages.part_of_speech_tagging.taggers import probabilities, results
from pages.shared import page
from pages.shared.ui.controls import begin_anew
from pages.shared.ui.text_input import last_readable, read_or_keep, say_limits

FIRST = ("we have argued for a salary increase", "please increase the volume")
EXAMPLES = (
    FIRST,
    ("the old man the boats", "the old man sleeps"),
    ("they can fish here", "they eat a can of fish"),
    ("time flies like an arrow", "fruit flies like a banana"),
    ("that is what I said", "I said that it is late"),
)
_FIELDS = ("tagged", "tagged_beside")
CHOSEN = ("tagged_word", "tagged_beside_word")
"""Controls that say which word of either sentence is compared."""
_MOST_AMBIGUOUS = 0
CLICKED, FOLLOWED = "tag_map_clicked", "tag_map_followed"


class Read(NamedTuple):
    """The sentences on screen."""

    sentences: tuple[tuple[str, ...], ...]  # one or two, in words
    places: tuple[int, ...]  # in each, the place of the word that is compared
    is_shared: bool  # whether both sentences have that word

    @property
    def word(self) -> str:
        """The word that is compared."""
        return self.sentences[0][self.places[0]]

    def at_word(self, name: str) -> list[np.ndarray]:
        """Return a tagger's probabilities of the word's tags, (K,) for each sentence."""
        return [
            probabilities(name, sentence)[place]
            for sentence, place in zip(self.sentences, self.places, strict=True)
        ]


def choose_sentences() -> Read:
    """Draw the two fields, and return what can be read of them."""
    with st.container(
        key="wrapped_fields", horizontal=True, vertical_alignment="bottom", gap="small"
    ):
        typed = [
            page.text(
                name,
                label,
                first,
                label_visibility="collapsed",
                placeholder=placeholder,
                max_chars=inference.MOST_CHARACTERS,
                width="stretch",
            )
            for name, label, first, placeholder in zip(
                _FIELDS,
                ("Sentence", "Second sentence"),
                FIRST,
                (f"a sentence of at most {inference.MOST_WORDS} words", "a second one, or nothing"),
                strict=True,
            )
        ]
        st.menu_button(
            "Examples",
            [" / ".join(pair) for pair in EXAMPLES],
            key="tagged_examples",
            on_click=_take_example,
        )
        word = st.popover("Word", icon=":material/highlight:", key="tagged_words")
    say_limits(dict.fromkeys(_FIELDS, inference.MOST_CHARACTERS))
    first = read_or_keep(_FIELDS[0], typed[0], inference.words_of_sentence, FIRST[0])
    second = read_or_keep(_FIELDS[1], typed[1], _words_or_none, "")
    sentences = (first, second) if second else (first,)
    if typed != list(FIRST):
        texts = [last_readable(_FIELDS[0], FIRST[0]), last_readable(_FIELDS[1], "")]
        page.show_what_was_changed(inference.what_was_read(texts, results().vocabulary), "tagged")
    with word:
        return compared(sentences, tuple(map(_choose_word, CHOSEN, sentences)))


def _choose_word(name: str, sentence: tuple[str, ...]) -> int | None:
    """Draw which word of a sentence is compared; return its place, or None for the most ambiguous one."""
    clicked = st.session_state.get(CLICKED)
    begin_anew(name, sentence, _MOST_AMBIGUOUS)
    if clicked and clicked[0] == name:
        st.session_state[name] = clicked[1]
        del st.session_state[CLICKED]
    chosen = page.choice(
        name,
        "Word of the first sentence" if name == CHOSEN[0] else "Word of the second sentence",
        range(len(sentence) + 1),
        format_func=lambda i: f"{i}: {sentence[i - 1]}" if i else "the most ambiguous",
    )
    return None if chosen == _MOST_AMBIGUOUS else int(chosen) - 1


def _words_or_none(typed: str) -> tuple[str, ...]:
    return inference.words_of_sentence(typed) if typed.strip() else ()


def _take_example() -> None:
    picked = st.session_state["tagged_examples"].split(" / ")
    for name, sentence in zip(_FIELDS, picked, strict=True):
        st.session_state[name] = sentence


def compared(
    sentences: tuple[tuple[str, ...], ...], chosen: tuple[int | None, ...] = (None, None)
) -> Read:
    """Choose the word that is compared: of those that all sentences have, the most ambiguous one.

    Parameters
    ----------
    chosen : tuple of int or None
        The place in each sentence that a visitor has chosen; None for the word that fits best.
    """
    spelled = [[spelled_plainly(word) for word in sentence] for sentence in sentences]
    wanted = [words[i] for words, i in zip(spelled, chosen, strict=False) if i is not None]
    shared = set(spelled[0]).intersection(*spelled)
    shared &= set(wanted) or shared
    alike = max(sorted(shared), key=_ambiguity) if shared else None
    places = tuple(
        i
        if i is not None
        else words.index(alike if alike is not None else max(words, key=_ambiguity))
        for words, i in zip(spelled, chosen, strict=False)
    )
    at_places = {words[i] for words, i in zip(spelled, places, strict=True)}
    return Read(sentences, places, is_shared=len(sentences) > 1 and len(at_places) == 1)


def _ambiguity(word: str) -> float:
    """Return how often a word has not its most frequent tag; a new word comes after all known ones."""
    counts = results().tag_counts
    return 1.0 - float(counts.shares(word).max()) if counts.has(word) else -1.0


def disputed_tag(read: Read) -> int:
    """Return the tag that the second sentence speaks for most, by the LSTM; of one word, its own."""
    found = read.at_word(RECURRENT)
    if read.is_shared:
        return int((found[1] - found[0]).argmax())
    return int(found[0].argmax())


def least_window(read: Read, combination: str) -> int | None:
    """Return the smallest window from which on the word's tag is the LSTM's in every sentence."""
    wanted = [int(p.argmax()) for p in read.at_word(RECURRENT)]
    found = None
    for window in reversed(WINDOWS):
        if [int(p.argmax()) for p in read.at_word(window_name(combination, window))] != wanted:
            break
        found = window
    return found
