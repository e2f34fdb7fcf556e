"""Accuracy by number of examples in the prompt: the writer, the tuned one, and controls."""

from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import CHANCE, LEARNED, RIGHT, SHUFFLED, Cell
from lm_core.experiments.assistant.tasks import (
    CANDIDATES,
    COPY,
    NAMED,
    OPPOSITE,
    PLURAL,
    SHORT,
    SHOTS,
    TASKS,
    TRANSLATE,
)
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from pages.assistant.asked import LSTM, SHORT_NAMES, STYLES
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, Waiting, line_chart
from pages.shared.charts.palette import SKY, VERMILLION
from pages.shared.numbers import percent
from pages.shared.ui.figures import show_chart

TASK_TITLES = {COPY: "Repeat", PLURAL: "Plural", OPPOSITE: "Opposite", TRANSLATE: "French"}
STYLE_TITLES = {SHORT: "- dog: chien", NAMED: "translate: dog / answer: chien"}
_CONTROL = {RIGHT: "none", SHUFFLED: "answers shuffled", LEARNED: "words it was tuned on"}
_NAMES = {SHUFFLED: "shuffled", LEARNED: "seen words"}
"""Of the lines: the tuned model, after shuffled answers or on words of its tuning."""
_COLOURS = {SHUFFLED: SKY, LEARNED: VERMILLION}
_HEIGHT = 350
_ANSWERS = {"About 1 in 8: chance": CHANCE, "About 3 in 10": 0.3, "Nearly always": 0.95}
_FIRST = PLURAL


class Asked(NamedTuple):
    """What is shown: a task, a form of the prompt, and what the tuned model is compared with."""

    task: str
    style: str
    compared: str

    @property
    def is_first(self) -> bool:
        """Whether the page opens on it."""
        return self == Asked(_FIRST, SHORT, LEARNED)


def _choose_task(screen: page.FirstScreen) -> Asked:
    """Draw the choice of the task, and return it."""
    with screen.controls:
        task = page.segments(
            "task", "Task", list(TASK_TITLES), _FIRST, format_func=TASK_TITLES.__getitem__
        )
        with st.popover("More", icon=":material/tune:"):
            style = choose_style()
            compared = page.segments(
                "compared",
                "Beside the tuned model",
                list(_CONTROL),
                LEARNED,
                format_func=_CONTROL.__getitem__,
            )
    return Asked(str(task), style, str(compared))


def choose_style() -> str:
    """Draw the choice of the prompt's form, and return it."""
    return str(
        page.segments(
            "style",
            "Form of the prompt",
            list(STYLE_TITLES),
            SHORT,
            format_func=STYLE_TITLES.__getitem__,
        )
    )


def examples(screen: page.FirstScreen) -> None:
    """Draw how often each model finds the answer, by the number of examples before the question."""
    asked = _choose_task(screen)
    results = page.shipped(AssistantResults)
    question = _ask(screen, results, asked)
    with screen.picture:
        st.markdown(f"**{_finding(results, asked, question)}**")
        _draw(results, asked, question)
    page.note_beside(
        screen,
        "A *prompt* is the text that a model continues; *few-shot prompting* puts solved examples"
        " before the question, so that the model can tell which task is meant. The model chooses"
        f" among {CANDIDATES} answers. **Change the task.**",
    )
    if not page.is_presenting():
        _explain(results, asked)


def _last(cells: list[Cell]) -> float:
    return cells[-1].accuracy


def _ask(screen: page.FirstScreen, results: AssistantResults, asked: Asked) -> page.Asked:
    if not asked.is_first:
        return page.Asked()
    writer, tuned = (results.of(name, asked.task)[-1] for name in (WRITER, TUNED))
    known = results.of(TUNED, asked.task, SHORT, LEARNED)[-1]
    return page.ask(
        screen,
        "shots",
        f"The untuned model has only read the book. After {SHOTS[-1]} examples, how often does it choose"
        " the plural?",
        _ANSWERS,
        right=writer.accuracy,
        reason=f"**{percent(writer.accuracy)}**, chance is {percent(CHANCE, 1)}. It has learned to"
        " continue a novel, so a list of examples is no task to it. After tuning on such lists"
        f" the same network chooses {percent(tuned.accuracy)} right, and"
        f" {percent(known.accuracy)} of words from its tuning.",
    )


def _finding(results: AssistantResults, asked: Asked, question: page.Asked) -> str:
    tuned = results.of(TUNED, asked.task, asked.style)
    title = TASKS[asked.task].title
    if question.masks:
        return (
            f"{title}: the tuned model is right in {percent(tuned[0].accuracy)} without an example, in"
            f" {percent(_last(tuned))} with {SHOTS[-1]}. And before its tuning?"
        )
    writer = results.of(WRITER, asked.task, asked.style)
    return (
        f"{title}: with {SHOTS[-1]} examples the untuned model is right in {percent(_last(writer))}, the"
        f" tuned one in {percent(_last(tuned))}"
    )


