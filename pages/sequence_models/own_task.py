"""A task of one's own choice: two models that learned it, tested on lengths beyond those of their training."""

import streamlit as st

from lm_core.experiments.toy_tasks.results import (
    ATTENTION,
    MODELS,
    ONE_VECTOR,
    Step,
    ToyResults,
    key_of,
)
from lm_core.experiments.toy_tasks.tasks import TASKS, ToyTask
from lm_core.experiments.toy_tasks.training import answer_steps
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.sequence_models.letter_steps import draw_diagram
from pages.sequence_models.task_words import FIRST, RULES, TITLES, UNITS, WHAT, WHY
from pages.sequence_models.unrolled_network_chart import Unrolled
from pages.sequence_models.words import HOW_MANY
from pages.shared import page
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.numbers import percent

_STYLES = {ONE_VECTOR: page.LineStyle(ORANGE), ATTENTION: page.LineStyle(BLUE, 1)}


def own_task(screen: page.FirstScreen) -> None:
    """Draw how many whole answers are right by length, and what two models answer to the visitor's own input."""
    results = page.shipped(ToyResults)
    with screen.controls:
        task = TASKS[page.choice("task", "Task", TITLES, width=125)]
        typed = page.text(f"toy_{task.name}", WHAT[task.name], FIRST[task.name], width=180)

    def read(text: str) -> tuple[str, WhatWasRead]:
        given = task.read(text)
        return given, sentence_as_read(text, given)

    with screen.picture:
        given = page.read_and_say(f"toy_{task.name}", typed, read, FIRST[task.name])
    steps = {
        model: _answered(task.name, model, given, results.provenance["date"]) for model in MODELS
    }
    asked = _ask(screen, results, task)
    with screen.picture:
        st.markdown(_said(task, given, steps))
        _shares(results, task, asked)
    page.note_beside(screen, _note(results, task))
    _step_by_step(task, given, steps)


@st.cache_data(max_entries=512, show_spinner=False)
def _answered(task: str, model: str, given: str, made: str) -> tuple[Step, ...]:
    with page.model_calls:
        return answer_steps(page.shipped(ToyResults).models[key_of(task, model)], given)


def _ask(screen: page.FirstScreen, results: ToyResults, task: ToyTask) -> page.Asked:
    shares = {model: results.by_length(task.name, model) for model in MODELS}
    at = {
        n: {m: percent(s[n][0]) for m, s in shares.items()}
        for n in (task.trained + 1, task.longest)
    }
    beyond, longest = at[task.trained + 1], at[task.longest]
    return page.ask(
        screen,
        f"toy_{task.name}_longer",
        f"Both models learned from at most {task.trained} {UNITS[task.name]}. At twice that, {task.longest}, how many"
        " whole answers does the better one of them get right?",
        HOW_MANY,
        right=max(s[task.longest][0] for s in shares.values()),
        reason=f"At {task.longest} one vector gets **{longest[ONE_VECTOR]}** right, attention"
        f" **{longest[ATTENTION]}**. At {task.trained + 1}: {beyond[ONE_VECTOR]} and {beyond[ATTENTION]}."
        f" {WHY[task.name]}",
    )


def _shares(results: ToyResults, task: ToyTask, asked: page.Asked) -> None:
    """Draw the shares up to the longest of training, or up to twice that."""
    last = task.trained if asked.masks else task.longest
    spread = {
        model: [
            (n, *values) for n, values in results.by_length(task.name, model).items() if n <= last
        ]
        for model in MODELS
    }
    first = min(n for n, *_ in spread[ATTENTION])
    ends = (0.0, 1.0) if asked.masks else (1.0, 0.0)  # named where no line ends
    st.markdown(f"**{TITLES[task.name]}: whole answers right, by length**")
    page.show_lines(
        "toy_lengths",
        {model: [row[:2] for row in rows] for model, rows in spread.items()},
        _STYLES,
        page.Axis(UNITS[task.name], (first, task.longest)),
        page.Axis("whole answers right", (0.0, 1.0), form=".0%"),
        bands={
            model: [(n, low, high) for n, _, low, high in rows] for model, rows in spread.items()
        },
        references={"in training": [(task.trained, y) for y in ends]},
        has_points=True,
        height=260,
    )


def _said(task: ToyTask, given: str, steps: dict[str, tuple[Step, ...]]) -> str:
    """Return what should come out of the visitor's input, and what does."""
    wanted = task.rule(given)
    answers = "; ".join(
        f"{model} writes {_quoted(_word(found))}, {'right' if _word(found) == wanted else 'wrong'}"
        for model, found in steps.items()
    )
    return f"From {_quoted(given)} must come {_quoted(wanted)}: {answers}."


def _word(steps: tuple[Step, ...]) -> str:
    return "".join(step.sign for step in steps)


def _quoted(signs: str) -> str:
    return f"`{signs}`" if signs else "nothing"


def _note(results: ToyResults, task: ToyTask) -> str:
    first, plain = (results.of(task.name, model)[0] for model in (ATTENTION, ONE_VECTOR))
    tested = max(score.tested for score in first.scores)
    numbers = results.models[key_of(task.name, ONE_VECTOR)].config.context_size
    return (
        f"{RULES[task.name]} Two GRUs, one from each end, read the input, and a third writes the answer sign by sign. With *one"
        f" vector* it gets the same {numbers} numbers at every step; with *attention* a new"
        f" mean of all states at every step, for which it has {first.parameters - plain.parameters:,} more weights"
        f" ({percent(first.parameters / plain.parameters - 1)}). All else is equal, because only then a gap between the lines is due to that. Each line is the mean of"
        f" {len(results.of(task.name, ATTENTION))} trainings of {task.steps:,} steps and its band their range,"
        f" on up to {tested} strings of each length that no training has read."
    )


def _step_by_step(task: ToyTask, given: str, steps: dict[str, tuple[Step, ...]]) -> None:
    wanted = f"{task.rule(given)}⊣"
    for column, (model, found) in zip(st.columns(2, gap="medium"), steps.items(), strict=True):
        signs = tuple(step.sign or "⊣" for step in found)
        at = len(given) + 1
        with column:
            draw_diagram(
                f"toy_{model.replace(' ', '_')}",
                Unrolled(
                    (*given, "⊣", "⊢", *signs[:-1]),
                    ("",) * at + signs,
                    decoder_from=at,
                    wrong=frozenset(
                        at + i for i, sign in enumerate(signs) if sign != wanted[i : i + 1]
                    ),
                ),
                title=f"{model.capitalize()}, step by step",
                alt=f"The encoder reads {given}; the decoder of the model with {model} writes {_word(found) or 'nothing'}.",
                name=f"toy-{model.replace(' ', '-')}",
            )
    page.show_rows(
        ("step", "must be", *steps),
        [
            (str(i + 1), _quoted(wanted[i : i + 1]), *(_cell(found, i) for found in steps.values()))
            for i in range(max(len(wanted), *map(len, steps.values())))
        ],
        sideways="toy_steps",
    )


def _cell(steps: tuple[Step, ...], i: int) -> str:
    if i >= len(steps):
        return ""
    return f"`{steps[i].sign or '⊣'}` {percent(steps[i].probability)}"
