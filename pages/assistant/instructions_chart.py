"""How often instructions are followed, by task and by how well their words are known."""

import pandas as pd

from lm_core.experiments.instructions.results import InstructionResults
from lm_core.experiments.instructions.study import ALONE, Cell
from lm_core.experiments.instructions.tasks import NONE, REGROUPED, TASKS, TRAINED, UNKNOWN
from lm_core.experiments.instructions.tuning import TUNED
from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, VERMILLION

KINDS = {
    "trained words": (TUNED, TRAINED),
    "regrouped": (TUNED, REGROUPED),
    "unknown words": (TUNED, UNKNOWN),
    "no instruction": (TUNED, NONE),
    "one task alone": (ALONE, TRAINED),
}
"""Name of each series, with its model and how it is asked."""
_LOOKS = {
    "color": (BLUE, ORANGE, VERMILLION, GREY, GREEN),
    "shape": ("circle", "square", "triangle-up", "diamond", "cross"),
}


def title_of(task: str) -> str:
    """Return what a task is called, with its unit where that is another one."""
    return f"{TASKS[task].title} (BLEU)" if TASKS[task].is_sentence else TASKS[task].title


def score_of(cell: Cell) -> float:
    """Return the percentage of right answers; of translations BLEU."""
    return 100 * cell.right if cell.bleu is None else cell.bleu


def scores_by_task(results: InstructionResults, *, hidden: str | None) -> pd.DataFrame:
    """Return a row for each task and series that was measured, but for a task that is hidden."""
    cells = (
        (task, name, results.of(model, task, condition))
        for task in TASKS
        if task != hidden
        for name, (model, condition) in KINDS.items()
    )
    rows = [(title_of(task), name, round(score_of(cell), 1)) for task, name, cell in cells if cell]
    return pd.DataFrame(rows, columns=["task", "instruction", "score"])


def instruction_dots(scores: pd.DataFrame, *, height: int = 320) -> Drawing:
    """Draw a row for each task, and in it a mark for each series."""
    tasks = [title_of(task) for task in TASKS]
    axis = {"title": "right answers (%), translations: BLEU", "tickCount": 6}
    row: vl.Spec = {
        "y": vl.field(
            "task:N",
            scale={"domain": tasks},
            axis={"title": None, "labelLimit": 300, "labelOverlap": False, "grid": True},
        ),
        "x": vl.field("score:Q", scale=vl.scale(0, 100), axis=axis),
        "tooltip": ["task:N", "instruction:N", "score:Q"],
    }
    legend = {"orient": "top", "title": None, "columns": 2, "labelLimit": 300}
    series = vl.kinds("instruction:N", tuple(KINDS), _LOOKS, legend=legend)
    spec = vl.layered(
        vl.mark("point", row, series, filled=True, size=110, opacity=0.85), height=height
    )
    return Drawing(spec, scores, "Marks: how often each kind of instruction is followed, by task.")
