"""What was measured of models that are asked, shipped: accuracies by task and number of examples."""

from dataclasses import dataclass

from lm_core.experiments.assistant.study import RIGHT, Cell
from lm_core.experiments.assistant.tasks import SHORT, SHOTS, TASKS
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from lm_core.results import Recorded


@dataclass(frozen=True)
class AssistantResults(Recorded, name="assistant"):
    """All cells, and what tuning cost the writer."""

    cells: tuple[Cell, ...]
    losses: dict[str, float]  # nats a character on the unseen part of the book, by model

    def __post_init__(self) -> None:
        for model in (WRITER, TUNED):
            tasks = (
                task for task in TASKS if [c.shots for c in self.of(model, task)] != list(SHOTS)
            )
            if model not in self.losses or (unmeasured := next(tasks, None)):
                raise ValueError(
                    f"{model} must have a loss, and {unmeasured} each of {SHOTS} shots"
                )

    def of(self, model: str, task: str, style: str = SHORT, condition: str = RIGHT) -> list[Cell]:
        """Return a row of cells by rising number of examples; none for what was not measured."""
        wanted = (model, task, style, condition)
        found = [c for c in self.cells if (c.model, c.task, c.style, c.condition) == wanted]
        return sorted(found, key=lambda cell: cell.shots)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order of the cells."""
        return tuple(dict.fromkeys(cell.model for cell in self.cells))
