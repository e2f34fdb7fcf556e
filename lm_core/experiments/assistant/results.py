"""What was measured of models that are asked, shipped: accuracies by task and number of examples."""

from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from lm_core.errors import ResultError, SettingError
from lm_core.experiments.assistant.study import RIGHT, Cell
from lm_core.experiments.assistant.tasks import SHORT, SHOTS, TASKS
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from lm_core.experiments.results import Results, results_path

EXPERIMENT = "assistant"
SHIPPED = results_path(EXPERIMENT)


@dataclass(frozen=True)
class AssistantResults:
    """All cells, and what tuning cost the writer.

    Attributes
    ----------
    provenance : dict
    cells : tuple of Cell
    losses : dict of str to float
        Nats per character on the unseen part of the book, by the name of the model.
    """

    provenance: dict[str, Any]
    cells: tuple[Cell, ...]
    losses: dict[str, float]

    def of(self, model: str, task: str, style: str = SHORT, condition: str = RIGHT) -> list[Cell]:
        """Return a row of cells by rising number of examples; none for what was not measured."""
        wanted = (model, task, style, condition)
        found = [c for c in self.cells if (c.model, c.task, c.style, c.condition) == wanted]
        return sorted(found, key=lambda cell: cell.shots)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order of the cells."""
        return tuple(dict.fromkeys(cell.model for cell in self.cells))


def save_results(results: AssistantResults, path: Path = SHIPPED) -> None:
    """Write a file of results, whole or not at all."""
    data = {
        "cells": [[_rounded(value) for value in astuple(cell)] for cell in results.cells],
        "losses": {name: round(loss, 4) for name, loss in results.losses.items()},
    }
    Results(EXPERIMENT, results.provenance, data).save(path)


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def load_results(path: Path = SHIPPED) -> AssistantResults:
    """Read a file that `save_results` wrote.

    Raises
    ------
    ResultError
        If it is missing, or is another file.
    """
    results = Results.load(path, EXPERIMENT)
    try:
        cells = tuple(Cell(*row) for row in results.data["cells"])
        losses = {name: float(results.data["losses"][name]) for name in (WRITER, TUNED)}
        found = AssistantResults(results.provenance, cells, losses)
        for model in (WRITER, TUNED):
            for task in TASKS:
                if [cell.shots for cell in found.of(model, task)] != list(SHOTS):
                    raise KeyError(f"{model}, {task}")
    except (KeyError, TypeError, ValueError, SettingError) as error:
        raise ResultError(
            f"{path.name} must hold accuracies and losses: {error!r};"
            f" python -m lm_core experiment {EXPERIMENT} makes it"
        ) from error
    return found
