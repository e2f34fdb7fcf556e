"""One prompt, and what a model makes of it: its continuation, and its choice among eight answers."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.assistant.study import CHANCE, TRIALS, Reply
from lm_core.experiments.assistant.tasks import CANDIDATES, SHOTS, TASKS
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.assistant.asked import Model, continuation, metas, reply_to, title_of
from pages.assistant.examples_choice import TASK_TITLES, choose_style
from pages.shared import page
from pages.shared.charts.predictions import candidate_table, prediction_bars
from pages.shared.components.texts import generation_strip
from pages.shared.numbers import percent
from pages.shared.ui.lesson import provenance
from pages.shared.ui.markdown import as_code
from pages.shared.ui.messages import errors_in_place
from pages.shared.ui.text_input import PROMPT_CHARACTERS, checked_text, say_limits
from pages.shared.ui.what_was_read import read_and_say

OWN = "own"
OWN_PROMPT = "translate: dog\nanswer: chien\n\ntranslate: cat\nanswer:"
_TITLES = TASK_TITLES | {OWN: "Own prompt"}
_LENGTH = {"character": 40, "token": 12}


class Asking(NamedTuple):
    """Who is asked what."""

    model: Model
    task: str  # or `OWN`
    shots: int
    style: str
    question: int  # from 0, of those that were measured


def _choose_prompt(screen: page.FirstScreen) -> Asking:
    """Draw the choice of model, task and examples, and return it."""
    known = metas()
    with screen.controls:
        name = page.control(
            st.selectbox,
            "model",
            "Model",
            list(known),
            1 if len(known) > 1 else 0,
            format_func=lambda name: title_of(known[name]),
            width=260,
        )
        task = page.choice("asked_task", "Task", _TITLES, width=150)
        with st.popover("More", icon=":material/tune:"):
            shots = page.slider("shots", "Examples before the question", 0, SHOTS[-1], 2)
            question = page.number("question", "Question of those measured", 1, TRIALS, 5)
            style = choose_style()
    return Asking(Model.of(known[name]), str(task), int(shots), style, int(question) - 1)


def prompt(screen: page.FirstScreen) -> None:
    """Draw the prompt with its continuation, and the answers that the model chose among."""
    asking = _choose_prompt(screen)
    if asking.task == OWN:
        _own(screen, asking.model)
        return
    reply = reply_to(asking.model, asking.task, asking.style, asking.shots, asking.question)
    text = continuation(asking.model, reply.prompt, _LENGTH[asking.model.vocabulary.unit])
    with screen.picture:
        st.markdown(f"**{_finding(asking, reply, text)}**")
        left, right = st.columns([1.2, 1], gap="medium")
        with left:
            _text(asking.model, text)
        with right:
            _candidates(reply)
    page.note_beside(
        screen,
        "On the left is the prompt, and what the model writes after it: always the most probable token."
        f" On the right it chooses among {CANDIDATES} answers, because free writing is seldom exactly one"
        " of them. **Ask the untuned model, then the tuned one; move the examples from 0 to"
        f" {SHOTS[-1]}.**",
    )
    if not page.is_presenting():
        provenance(asking.model.meta)


def _finding(asking: Asking, reply: Reply, text: TextGeneration) -> str:
    """Return what it chooses among the answers, and what it writes where that is another word."""
    chosen = reply.candidates[reply.chosen]
    verdict = "right" if reply.chosen == 0 else f"not {as_code(reply.candidates[0])}"
    title = TASKS[asking.task].title.lower()
    found = (
        f"{as_code(reply.question)}, {title}: of {len(reply.candidates)} answers it chooses"
        f" {as_code(chosen)}, {verdict}"
    )
    spelled = asking.model.vocabulary.spell(text.ids)
    written = "".join(spelled[len(text.ids) - len(text.written) :]).split()
    if written and (word := written[0].strip(".,;:")) != chosen:
        return f"{found}; free to write anything, it writes {as_code(word)}"
    return found


def _text(model: Model, text: TextGeneration) -> None:
    """Draw a prompt and its continuation, token by token."""
    vocabulary = model.vocabulary
    generation_strip(
        text,
        vocabulary.spell(text.ids),
        key="prompt_strip",
        label="The prompt, then what the model writes, each token tinted by its probability",
        unit=vocabulary.unit,
        is_growing=False,
        follow=False,
    )


def _candidates(reply: Reply) -> None:
    """Draw the share of each answer among those to choose from."""
    shares = reply.shares
    ranked = sorted(range(len(shares)), key=lambda i: -shares[i])
    table = candidate_table(
        [(i, reply.candidates[i], shares[i]) for i in ranked], len(shares), marked=0
    )
    page.show_chart(
        prediction_bars(table, unit="answer", mark="right"),
        table,
        key="prompt_candidates",
        alt="; ".join(f"{reply.candidates[i]} {percent(shares[i])}" for i in ranked)
        + f". Right: {reply.candidates[0]}. Chance is {percent(CHANCE, 1)}.",
        name="answers",
        fills_screen=False,
    )


def _own(screen: page.FirstScreen, model: Model) -> None:
    """Draw an own prompt and what the model writes after it."""
    with screen.beside:
        typed = page.control(
            st.text_area,
            "own_prompt",
            "Your prompt",
            OWN_PROMPT,
            max_chars=PROMPT_CHARACTERS,
            height=190,
        )
        say_limits({"own_prompt": PROMPT_CHARACTERS})

    def read(raw: str) -> tuple[str, WhatWasRead]:
        checked = checked_text(raw, most=PROMPT_CHARACTERS, name="The prompt")
        text = "".join(c for c in checked if c in model.vocabulary).rstrip()
        return text, sentence_as_read(raw, text, model.vocabulary)

    with screen.picture, errors_in_place():
        written = read_and_say("own_prompt", str(typed), read, OWN_PROMPT)
        st.markdown(
            "**The model continues your prompt; whether that is an answer is yours to say**"
        )
        _text(model, continuation(model, written, _LENGTH[model.vocabulary.unit]))
    if not page.is_presenting():
        provenance(model.meta)
