"""Answers that a class talks about: its presenter picks them, and shows one after the other."""

from dataclasses import replace

import streamlit as st

from lm_core.classroom.numbered import in_words
from lm_core.classroom.questions import point
from lm_core.classroom.records import AskedQuestion, GivenAnswer, Question, RoomState, Talk
from pages.shared.charts.class_answers import class_points
from pages.shared.classroom.answer_form import shown_answer, text_of
from pages.shared.classroom.attempts import attempt
from pages.shared.rooms.membership import Membership
from pages.shared.rooms.store import store
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import follow_link, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.folds import is_open
from pages.shared.ui.markdown import escaped

_PLANE = 400
"""Width of a plane in pixels, as in `class_answers`."""


def talk_panel(here: Membership, state: RoomState, asked: AskedQuestion) -> None:
    """Draw the fold in which a presenter picks answers to a revealed question, and shows them."""
    fold = st.popover("Talk", icon=":material/forum:", key="class_talk_fold", on_change="rerun")
    if not is_open(fold):
        return
    talk = state.talk or Talk(asked.id, ())
    given = store().guidance.given(here.code, here.visitor, asked.id)
    with fold:
        has_aliases = st.toggle(
            "With names",
            value=talk.has_aliases,
            key=f"class_talk_names_{asked.id}_{talk.has_aliases}",
            on_change=_keep,
            args=(here, replace(talk, has_aliases=not talk.has_aliases)),
        )
        _pick(here, asked, talk, given, has_aliases=has_aliases)
        with st.container(horizontal=True):
            n, n_all = talk.n_shown, len(talk.members)
            st.button(
                f"Show answer {n + 1} of {n_all}" if n < n_all else "All are shown",
                type="primary",
                disabled=n == n_all,
                key="class_talk_next",
                on_click=_keep,
                args=(here, replace(talk, n_shown=min(n + 1, n_all))),
            )
            st.button(
                "Hide all",
                disabled=n == 0,
                key="class_talk_hide",
                on_click=_keep,
                args=(here, replace(talk, n_shown=0)),
            )


def _pick(
    here: Membership,
    asked: AskedQuestion,
    talk: Talk,
    given: list[GivenAnswer],
    *,
    has_aliases: bool,
) -> None:
    """Draw the choice of answers; what a colleague picks on another device is picked here, too."""
    labels = {
        answer.member: f"{n}. {in_words(asked.question, answer.value)}{f' ({answer.alias})' if has_aliases else ''}"
        for n, answer in enumerate(given, 1)
    }
    key = f"class_talk_{talk.question_id}"
    st.session_state[key] = [member for member in talk.members if member in labels]
    st.multiselect(
        "Answers, in the order in which the class sees them",
        list(labels),
        format_func=lambda member: labels.get(member, ""),
        placeholder="Pick the first one",
        key=key,
        on_change=_keep_picked,
        args=(here, talk, key),
    )


def _keep_picked(here: Membership, talk: Talk, key: str) -> None:
    picked = tuple(st.session_state[key])
    n_shown = sum(member in talk.shown for member in picked)
    _keep(here, replace(talk, members=picked, n_shown=n_shown))


def _keep(here: Membership, talk: Talk) -> None:
    attempt(store().guidance.talk, here.code, here.visitor, talk)


def talked_about(state: RoomState) -> tuple[tuple[str, ...], bool] | None:
    """Return whose answers the class sees in place of all, and whether with names; None where all are."""
    if state.talk is None or not state.talk.shown:
        return None
    return state.talk.shown, state.talk.has_aliases


def show_talk(code: str, question: Question) -> None:
    """Draw the answers that are shown just now, and points among them in their plane as well."""
    shown = store().guidance.shown(code)
    with st.container(key="class_answers", border=True, gap="small"):
        st.markdown(text_of(question))
        if question.kind == "point":
            _draw_points(question, shown)
        for n, answer in enumerate(shown, 1):
            named = f" · {escaped(answer.alias)}" if answer.alias else ""
            st.markdown(f"{n}. {shown_answer(question, answer.value)}{named}")
            if question.kind == "settings" and st.button("Open it", key=f"class_open_{n}"):
                here = {"present": 1} if is_presenting() else {}
                follow_link(link_to(answer.value, here))


def _draw_points(question: Question, shown: list[GivenAnswer]) -> None:
    points = [point(question, answer.value) for answer in shown]
    names = [str(n) for n in range(1, len(points) + 1)]
    ends = (question.lowest, question.highest)
    chart = class_points(points, (), None, None, question.axes, ends, names)
    with st.container(key="class_answers_drawn", width=_PLANE):
        show_chart(
            chart,
            chart.table,
            key="class_talk_chart",
            alt="; ".join(f"{n}: {x:g}, {y:g}" for n, (x, y) in zip(names, points, strict=True)),
            name="class-talk",
            fills_screen=False,
        )
