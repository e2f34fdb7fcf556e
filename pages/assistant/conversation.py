"""A chatbot from books: what a visitor says, what it replies, and whether that depends on what was said."""

import math
from typing import Any

import streamlit as st

from lm_core.experiments.conversation.dialogues import MOST_CHARACTERS
from lm_core.experiments.conversation.replying import OTHER_TURNS
from lm_core.experiments.conversation.results import ConversationResults
from lm_core.experiments.conversation.study import CANDIDATES, CHANCE, WRITER, ReplyScores
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.model_vocabulary import vocabulary_of
from pages.assistant.talker import Talking, replied
from pages.shared import page
from pages.shared.models.language_models import provenance_of
from pages.shared.numbers import percent
from pages.shared.ui.kept import FOR_YOU_ALONE, keep_state, kept_state, name_in_tab
from pages.shared.ui.lesson import provenance
from pages.shared.ui.markdown import escaped

FIRST = "Good evening! Where have you been all day?"
_STATE = "assistant_talk"
_MOST_EXCHANGES = 12
_ANSWERS = {
    "About 1 in 8: chance": CHANCE,
    "About 1 in 4": 0.25,
    "About half": 0.5,
    "Nearly always": 0.95,
}


def conversation(screen: page.FirstScreen) -> None:
    """Draw the conversation so far, a field for the next turn, and what held-out replies depend on."""
    scores = page.shipped(ConversationResults).scores
    talking = page.controls(Talking, screen)
    exchanges: list[dict[str, Any]] = kept_state(_STATE, name_in_tab(_STATE), list)
    asked = _ask(screen, scores)
    with screen.picture:
        _say(len(exchanges))
        for place in range(len(exchanges)):
            _exchange(exchanges, place, talking)
        keep_state(name_in_tab(_STATE), exchanges)
        st.markdown("**Loss of replies from unseen books, in nats per token**")
        _scores(scores, is_masked=asked.masks)
    page.note_beside(
        screen,
        "The model has read 33 books, and nobody has taught it to converse. It replies because it reads the turns"
        " so far as a page of a novel and draws the next one, token by token. **Say something, then say"
        " something that does not fit at all.**",
    )
    if not page.is_presenting():
        _explain(scores)


def _say(n_exchanges: int) -> None:
    """Draw the field for the next turn, the button that says it, and the one that begins anew."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = page.text("say", "You say", FIRST, max_chars=MOST_CHARACTERS, width="stretch")
        page.button(
            "say_it",
            "Say it",
            "send",
            _append,
            type="primary",
            disabled=n_exchanges >= _MOST_EXCHANGES,
        )
        page.button("talk_anew", "Start anew", "restart_alt", _begin_anew)
    page.say_limits({"say": MOST_CHARACTERS})
    page.read_and_say("say", typed, _read, FIRST)


def _read(typed: str) -> tuple[str, WhatWasRead]:
    """Return a turn in the characters of the books, without the quotes that would end it."""
    checked = page.checked_text(typed, most=MOST_CHARACTERS, name="a turn").strip()
    vocabulary = vocabulary_of(provenance_of(WRITER))
    prepared = vocabulary.prepare(checked).text.replace("\n", " ").replace('"', "'").strip()
    return prepared, sentence_as_read(checked, prepared, vocabulary)


def _append() -> None:
    said, _ = _read(str(st.session_state.get("say", FIRST)))
    if said:
        st.session_state[_STATE] = [*st.session_state.get(_STATE, []), {"said": said}]


def _begin_anew() -> None:
    st.session_state[_STATE] = []


def _exchange(exchanges: list[dict[str, Any]], place: int, talking: Talking) -> None:
    """Draw what was said and what is replied; the reply is drawn when it is not there yet."""
    exchange = exchanges[place]
    if "reply" not in exchange:
        before = [turn for e in exchanges[:place] for turn in (e["said"], e["reply"])]
        exchange |= replied([*before, exchange["said"]], place, talking)
    st.markdown(f"**You**: {escaped(exchange['said'])}")
    st.markdown(f"**The books**: {escaped(exchange['reply']) or '…'}")
    if exchange["times"] is not None:
        st.caption(
            f"After your words a token of this reply is {exchange['times']:.2f} times as probable as after others."
        )


def _ask(screen: page.FirstScreen, scores: ReplyScores) -> page.Asked:
    return page.ask(
        screen,
        "listens",
        f"Take a reply from a book that it has not read, and {CANDIDATES} turns, one of which it answers. How"
        " often is the reply most probable after that one?",
        _ANSWERS,
        right=scores.found,
        reason=f"**{percent(scores.found)}**, where chance is {percent(CHANCE, 1)}: so it does listen. But it listens"
        f" little, because after the right turn a token's loss is {scores.answered:.2f} nats and after another"
        f" one {scores.other:.2f}. Most of a reply probably depends on the language and on the manner of the book.",
    )


def _scores(scores: ReplyScores, *, is_masked: bool) -> None:
    columns: dict[str, list[Any]] = {
        "after its own turn": [round(scores.answered, 3)],
        "after another turn": [round(scores.other, 3)],
        "after none": [round(scores.nothing, 3)],
    }
    if not is_masked:
        columns[f"own turn found among {CANDIDATES}"] = [percent(scores.found)]
    st.dataframe(columns, hide_index=True)


def _explain(scores: ReplyScores) -> None:
    times = math.exp(scores.other - scores.answered)
    st.markdown(
        f"After the turn that it answers a token of a reply is on average {times:.2f} times as probable as after"
        " another one. So the model answers in the right tone, and rarely to the point. It was not tuned to"
        " converse: it continues a page of a novel, and we show what it says within the quotes. DialoGPT was"
        " trained further on 147 million conversations, and later assistants on people's judgements as well."
    )
    st.caption(
        f"Measured on {scores.replies:,} replies from parts of seven books that no model has read; a dialogue is"
        " paragraphs of direct speech that follow each other, so now and then the same person goes on. The"
        f" sentences in whose place yours is put: {' '.join(OTHER_TURNS)} {FOR_YOU_ALONE}"
    )
    provenance(provenance_of(WRITER))
