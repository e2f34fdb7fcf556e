"""One word in two sentences: the probabilities of its tags, and from which window on they part."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.part_of_speech_tagging import inference
from lm_core.experiments.part_of_speech_tagging.settings import RECURRENT, WINDOWS, window_name
from lm_core.models.tagger import AVERAGED, CONCATENATED
from lm_core.text.tagged_sentences import TAGS
from lm_core.text.word_features import spelled_plainly
from pages.part_of_speech_tagging.taggers import (
    TITLES,
    Chosen,
    choose_tagger,
    probabilities,
    provenance_line,
    results,
)
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.charts.tagging import picked_column, tag_map, tag_table
from pages.shared.numbers import percent
from pages.shared.ui.controls import begin_anew
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import guesses_in_picture
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import last_readable, read_or_keep, say_limits
from pages.shared.ui.what_was_read import show_what_was_changed

FIRST = ("we have argued for a salary increase", "please increase the volume")
EXAMPLES = (
    FIRST,
    ("the old man the boats", "the old man sleeps"),
    ("they can fish here", "they eat a can of fish"),
    ("time flies like an arrow", "fruit flies like a banana"),
    ("that is what I said", "I said that it is late"),
)
_FIELDS = ("tagged", "tagged_beside")
_CHOSEN = ("tagged_word", "tagged_beside_word")
"""Controls that say which word of either sentence is compared."""
_MOST_AMBIGUOUS = 0
_CLICKED, _FOLLOWED = "tag_map_clicked", "tag_map_followed"
_LINES = ("first", "second")
_COLOURS = (BLUE, ORANGE)
_HEIGHT = 280
_LONGEST_NAMED = 16
"""Letters of a word that a picture has room for."""
_NEVER = "none of these"


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
        show_what_was_changed(inference.what_was_read(texts, results().vocabulary), "tagged")
    with word:
        return compared(sentences, tuple(map(_choose_word, _CHOSEN, sentences)))


def _choose_word(name: str, sentence: tuple[str, ...]) -> int | None:
    """Draw which word of a sentence is compared; return its place, or None for the most ambiguous one."""
    clicked = st.session_state.get(_CLICKED)
    begin_anew(name, sentence, _MOST_AMBIGUOUS)
    if clicked and clicked[0] == name:
        st.session_state[name] = clicked[1]
        del st.session_state[_CLICKED]
    chosen = page.choice(
        name,
        "Word of the first sentence" if name == _CHOSEN[0] else "Word of the second sentence",
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


# The picture ----------------------------------------------------------------------------------


def two_tags(screen: page.FirstScreen) -> None:
    """Draw the tags of every word of the sentences, and the word's tag by window once it was guessed."""
    with screen.controls:
        chosen = choose_tagger("context_words", 0)
    with screen.picture:
        read = choose_sentences()
    tag = disputed_tag(read)
    asked = _ask(screen, read, tag)
    with screen.picture:
        st.markdown(f"**{_finding(read, chosen)}**")
        left, right = st.columns([1.6, 1], gap="medium")
        with left:
            _map(read, chosen)
        with right:
            _by_window(read, chosen, tag, asked)
    _notes(screen, read)
    provenance_line(chosen)


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


def _ask(screen: page.FirstScreen, read: Read, tag: int) -> page.Asked:
    """Ask for the window on the page's own sentences and word; on others nothing is asked."""
    if read != compared(tuple(inference.words_of_sentence(sentence) for sentence in FIRST)):
        return page.Asked()
    answers = [*map(str, WINDOWS[:4]), _NEVER]

    def holds() -> str:
        needed = least_window(read, CONCATENATED)
        return str(needed) if str(needed) in answers else _NEVER

    def reason(_: str | None) -> str:
        before, then = (
            " and ".join(percent(p[tag]) for p in read.at_word(window_name(CONCATENATED, w)))
            for w in (0, least_window(read, CONCATENATED) or 0)
        )
        return (
            f"**{holds()}**: P({TAGS[tag]}) is {before} without neighbours and {then} with them,"
            " because the word alone is the same in both sentences."
        )

    return page.ask(
        screen,
        "needed_window",
        f"How many words to either side does it take to tell which {as_code(read.word)} is a verb?",
        answers,
        right=holds,
        reason=reason,
    )


def _finding(read: Read, chosen: Chosen) -> str:
    found = read.at_word(chosen.name)
    best = [int(p.argmax()) for p in found]
    said = [f"{TAGS[i]} {percent(p[i])}" for i, p in zip(best, found, strict=True)]
    if not read.is_shared:
        words = (
            f"{as_code(sentence[place])} is {text}"
            for sentence, place, text in zip(read.sentences, read.places, said, strict=True)
        )
        return f"{chosen.title}: {', '.join(words)}"
    where = f"{said[0]} in the first sentence, {said[1]} in the second"
    if best[0] == best[1] and np.allclose(found[0], found[1], atol=5e-3):
        where = f"{said[0]} in both sentences"
    return f"{chosen.title}: {as_code(read.word)} is {where}"


