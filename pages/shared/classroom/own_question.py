"""A question that a presenter writes in one line: what is understood of it, and then asked."""

import streamlit as st

from lm_core.classroom.numbered import in_words
from lm_core.classroom.questions import HOW_TO_ASK, LONGEST_TEXT, parse_question
from lm_core.classroom.records import Question
from lm_core.errors import RoomError
from pages.shared.classroom.answer_form import written
from pages.shared.classroom.asking import ask_own
from pages.shared.classroom.attempts import refusal_of
from pages.shared.rooms.membership import Membership
from pages.shared.ui.markdown import as_code
from pages.shared.ui.messages import show_error

N_ASKED = "lab_room_n_asked"
"""How many a visitor has asked: each has a field of its own."""
_LINE = "lab_room_line"


def own_question(here: Membership) -> None:
    """Draw the field for a question in one line, and what is understood of it before it is asked."""
    n_asked = st.session_state.get(N_ASKED, 0)
    key = f"class_line_{here.code}_{n_asked}"
    st.session_state.setdefault(key, st.session_state.get(_LINE, ""))
    line = st.text_input(
        "A question of your own",
        max_chars=4 * LONGEST_TEXT,
        key=key,
        help=HOW_TO_ASK,
        placeholder="Which learns faster? | RNN | *LSTM",
    )
    st.session_state[_LINE] = line  # a line that was typed outlives the room
    question = None
    if line.strip():
        try:
            question = parse_question(line)
        except RoomError as error:
            show_error(error, st.warning)
        else:
            with st.container(border=True, key="class_understood"):
                st.caption(f"{_KINDS[question.kind]}:")
                st.markdown(written(question))
                if question.right is not None:
                    st.caption(f"Right: {as_code(in_words(question, question.right))}")
    st.button(
        "Ask the class",
        type="primary",
        disabled=question is None,
        key="class_ask",
        on_click=_ask,
        args=(here, question, n_asked),
    )


_KINDS = {
    "choice": "A choice between these answers",
    "several": "Several of these answers may be chosen",
    "order": "These are to be put in order",
    "match": "Pairs, each with one of the partners behind the arrows",
    "mark": "A word of this text",
    "cell": "A cell of a picture",
    "number": "A number",
    "settings": "A page as each student has set it",
    "point": "A point in the plane",
    "token": "The next token",
    "word": "A word or a few, compared without capitals and full stops",
}


def _ask(here: Membership, question: Question, n_asked: int) -> None:
    if refusal_of(ask_own, here, question) is None:
        st.session_state[_LINE] = ""
        st.session_state[N_ASKED] = n_asked + 1
