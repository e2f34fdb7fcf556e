"""A chatbot from books: what a visitor says, what it replies, and whether that depends on what was said."""

import math
from functools import partial
from typing import Any

import streamlit as st

from lm_core.experiments.conversation.dialogues import MOST_CHARACTERS
from lm_core.experiments.conversation.replying import OTHER_TURNS
from lm_core.experiments.conversation.results import ConversationResults
from lm_core.experiments.conversation.study import CANDIDATES, CHANCE, WRITER
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.model_vocabulary import vocabulary_of
from pages.assistant.talker import TUNED, UNTUNED, Talking, first_exchange, replied
from pages.shared import page
from pages.shared.models.language_models import provenance_of
from pages.shared.numbers import percent
from pages.shared.ui.kept import FOR_YOU_ALONE, keep_state, kept_state, name_in_tab
from pages.shared.ui.lesson import provenance

NEXT = "I was at home all day, and nobody came."
_STATE = "assistant_talk"
_MOST_EXCHANGES, _PRESENTED = 12, 2
_ANSWERS = {
    "About 1 in 8: chance": CHANCE,
    "About half, as before": 0.5,
    "About 2 in 3": 0.67,
    "Nearly always": 0.95,
}


def conversation(screen: page.FirstScreen) -> None:
    """Draw the conversation so far, a field for the next turn, and what held-out replies depend on."""
    found = page.shipped(ConversationResults)
    talking = page.controls(Talking, screen)
    exchanges: list[dict[str, Any]] = kept_state(_STATE, name_in_tab(_STATE), list)
    asked = _ask(screen, found)
    with screen.picture:
        _say(exchanges or [first_exchange(talking)], talking)
        keep_state(name_in_tab(_STATE), exchanges)
        if not page.is_presenting():
            st.markdown("**Loss of replies from unseen books, in nats per token**")
            _scores(found, is_masked=asked.masks)
    page.note_beside(
        screen,
        "The model has read 33 books. It replies because it reads the turns so far as a page of a novel and draws"
        f" the next one, token by token. *Tuned*, it has low-rank updates that were learned on {found.replies:,}"
        " replies from these books. **Say something, then say something that does not fit at all.**",
    )
    if not page.is_presenting():
        _explain(found)


def _say(exchanges: list[dict[str, Any]], talking: Talking) -> None:
    """Draw the field for the next turn, the buttons that say it and begin anew, and what was said."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = page.text("say", "You say", NEXT, max_chars=MOST_CHARACTERS, width="stretch")
        page.button(
            "say_it",
            "Say it",
            "send",
            partial(_append, exchanges),
            type="primary",
            disabled=len(exchanges) >= _MOST_EXCHANGES,
        )
        page.button("talk_anew", "Start anew", "restart_alt", _begin_anew)
    page.say_limits({"say": MOST_CHARACTERS})
    page.read_and_say("say", typed, _read, NEXT)
    for place in range(len(exchanges))[-_PRESENTED if page.is_presenting() else 0 :]:
        _exchange(exchanges, place, talking)


def _read(typed: str) -> tuple[str, WhatWasRead]:
    """Return a turn in the characters of the books, without the quotes that would end it."""
    checked = page.checked_text(typed, most=MOST_CHARACTERS, name="a turn").strip()
    vocabulary = vocabulary_of(provenance_of(WRITER))
    prepared = vocabulary.prepare(checked).text.replace("\n", " ").replace('"', "'").strip()
    return prepared, sentence_as_read(checked, prepared, vocabulary)


def _append(exchanges: list[dict[str, Any]]) -> None:
    said, _ = _read(str(st.session_state.get("say", NEXT)))
    if said:
        st.session_state[_STATE] = [*exchanges, {"said": said}]


def _begin_anew() -> None:
    st.session_state[_STATE] = []


def _exchange(exchanges: list[dict[str, Any]], place: int, talking: Talking) -> None:
    """Draw what was said and what is replied; the reply is drawn when it is not there yet."""
    exchange = exchanges[place]
    if "reply" not in exchange:
        before = [turn for e in exchanges[:place] for turn in (e["said"], e["reply"])]
        with st.spinner("It replies"):
            exchange |= replied([*before, exchange["said"]], place, talking)
    st.text(f"You: {exchange['said']}")
    st.text(f"The books, {exchange.get('by', UNTUNED)}: {exchange['reply'] or '…'}")
    if exchange["times"] is not None:
        st.caption(
            f"After this turn a token of the reply is {exchange['times']:.2f} times as probable as after others."
        )


def _ask(screen: page.FirstScreen, found: ConversationResults) -> page.Asked:
    untuned, tuned = found.untuned, found.tuned
    return page.ask(
        screen,
        "tuned_listens",
        f"Take a reply from a book that it has not read, and {CANDIDATES} turns, one of which it answers. Untuned,"
        f" the reply is most probable after that one in {percent(untuned.found)}. How often is it after the tuning?",
        _ANSWERS,
        right=tuned.found,
        reason=f"**{percent(tuned.found)}**, with a standard error of {percent(tuned.standard_error)}, so we see no"
        " sign that it listens more. What fell is the loss of a reply, by"
        f" {untuned.answered - tuned.answered:.2f} nats after its own turn and by {untuned.other - tuned.other:.2f}"
        " after another one. So the tuning probably taught how people in books speak, and not what they answer.",
    )


def _scores(found: ConversationResults, *, is_masked: bool) -> None:
    rows = {UNTUNED: found.untuned, TUNED: found.tuned}
    columns = {
        "model": list(rows),
        "after its own turn": [round(scores.answered, 3) for scores in rows.values()],
        "after another turn": [round(scores.other, 3) for scores in rows.values()],
        "after none": [round(scores.nothing, 3) for scores in rows.values()],
    }
    if not is_masked:
        columns[f"own turn found among {CANDIDATES}"] = [percent(s.found) for s in rows.values()]
    st.dataframe(columns, hide_index=True)


def _explain(found: ConversationResults) -> None:
    untuned, tuned = (math.exp(s.other - s.answered) for s in (found.untuned, found.tuned))
    made = found.provenance["tuning"]
    st.markdown(
        f"After the turn that it answers a token of a reply is on average {tuned:.2f} times as probable as after"
        f" another one, untuned {untuned:.2f} times. So what either model replies depends only a little on what was"
        f" said. Ours learned from {found.replies:,} replies, DialoGPT from 147 million conversations, and later"
        " assistants from people's judgements as well."
    )
    st.caption(
        f"Tuned in {made['steps']:,} steps of {made['batch']} stretches out of {found.dialogues:,} dialogues that the"
        f" model had read, by updates of rank {made['rank']}. Measured on {found.tuned.replies:,} replies from parts"
        " of seven books that no model has read; a dialogue is"
        " paragraphs of direct speech that follow each other, so now and then the same person goes on. The first"
        " turn is ours, and so are the"
        f" sentences in whose place the last turn is put: {' '.join(OTHER_TURNS)} {FOR_YOU_ALONE}"
    )
    provenance(provenance_of(WRITER))
