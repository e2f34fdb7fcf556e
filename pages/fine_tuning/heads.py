"""Four heads: the tuned models on a visitor's own text, and which vectors each head reads."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.fine_tuning.asking import (
    MOST_CHARACTERS,
    AskedSpeaker,
    FoundSpan,
    WordsToTag,
    class_probabilities,
    find_speaker,
    quotations_of,
    read_pair,
    read_passage,
    read_question,
    read_words,
    tag_probabilities,
)
from lm_core.experiments.fine_tuning.settings import AUTHOR, LORA, PAIR, SPEAKER, TAG
from lm_core.text.what_was_read import what_a_model_reads
from pages.fine_tuning.examples import PAIRS, PASSAGES, SPOKEN, TAGGED
from pages.fine_tuning.subject import (
    EXAMPLES,
    adapters_of,
    choose_task,
    encoder,
    encoder_meta,
    results,
    tuned_model,
    vocabulary,
)
from pages.fine_tuning.task_heads_chart import HeadPanel, heads_diagram
from pages.shared import page
from pages.shared.charts.drawing import with_columns
from pages.shared.charts.palette import GREEN
from pages.shared.charts.predictions import percentage, prediction_bars, prediction_table
from pages.shared.charts.tagging import tag_map, tag_table
from pages.shared.components.texts import ANSWER, FIRST, SECOND, Tint, tinted_text
from pages.shared.numbers import percent
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import read_or_keep, say_limits
from pages.shared.ui.what_was_read import show_what_was_changed

_PANELS = (
    HeadPanel(AUTHOR, ("CLS", "a", "text", "SEP"), (0, 1, 2, 3), ("class",), "one of four"),
    HeadPanel(PAIR, ("CLS", "a", "SEP", "b", "SEP"), (0, 1, 2, 3, 4), ("class",), "follows or not"),
    HeadPanel(TAG, ("CLS", "the", "gar", "den"), (1, 2), ("DET", "NOUN"), "a tag each word"),
    HeadPanel(
        SPEAKER, ("CLS", "?", "SEP", "Ann", "ran"), (3, 4), ("2", "2"), "2 scores each token"
    ),
)
_PAIR = ("first_sentence", "second_sentence")
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
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


def heads(screen: FirstScreen) -> None:
    """Draw what a task's head makes of a text, with the vectors that it reads beside."""
    with screen.controls:
        task = choose_task()
        n_labelled = _choose_number(task)
    _ASK[task](screen, n_labelled)
    note_beside(screen, _NOTES[task])
    if not is_presenting():
        with screen.beside:
            show_chart(
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
    return int(
        page.pick(
            f"learned_from_{task.replace(' ', '_')}",
            "Learned from",
            numbers,
            numbers[-1],
            format_func=lambda n: f"{n:,} {EXAMPLES[task]}",
            width=230,
        )
    )


def _heads_frame() -> pd.DataFrame:
    return pd.DataFrame(
        [
            (p.name, " ".join(p.tokens), " ".join(p.tokens[i] for i in p.read), p.note)
            for p in _PANELS
        ],
        columns=["task", "tokens", "vectors that are read", "result"],
    )


def _field(
    screen: FirstScreen,
    name: str,
    label: str,
    first: str,
    examples: Sequence[str] = (),
    take: Callable[[str], None] | None = None,
    **settings: Any,
) -> str:
    """Draw a field for a text with examples to pick; in the presenter view it is behind a button.

    Parameters
    ----------
    name, label, first : str, of the control, and what it begins with
    take : callable of a str, puts an example into its place; by default into this field
    **settings
        ``height`` of a field of several lines.
    """
    place = screen.controls.popover(label) if is_presenting() else screen.picture
    with place, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = control(
            st.text_area if settings else st.text_input,
            name,
            label,
            first,
            label_visibility="collapsed",
            max_chars=MOST_CHARACTERS,
            width="stretch",
            **settings,
        )
        if examples:
            key = f"{name}_examples"
            st.menu_button(
                "Examples", list(examples), key=key, on_click=_take, args=(key, take or name)
            )
    with place:
        say_limits({name: MOST_CHARACTERS})
    return str(typed)


def _take(key: str, into: str | Callable[[str], None]) -> None:
    picked = str(st.session_state[key])
    if callable(into):
        into(picked)
    else:
        st.session_state[into] = picked


# Classes --------------------------------------------------------------------------------------


def _say_what_was_read(typed: str, ours: Sequence[str]) -> None:
    """Say what the encoder leaves out of a visitor's text, or changes; of ours it reads all."""
    if typed not in ours:
        show_what_was_changed(what_a_model_reads(typed, vocabulary()), "own_text")


def _author(screen: FirstScreen, n_labelled: int) -> None:
    typed = _field(screen, "passage", "Passage", PASSAGES[0], PASSAGES, height=80)
    with screen.picture:
        _say_what_was_read(typed, PASSAGES)
        ids = read_or_keep(
            "passage", typed, lambda text: read_passage(text, vocabulary()), PASSAGES[0]
        )
    _classes(screen, AUTHOR, n_labelled, tuple(map(tuple, ids)), "It sounds like")


def _pair(screen: FirstScreen, n_labelled: int) -> None:
    examples = [" / ".join(pair) for pair in PAIRS]
    first, second = PAIRS[0]
    typed = (
        _field(screen, _PAIR[0], "First sentence", first),
        _field(screen, _PAIR[1], "Second sentence", second, examples, _take_pair),
    )
    with screen.picture:
        _say_what_was_read("\n".join(typed), ["\n".join(pair) for pair in PAIRS])
        # Each is read beside the other's default: a slip in one keeps what could be read of it.
        ids = (
            read_or_keep(
                _PAIR[0], typed[0], lambda t: read_pair(t, second, vocabulary())[0], first
            ),
            read_or_keep(
                _PAIR[1], typed[1], lambda t: read_pair(first, t, vocabulary())[1], second
            ),
        )
    _classes(screen, PAIR, n_labelled, tuple(map(tuple, ids)), "The second sentence")


def _take_pair(picked: str) -> None:
    for name, sentence in zip(_PAIR, picked.split(" / "), strict=True):
        st.session_state[name] = sentence


def _classes(
    screen: FirstScreen, task: str, n_labelled: int, ids: tuple[tuple[int, ...], ...], said: str
) -> None:
    """Draw the probabilities of a task's classes."""
    found = _class_probabilities(encoder_meta().weights_sha256, task, n_labelled, ids)
    labels = results().tasks[task].labels
    best = int(found.argmax())
    names = [
        label.replace(" ", _NO_BREAK_SPACE) for label in labels
    ]  # no tokens, whose spaces are drawn
    table = prediction_table(names, {"": found}, most=len(names))
    with screen.picture:
        st.markdown(f"**{said}: {labels[best]}, {percentage(float(found[best]))}**")
        show_chart(
            prediction_bars(table, unit="class", colour=GREEN, height=60 + 30 * len(labels)),
            table,
            key="class_bars",
            alt="; ".join(
                f"{name} {percentage(float(p))}" for name, p in zip(labels, found, strict=True)
            ),
            name="classes",
        )


@st.cache_data(max_entries=256, show_spinner=False)
def _class_probabilities(
    sha256: str, task: str, n_labelled: int, ids: tuple[tuple[int, ...], ...]
) -> np.ndarray:
    del sha256  # part of the key
    model = tuned_model(task, n_labelled)
    with model_calls:
        return class_probabilities(model, [ids])[0]


# Tags -----------------------------------------------------------------------------------------


def _tags(screen: FirstScreen, n_labelled: int) -> None:
    typed = _field(screen, "sentence_to_tag", "Sentence", TAGGED[0], TAGGED)
    with screen.picture:
        _say_what_was_read(typed, TAGGED)
        asked = read_or_keep(
            "sentence_to_tag", typed, lambda text: read_words(text, vocabulary()), TAGGED[0]
        )
        labels = results().tasks[TAG].labels
        found = _tag_probabilities(
            encoder_meta().weights_sha256,
            n_labelled,
            asked.words,
            tuple(asked.subwords),
            tuple(asked.places),
        )
        least = int(found.max(1).argmin())
        tag = labels[int(found[least].argmax())]
        st.markdown(
            f"**Least certain: {as_code(asked.words[least])} is {tag} with"
            f" {percentage(float(found[least].max()))}**"
        )
        nothing = [[-1] * len(asked.words)]  # no tag is underlined: nothing was counted here
        table = tag_table([asked.words], labels, [found], nothing, [least])
        show_chart(
            tag_map(table, height=300),
            table,
            key="tag_map",
            alt="; ".join(
                f"{word} {labels[int(p.argmax())]} {percent(p.max())}"
                for word, p in zip(asked.words, found, strict=True)
            ),
            name="tags-of-words",
        )


@st.cache_data(max_entries=256, show_spinner=False)
def _tag_probabilities(
    sha256: str,
    n_labelled: int,
    words: tuple[str, ...],
    subwords: tuple[int, ...],
    places: tuple[int, ...],
) -> np.ndarray:
    del sha256  # part of the key
    model = tuned_model(TAG, n_labelled)
    with model_calls:
        return tag_probabilities(model, WordsToTag(words, list(subwords), list(places)))


# Spans ----------------------------------------------------------------------------------------


def _speaker(screen: FirstScreen, n_labelled: int) -> None:
    typed = _field(screen, "spoken_passage", "Passage", SPOKEN[0], SPOKEN)
    with screen.picture:
        _say_what_was_read(typed, SPOKEN)
        passage, said = read_or_keep("spoken_passage", typed, _read_spoken, SPOKEN[0])
        number = int(
            page.choice(
                "quotation",
                "Who says",
                range(1, len(said) + 1),
                format_func=lambda i: f'Who says: "{said[i - 1]}"',
                label_visibility="collapsed",
                width="stretch",
            )
        )
        asked = read_question(passage, said[number - 1], vocabulary(), encoder().config)
        found = _span(
            encoder_meta().weights_sha256, n_labelled, tuple(asked.quotation), tuple(asked.passage)
        )
        spelled = [text.replace("\n", "") for text in vocabulary().spell(asked.passage)]
        answer = "".join(spelled[found.start : found.stop]).strip()
        st.markdown(
            f"**Answer: {as_code(answer)}.** First subword"
            f" {percentage(float(found.first[found.start]))}, last"
            f" {percentage(float(found.last[found.stop - 1]))}"
        )
        _marked(spelled, found)
        if not is_presenting():  # large type leaves room for the passage alone
            _ends(spelled, found)


def _read_spoken(text: str) -> tuple[str, list[str]]:
    """Return a passage and what is said in it, if every question about it can be read."""
    said = quotations_of(text, vocabulary())
    for quotation in said or [""]:
        read_question(text, quotation, vocabulary(), encoder().config)
    return text, said


@st.cache_data(max_entries=256, show_spinner=False)
def _span(
    sha256: str, n_labelled: int, quotation: tuple[int, ...], passage: tuple[int, ...]
) -> FoundSpan:
    del sha256  # part of the key
    model = tuned_model(SPEAKER, n_labelled)
    with model_calls:
        return find_speaker(model, AskedSpeaker(list(quotation), list(passage)))


def _marked(spelled: Sequence[str], found: FoundSpan) -> None:
    """Draw the passage: the stronger the colour, the more probable as the answer's first or last subword."""
    tints = []
    for place, (first, last) in enumerate(zip(found.first, found.last, strict=True)):
        roles = [FIRST if first >= last else SECOND]
        if found.start <= place < found.stop:
            roles.append(ANSWER)
        reading = f"first {percentage(float(first))}, last {percentage(float(last))}"
        tints.append(Tint(tuple(roles), round(100 * float(max(first, last))), reading))
    tinted_text(
        spelled,
        tints,
        key="span",
        legend=((FIRST, "first subword"), (SECOND, "last subword")),
        unit="subword",
        label="The passage, with the answer marked",
        click_hint="Point at a subword: how probable it is as the answer's first and last.",
        fills_place=is_presenting(),
    )


def _ends(spelled: Sequence[str], found: FoundSpan) -> None:
    """Draw the most probable first and last subwords."""
    names = [f"{i} {text.strip()}" for i, text in enumerate(spelled)]
    table = prediction_table(
        names, {"first": found.first, "last": found.last}, most=4, marked=found.start
    )
    # No stage comes before another here: there is nothing to compare with.
    table = with_columns(table, before=table["probability"])
    show_chart(
        prediction_bars(table, unit="subword", mark="starts here", colour=GREEN),
        table,
        key="span_bars",
        alt=f"The answer begins at {names[found.start]} and ends at {names[found.stop - 1]}.",
        name="first-and-last-subword",
    )


_ASK: dict[str, Callable[[FirstScreen, int], None]] = {
    AUTHOR: _author,
    PAIR: _pair,
    TAG: _tags,
    SPEAKER: _speaker,
}