def _rows(
    results: AssistantResults, asked: Asked, question: page.Asked
) -> dict[str, tuple[list[Cell], LineStyle]]:
    """Return the measurements that are drawn by their names in the picture, and how they are."""
    is_masked = question.masks
    models = [WRITER, TUNED, LSTM]
    rows = {
        SHORT_NAMES[name]: (results.of(name, asked.task, asked.style), STYLES[name])
        for name in models
        if not (is_masked and name != TUNED)
    }
    if asked.compared != RIGHT:
        cells = results.of(TUNED, asked.task, asked.style, asked.compared)
        style = LineStyle(_COLOURS[asked.compared], 2)
        rows[_NAMES[asked.compared]] = (cells, style)
    return {name: row for name, row in rows.items() if row[0]}


def _draw(results: AssistantResults, asked: Asked, question: page.Asked) -> None:
    rows = _rows(results, asked, question)
    guess = question.at(lambda value: (float(SHOTS[-1]), value))
    ends = [(0.0, CHANCE), (float(SHOTS[-1]), CHANCE)]
    show_chart(
        line_chart(
            {
                name: [(float(c.shots), c.accuracy) for c in cells]
                for name, (cells, _) in rows.items()
            },
            {name: style for name, (_, style) in rows.items()},
            Axis(
                "examples before the question",
                (0.0, float(SHOTS[-1])),
                values=tuple(map(float, SHOTS)),
            ),
            Axis("right answers", (0.0, 1.0), form=".0%"),
            bands={
                name: [
                    (
                        float(c.shots),
                        max(0.0, c.accuracy - c.standard_error),
                        min(1.0, c.accuracy + c.standard_error),
                    )
                    for c in cells
                ]
                for name, (cells, _) in rows.items()
            },
            references={f"chance: 1 of {CANDIDATES}": ends},
            guess=guess,
            waiting=Waiting(SHORT_NAMES[WRITER], float(SHOTS[-1])) if question.masks else None,
            has_points=True,
            height=_HEIGHT,
        ),
        pa.table(
            {"examples": list(SHOTS)}
            | {name: [c.accuracy for c in cells] for name, (cells, _) in rows.items()}
        ),
        key="accuracy_by_examples",
        alt="; ".join(
            f"{name}: {percent(cells[0].accuracy)} without examples, {percent(cells[-1].accuracy)}"
            f" with {cells[-1].shots}"
            for name, (cells, _) in rows.items()
        ),
        name="accuracy-by-examples",
    )


def _explain(results: AssistantResults, asked: Asked) -> None:
    tuned = results.of(TUNED, asked.task, asked.style)
    known = results.of(TUNED, asked.task, asked.style, LEARNED)
    parts = [
        f"This is *in-context learning*: the tuned model gets {percent(tuned[0].accuracy)} right"
        f" without an example and {percent(tuned[-1].accuracy)} with {tuned[-1].shots}, although"
        " nothing in the network changes. So all that examples can do is to say which of the four"
        " tasks is meant."
    ]
    if known:
        learned = (
            "Tuning teaches the form of an answer and only a part of the rule, because many of the words"
            " can be learned by heart"
            if asked.task in (COPY, PLURAL)
            else "Tuning teaches the form of an answer and hardly the facts, because these cannot be derived"
        )
        parts.append(
            f"{learned}: of words that it was tuned on {percent(known[-1].accuracy)} are right, of"
            f" others {percent(tuned[-1].accuracy)}."
        )
    before, after = (results.losses[name] for name in (WRITER, TUNED))
    parts.append(
        "It also forgets: on pages of the book that neither has seen, the loss rises from"
        f" {before:.2f} to {after:.2f} nats a character, because the same weights serve the book"
        " and the tasks."
    )
    st.markdown(" ".join(parts))
    made = results.provenance
    recipe = made["tuning"]
    st.caption(
        f"Measured {made['date'][:10]}: {made['trials']} questions for each point, the same for all"
        " models, with bands of one standard error; none of the asked words was in the tuning"
        f" ({recipe['steps']} steps of {recipe['batch']} prompts, {results.provenance['device']}). For"
        " comparison, GPT-3 with 175 billion parameters translates English to French with 25.2 BLEU"
        " without an example, 28.3 with one, 32.6 with up to 64 (Brown et al. 2020, table 3.4)."
    )
