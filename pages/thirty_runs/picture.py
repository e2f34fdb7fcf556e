"""What all parts of the page draw: each run as a dot, and what the runs so far say together."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lm_core.classroom.records import ClassExperiment
from lm_core.experiments.thirty_runs.runs import running_lowest, running_means
from pages.shared import page
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.classroom.class_runs import class_runs, run_buttons

RUNS = (10, 20, 30, 60)
MEAN, LOWEST = "mean so far", "lowest so far"
_OWN = "yours"
_STYLES = {MEAN: page.LineStyle(BLUE), LOWEST: page.LineStyle(BLUE), _OWN: page.LineStyle(ORANGE)}


class Run(NamedTuple):
    """One run: its number from 1, what it came to, and who has made it."""

    number: int
    value: float
    made_by: str = "this page"
    is_own: bool = False


class Runs(NamedTuple):
    """The runs that a part draws, and what they have in common."""

    made: list[Run]
    settings: Mapping[str, str]
    n_runs: int  # how many there will be
    is_of_class: bool

    @property
    def values(self) -> list[float]:
        """What they came to, in their order."""
        return [run.value for run in self.made]


def runs_of(
    name: str,
    settings: Mapping[str, str],
    n_runs: int,
    make: Callable[[Mapping[str, str], int], float],
) -> Runs:
    """Return the runs that a class has made of what was shared out, or else all, made here.

    Parameters
    ----------
    name : str, of the part, which is the experiment's
    settings : mapping of str to str, what is chosen on the page; a class's runs have their own
    make : callable, makes the run of a number, from 0, with settings
    """
    found = class_runs(name)
    if found is None:
        made = [Run(i + 1, make(settings, i)) for i in range(n_runs)]
        return Runs(made, settings, n_runs, is_of_class=False)
    made = [Run(run.number + 1, run.value, run.alias, run.is_own) for run in found.finished]
    return Runs(made, found.settings, found.shared.experiment.n_runs, is_of_class=True)


def share_out(
    screen: page.FirstScreen,
    name: str,
    runs: Runs,
    chosen: Mapping[str, str],
    n_runs: int,
    make: Callable[[Mapping[str, str], int], float],
) -> None:
    """Draw, beside the picture, what a member of a class may do."""
    with screen.beside:
        experiment = ClassExperiment(name, dict(chosen), n_runs)
        run_buttons(experiment, lambda number: make(runs.settings, number))


def draw_runs(
    key: str,
    runs: Runs,
    y: page.Axis,
    together: str,
    references: Mapping[str, float],
    *,
    is_masked: bool = False,
) -> None:
    """Draw the runs as dots, their mean or the lowest as a line, and what they are compared with.

    Parameters
    ----------
    key : str, of the chart
    y : Axis, of what a run comes to
    together : {MEAN, LOWEST}
    references : mapping of str to float, level lines by their names
    is_masked : bool, whether the first run alone may be drawn
    """
    made = runs.made[:1] if is_masked else runs.made
    places, values = [run.number for run in made], [run.value for run in made]
    means = running_means(values)
    lines = [mean.mean for mean in means] if together == MEAN else running_lowest(values)
    band = {MEAN: [(at, *mean[1:]) for at, mean in zip(places, means, strict=True)]}
    own = [(run.number, run.value) for run in made if run.is_own]
    page.show_lines(
        key,
        {together: list(zip(places, lines, strict=True))},
        _STYLES,
        page.Axis("run", (0, runs.n_runs + 1)),
        y,
        bands=band if together == MEAN and len(made) > 1 else None,
        dots={f"run {run.number} ({run.made_by})": [(run.number, run.value)] for run in made},
        rings={_OWN: own} if own else None,
        references={
            name: [(0.0, value), (runs.n_runs + 1.0, value)]
            for name, value in references.items()
            if not is_masked
        },
        beside={"what the run came to": values, "made by": [run.made_by for run in made]},
        height=360,
    )


def so_far(runs: Runs) -> str:
    """Say how many of the runs have been made, if they are still coming in."""
    n = len(runs.made)
    return f"{n} of {runs.n_runs} runs" if runs.is_of_class else f"{n} runs"
