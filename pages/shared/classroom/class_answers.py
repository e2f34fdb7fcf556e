"""What a class has answered, drawn: bars beside choices and words, a histogram of numbers, points in a plane."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Literal

import streamlit as st

from lm_core.classroom.questions import point
from lm_core.classroom.records import AskedQuestion, Question
from lm_core.classroom.summaries import Summary, is_right, parts, summarise
from pages.shared.charts.class_answers import class_bars, class_histogram, class_points
from pages.shared.charts.drawing import Drawing
from pages.shared.classroom.answer_form import shown_answer, text_of
from pages.shared.counts import counted
from pages.shared.rooms.store import answers_to, store
from pages.shared.ui.figures import show_chart
from pages.shared.ui.markdown import escaped

_PLANE = 400
"""Width of a plane in pixels: it is about as high as it is wide."""


def show_class_answers(asked: AskedQuestion, own: str | None, removed_count: int) -> None:
    """Draw the answers to a revealed question, with this student's own and the right ones marked."""
    question = asked.question
    summary = summarise(question, answers_to(store().rooms, asked.id, removed_count))
    with st.container(key="class_answers", border=True, gap="small"):
        st.markdown(text_of(question))
        if not summary.n:
            st.caption("Nobody has answered.")
        else:
            chart = _drawn(question, summary, own, question.holding)
            width: int | Literal["stretch"] = _PLANE if question.kind == "point" else "stretch"
            with st.container(key="class_answers_drawn", width=width):
                show_chart(
                    chart,
                    chart.table,
                    key="class_answers_chart",
                    alt=_said(question, summary),
                    name="class-answers",
                    fills_screen=False,
                )
        if verdict := _verdict(question, own):
            st.markdown(verdict)


def show_class_counts(
    question: Question, counts: Mapping[str, int], own: str | None, right: Collection[str]
) -> None:
    """Draw how the class answered a page's prediction, beside its picture."""
    n = sum(counts.values())
    if not n:
        st.caption("Nobody in the class has answered.")
        return
    chart = _drawn(question, _summary(question, counts), own, right)
    what = "choice" if question.kind == "several" else "answer"
    said = "; ".join(f"{answer}: {count}" for answer, count in counts.items())
    with st.container(key="class_counts", gap=None):
        st.caption(f"Your class, {counted(n, what)}:")
        show_chart(
            chart,
            chart.table,
            key="class_counts_chart",
            alt=said,
            name="class-answers",
            is_small=True,
            fills_screen=False,
        )


def _summary(question: Question, counts: Mapping[str, int]) -> Summary:
    if question.kind == "number":
        return summarise(question, [*Counter(counts).elements()])
    return Summary(sum(counts.values()), dict(counts))


def _drawn(
    question: Question, summary: Summary, own: str | None, holding: Collection[str]
) -> Drawing:
    right = next(iter(holding), None)
    if question.kind == "point":
        ends = (question.lowest, question.highest)
        at, truth = (None if said is None else point(question, said) for said in (own, right))
        return class_points(summary.points, summary.median, at, truth, question.axes, ends)
    if question.kind == "number":
        number, answer = (None if said is None else float(said) for said in (own, right))
        edges = [(part.low, part.high, part.count) for part in summary.bins]
        return class_histogram(edges, summary.median, number, answer)
    owns = () if own is None else (own,)
    return class_bars(summary.counts, parts(question, owns), parts(question, [*holding]))


def _said(question: Question, summary: Summary) -> str:
    """Return the answers in words."""
    if summary.median:
        middle = ", ".join(f"{coordinate:g}" for coordinate in summary.median)
        return f"{counted(summary.n, 'answer')}, their median {middle}"
    counts = "; ".join(f"{said}: {count}" for said, count in summary.counts.items())
    return f"{counted(summary.n, 'answer')} to {question.text} {counts}"


def _verdict(question: Question, own: str | None) -> str:
    reason = f" {escaped(question.reason)}" if question.reason else ""
    if question.right is None:
        return reason
    verdict = None if own is None else is_right(question, own)
    badges = {
        True: ":green-badge[:material/check: Right] ",
        False: ":orange-badge[:material/close: Not quite] ",
        None: "",
    }
    shown = " or ".join(shown_answer(question, right) for right in question.holding)
    within = "" if question.tolerance is None else f", give or take {question.tolerance:g}"
    return f"{badges[verdict]}The answer is {shown}{within}.{reason}"
