"""One word in two sentences: the probabilities of its tags, and from which window on they part."""

import numpy as np
import streamlit as st

from lm_core.experiments.part_of_speech_tagging import inference
from lm_core.experiments.part_of_speech_tagging.settings import WINDOWS, window_name
from lm_core.models.tagger import CONCATENATED
from lm_core.text.tagged_sentences import TAGS
from lm_core.text.word_features import spelled_plainly
from pages.part_of_speech_tagging.taggers import (
    Chosen,
    choose_tagger,
    probabilities,
    provenance_line,
    results,
)
from pages.part_of_speech_tagging.tags_by_window import HEIGHT, NEVER, draw_by_window
from pages.part_of_speech_tagging.two_sentences import (
    CHOSEN,
    CLICKED,
    FIRST,
    FOLLOWED,
    Read,
    choose_sentences,
    compared,
    disputed_tag,
    least_window,
)
from pages.shared import page
from pages.shared.charts.tagging import picked_column, tag_map, tag_table
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code

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
            draw_by_window(read, chosen, tag, asked)
    _notes(screen, read)
    provenance_line(chosen)


def _ask(screen: page.FirstScreen, read: Read, tag: int) -> page.Asked:
    """Ask for the window on the page's own sentences and word; on others nothing is asked."""
    if read != compared(tuple(inference.words_of_sentence(sentence) for sentence in FIRST)):
        return page.Asked()
    answers = [*map(str, WINDOWS[:4]), NEVER]

    def holds() -> str:
        needed = least_window(read, CONCATENATED)
        return str(needed) if str(needed) in answers else NEVER

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
    picked = page.show_chart(
        tag_map(table, height=HEIGHT),
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
    is_new = column is not None and column != st.session_state.get(FOLLOWED)
    st.session_state[FOLLOWED] = column
    if column is None or not is_new:
        return
    n_first = len(read.sentences[0])
    number, place = (0, column) if column < n_first else (1, column - n_first - 1)
    st.session_state[CLICKED] = CHOSEN[number], place + 1
    st.rerun()


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
