"""Where a student chooses several answers, sorts them, matches pairs, or marks a word of a text or a cell."""

import streamlit as st

from lm_core.classroom.records import Question
from pages.shared.ui.markdown import escaped


def numbered_fields(question: Question, own: str | None, key: str) -> None:
    """Draw the fields of a numbered question in a form, with what this student has answered so far."""
    chosen = [] if own is None else [int(number) for number in own.split(", ")]
    numbers = [*range(1, len(question.options) + 1)]
    if question.kind == "several":
        for number in numbers:
            option = question.options[number - 1]
            label = option if question.page else escaped(option)
            st.checkbox(label, number in chosen, key=f"{key}_{number}")
    elif question.kind == "order":
        st.multiselect(
            "Tap them in the right order",
            numbers,
            chosen,
            format_func=lambda number: question.options[number - 1],
            placeholder="Tap the first one",
            key=key,
        )
    elif question.kind == "match":
        for place, option in enumerate(question.options):
            st.selectbox(
                escaped(option),
                numbers,
                index=chosen[place] - 1 if chosen else None,
                format_func=lambda number: question.partners[number - 1],
                placeholder="goes with",
                key=f"{key}_{place + 1}",
            )
    elif question.kind == "cell":
        for place, (label, names) in enumerate(
            zip(question.axes, (question.options, question.partners), strict=True)
        ):
            st.selectbox(
                label,
                [*range(1, len(names) + 1)],
                index=chosen[place] - 1 if chosen else None,
                format_func=lambda number, names=names: names[number - 1],
                key=f"{key}_{place + 1}",
            )
    else:
        st.pills(
            "Tap the word",
            numbers,
            default=chosen[0] if chosen else None,
            format_func=lambda number: escaped(question.options[number - 1]),
            key=key,
        )


def typed_numbers(question: Question, key: str) -> str:
    """Return what the fields hold as an answer; what is missing is for the class to refuse."""
    state = st.session_state
    n_fields = 2 if question.kind == "cell" else len(question.options)
    fields = {n: state.get(f"{key}_{n}") for n in range(1, n_fields + 1)}
    if question.kind == "several":
        numbers = [number for number, is_chosen in fields.items() if is_chosen]
    elif question.kind in ("match", "cell"):
        numbers = [partner for partner in fields.values() if partner is not None]
    else:
        held = state.get(key)
        numbers = held if isinstance(held, list) else [] if held is None else [held]
    return ", ".join(map(str, numbers))
