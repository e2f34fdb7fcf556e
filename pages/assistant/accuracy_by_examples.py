"""Accuracy by the number of examples in the prompt."""

import pyarrow as pa

from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import CHANCE, LEARNED, RIGHT, SHUFFLED, Cell
from lm_core.experiments.assistant.tasks import CANDIDATES, SHOTS
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from pages.assistant.asked import LSTM, SHORT_NAMES, STYLES
from pages.assistant.examples_choice import Asked
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, Waiting, line_chart
from pages.shared.charts.palette import SKY, VERMILLION
from pages.shared.models.book_models import BEST_WRITER
from pages.shared.numbers import percent

_NAMES = {SHUFFLED: "shuffled", LEARNED: "seen words"}
"""Of the lines: the tuned model, after shuffled answers or on words of its tuning."""
_COLOURS = {SHUFFLED: SKY, LEARNED: VERMILLION}
_HEIGHT = 350


def _rows(
    results: AssistantResults, asked: Asked, question: page.Asked
) -> dict[str, tuple[list[Cell], LineStyle]]:
    """Return the measurements that are drawn by their names in the picture, and how they are."""
    is_masked = question.masks
    models = [WRITER, TUNED, BEST_WRITER, LSTM]
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


def draw_accuracy(results: AssistantResults, asked: Asked, question: page.Asked) -> None:
    """Draw a line for each model and each control."""
    rows = _rows(results, asked, question)
    guess = question.at(lambda value: (float(SHOTS[-1]), value))
    ends = [(0.0, CHANCE), (float(SHOTS[-1]), CHANCE)]
    page.show_chart(
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
    )
