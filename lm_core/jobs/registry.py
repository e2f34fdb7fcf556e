"""The registry of what a run can train. Experiments enter themselves; nothing here knows one by name."""

import importlib
import importlib.util

from lm_core.errors import SettingError
from lm_core.jobs.experiment import ExperimentKind
from lm_core.jobs.records import RunConfig

EXPERIMENTS: dict[str, ExperimentKind] = {}


def register(name: str, kind: ExperimentKind) -> None:
    """Enter an experiment under the name of its folder in `lm_core/experiments`."""
    EXPERIMENTS[name] = kind


def kind_of(config: RunConfig) -> ExperimentKind:
    """Return the kind of experiment that a config asks for.

    A worker knows it by name alone, so its module is imported here if nobody has done so yet.
    Raises SettingError if it is unknown.
    """
    name = config.experiment
    if name not in EXPERIMENTS and name.isidentifier():
        module = f"lm_core.experiments.{name}"
        if importlib.util.find_spec(module):
            importlib.import_module(f"{module}.experiment")
    if name not in EXPERIMENTS:
        raise SettingError(f"experiment must be a folder of lm_core/experiments, got {name!r}")
    return EXPERIMENTS[name]