def _map(read: Read, chosen: Chosen) -> None:
    found = [probabilities(chosen.name, sentence) for sentence in read.sentences]
    counts = results().tag_counts
    by_count = [[counts.most_frequent(word) for word in words] for words in read.sentences]
    table = tag_table(read.sentences, TAGS, found, by_count, read.places)
    picked = show_chart(
        tag_map(table, height=_HEIGHT),
        table,
        key="tag_map",
        alt="The most probable tag of each word: "
        + "; ".join(
            f"{word} {TAGS[int(p.argmax())]} {percent(p.max())}"
            for words, rows in zip(read.sentences, found, strict=True)
            for word, p in zip(words, rows, strict=True)
        ),
        name="tags-of-words",
        is_small=True,
        selectable=True,
    )
    _follow_click(read, picked_column(picked))


def _follow_click(read: Read, column: int | None) -> None:
    """Compare the word in whose column somebody has just clicked: one number a word, and one for the gap."""
    is_new = column is not None and column != st.session_state.get(_FOLLOWED)
    st.session_state[_FOLLOWED] = column
    if column is None or not is_new:
        return
    n_first = len(read.sentences[0])
    number, place = (0, column) if column < n_first else (1, column - n_first - 1)
    st.session_state[_CLICKED] = _CHOSEN[number], place + 1
    st.rerun()


def _by_window(read: Read, chosen: Chosen, tag: int, asked: page.Asked) -> None:
    """Draw the probability of the disputed tag by window, in every sentence."""
    combination = chosen.kind if chosen.kind in (CONCATENATED, AVERAGED) else CONCATENATED
    windows = WINDOWS[:1] if asked.masks else WINDOWS
    names = _LINES if read.is_shared else _LINES[:1]
    by_window = {w: read.at_word(window_name(combination, w)) for w in windows}
    lines = {
        name: [(float(w), float(found[i][tag])) for w, found in by_window.items()]
        for i, name in enumerate(names)
    }
    share = float(results().tag_counts.shares(read.word)[tag])
    references = {"counting": [(5.0, share), (0.0, share)]}
    if chosen.kind != combination and not asked.masks:
        for name, found in zip(names, read.at_word(chosen.name), strict=False):
            value = float(found[tag])
            references[f"{TITLES[chosen.kind]}, {name}"] = [(0.0, value), (5.0, value)]
    guess = guesses_in_picture(
        asked.prediction, lambda said: None if said == _NEVER else (float(said), 0.5)
    )
    show_chart(
        line_chart(
            lines,
            {
                name: LineStyle(colour, i)
                for i, (name, colour) in enumerate(zip(_LINES, _COLOURS, strict=True))
            },
            Axis(f"window, {combination}", (0.0, 5.0), values=tuple(map(float, WINDOWS))),
            Axis(f"P({TAGS[tag]}) of {read.word[:_LONGEST_NAMED]}", (0.0, 1.0), form=".0%"),
            references=references,
            guess=guess,
            has_points=True,
            height=_HEIGHT,
        ),
        pd.DataFrame(
            [(name, int(x), y) for name, pairs in lines.items() for x, y in pairs],
            columns=["sentence", "words to either side", f"probability of {TAGS[tag]}"],
        ),
        key="tag_by_window",
        alt=f"P({TAGS[tag]}) of {read.word} by words to either side. "
        + "; ".join(
            f"{name}: " + ", ".join(f"{percent(y)} at {x:g}" for x, y in pairs)
            for name, pairs in lines.items()
        ),
        name="tag-by-window",
        is_small=True,
    )


def _notes(screen: page.FirstScreen, read: Read) -> None:
    counts = results().tag_counts
    if counts.has(read.word):
        shares = counts.shares(read.word)
        n = int(counts.counts[spelled_plainly(read.word)].sum())
        said = ", ".join(
            f"{TAGS[i]} {percent(shares[i])}"
            for i in np.argsort(-shares)[:3].tolist()
            if shares[i] > 0
        )
        known = f"The training texts have {as_code(read.word)} {n:,} times: {said}."
    else:
        known = (
            f"{as_code(read.word)} is seldom or never in the training texts, so the tagger has to go by"
            " its letters and its capital."
        )
    page.note_beside(
        screen,
        f"{known} A *part-of-speech tag* says what a word is in its sentence, so one word can have"
        " several. The underlined tag is the word's most frequent one.",
    )
