"""What a class has answered, as a file."""

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from lm_core.classroom.numbered import in_words
from lm_core.classroom.records import AnswerRow, Question
from pages.shared.classroom.report import report_html
from pages.shared.csv_files import safe_csv
from pages.shared.rooms.membership import Membership
from pages.shared.rooms.store import store


def answers_button(here: Membership) -> None:
    """Offer all answers of a class as a table, and its hour as a page to print."""
    with st.container(horizontal=True):
        _file(here, "Answers (CSV)", _csv, "csv", None)
        _file(here, "Report, to print", _report, "html", ":material/print:")


def _file(
    here: Membership, label: str, written: Callable[[Membership], str], kind: str, icon: str | None
) -> None:
    """Draw the button that writes a file of the class and hands it over."""
    st.download_button(
        label,
        partial(written, here),
        file_name=f"class-{here.code}.{kind}",
        mime=f"text/{kind}",
        icon=icon,
        on_click="ignore",
        key="class_csv" if kind == "csv" else "class_report",
    )


def _report(here: Membership) -> str:
    shared = here.state.shared_out
    measured = shared and store().experiments.finished_runs(here.code, here.visitor, shared.id)
    return report_html(
        here.code,
        store().rooms.all_answers(here.code, here.visitor),
        (shared, measured) if shared and measured else None,
    )


def _csv(here: Membership) -> str:
    return safe_csv(answers_frame(store().rooms.all_answers(here.code, here.visitor)))


def answers_frame(rows: Sequence[AnswerRow]) -> pd.DataFrame:
    """Return a class's answers as a table."""
    asked = [row.question.question for row in rows]
    return pd.DataFrame(
        {
            "question": [row.question.id for row in rows],
            "page": [question.page or question.link for question in asked],
            "text": [question.text for question in asked],
            "kind": [question.kind for question in asked],
            "options": [_offered(question) for question in asked],
            "name": [row.alias for row in rows],
            "answer": [in_words(row.question.question, row.value) for row in rows],
            "right": [_right(question) for question in asked],
            "seconds": [round(row.seconds, 1) for row in rows],
        }
    )


def _right(question: Question) -> str:
    return " | ".join(in_words(question, right) for right in question.holding)


def _offered(question: Question) -> str:
    """Return what could be answered to a question: its options, or the ends of its axis."""
    if question.kind in ("number", "point"):
        return f"{question.lowest:g}..{question.highest:g}"
    return " | ".join(question.options)
