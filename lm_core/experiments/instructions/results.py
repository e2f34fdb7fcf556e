"""What was measured of instructions, shipped."""

from dataclasses import dataclass

from lm_core.experiments.instructions.study import Cell, HeldOutAnswers, conditions_of
from lm_core.experiments.instructions.tasks import TASKS
from lm_core.experiments.instructions.tuning import TUNED
from lm_core.results import Recorded, Share


@dataclass(frozen=True)
class InstructionResults(Recorded, name="instructions"):
    """All cells, and what is answered where the combination was never trained."""

    cells: tuple[Cell, ...]
    held_out: HeldOutAnswers
    commonest: dict[str, Share]  # by task, as `share_of_commonest` returns it

    def __post_init__(self) -> None:
        for task in TASKS:
            if any(self.of(TUNED, task, condition) is None for condition in conditions_of(task)):
                raise ValueError(f"{TUNED} must be measured at {task} in every way")

    def of(self, model: str, task: str, condition: str) -> Cell | None:
        """Return one cell; None for what was not measured."""
        wanted = (model, task, condition)
        return next((c for c in self.cells if (c.model, c.task, c.condition) == wanted), None)
