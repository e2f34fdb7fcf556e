"""What makes an induction head form: five small trainings, with prose and with repetition."""

import pandas as pd
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.induction.results import InductionResults
from lm_core.experiments.induction.training import LESSONS, STEPS, InductionStep
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, VERMILLION
from pages.shared.numbers import percent

_STYLES = {
    lesson.title: page.LineStyle(colour, dash)
    for lesson, colour, dash in zip(
        LESSONS, (BLUE, VERMILLION, GREEN, PURPLE, ORANGE), (0, 0, 1, 1, 2), strict=True
    )
}
_SCORE, _CONTROL = "score", "shuffled"
_FIELDS = {_SCORE: "induction", _CONTROL: "control"}
_FORMED = 0.5


@st.cache_resource(max_entries=1, show_spinner=False)
def _curves() -> dict[str, tuple[InductionStep, ...]]:
    return InductionResults.load().curves


@page.fragment
def induction() -> None:
    """Draw how much the best head attends to what followed the same character, by training step."""
    st.header("What makes an induction head form?", anchor=False)
    try:
        curves = _curves()
    except ResultError as error:
        page.show_error(error, st.info)
        return
    shown = page.segments(
        "induction_shown",
        "Weight of the best head",
        list(_FIELDS),
        _SCORE,
        help="The *score* is the weight that the head puts on the character that followed the same random"
        " character earlier. The *shuffled* score is its weight on the same place while the"
        " characters come for the first time, so that there is nothing to copy.",
    )
    lines = {
        title: [(step.step, getattr(step, _FIELDS[shown])) for step in steps]
        for title, steps in curves.items()
        if title in _STYLES
    }
    ends = {title: curves[title][-1] for title in lines}
    page.show_chart(
        page.line_chart(
            lines,
            _STYLES,
            page.Axis("training step", (0.0, float(STEPS))),
            page.Axis(f"{shown} of the best head", (0.0, 1.0), form=".0%"),
        ),
        _table(curves),
        key="induction",
        alt="; ".join(f"{title}: {_written(end)}" for title, end in ends.items()),
        name="induction-heads",
    )
    st.markdown(_explained(curves, ends))


def _table(curves: dict[str, tuple[InductionStep, ...]]) -> pd.DataFrame:
    return pd.DataFrame(
        {"training": title, **step._asdict()} for title, steps in curves.items() for step in steps
    )


def _written(end: InductionStep) -> str:
    return f"{percent(end.induction)} (shuffled {percent(end.control)})"


def _explained(curves: dict[str, tuple[InductionStep, ...]], ends: dict[str, InductionStep]) -> str:
    """Say what each training shows, with its scores."""
    prose, repeated, one_layer, small, distance = (lesson.title for lesson in LESSONS)
    formed = next((s.step for s in curves[repeated] if s.induction > _FORMED), None)
    when = f", first above {percent(_FORMED)} at step {formed:,}" if formed else ""
    return (
        "An *induction head* attends to what came after the same token earlier, so it can continue"
        " a repetition. Small transformers read the book's characters; in *half repeated*, every"
        " second training window is a random string of 8 to 32 characters, written over and over."
        " Then random characters are read twice, and the score is the weight on what came next the"
        f" first time. At the end it is **{_written(ends[repeated])}** for the best head{when}, and"
        f" **{_written(ends[prose])}** if all windows are {prose}. Other changes matter as well:"
        f" with {one_layer} it is {_written(ends[one_layer])}, with {small} at the start"
        f" {_written(ends[small])}. Where windows always begin again after 32 characters"
        f" ({distance}), the score is {_written(ends[distance])}: a shuffled score as high as the"
        " score means that the head looks at a distance, not at what is there."
    )
