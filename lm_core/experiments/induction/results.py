"""The curves of all lessons, shipped: how induction heads formed, or did not."""

from pathlib import Path
from typing import Any

from lm_core.errors import ResultError
from lm_core.experiments.induction.training import InductionStep
from lm_core.experiments.results import Results, results_path

NAME = "induction"
SHIPPED = results_path(NAME)
Curves = dict[str, tuple[InductionStep, ...]]
"""The measurements of each lesson by its title, the first before any training."""


def save_curves(path: Path, curves: Curves, provenance: dict[str, Any]) -> None:
    """Write the measurements of the lessons as one results file."""
    rows = [
        [title, step.step, *(round(value, 4) for value in step[1:])]
        for title, steps in curves.items()
        for step in steps
    ]
    Results(NAME, provenance, {"steps": rows}).save(path)


def load_curves(path: Path = SHIPPED) -> Curves:
    """Read what `save_curves` wrote.

    Raises
    ------
    ResultError
        If the file is missing, damaged or another experiment's.
    """
    data = Results.load(path, NAME).data
    try:
        curves: Curves = {}
        for title, *values in data["steps"]:
            curves[title] = (*curves.get(title, ()), InductionStep(*values))
        return curves
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(
            f"{path.name} must hold the curves of induction heads: {error}"
        ) from error
