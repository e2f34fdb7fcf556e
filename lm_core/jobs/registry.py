"""The registry of what a run can train: a new experiment is one file and one line here."""

from lm_core.errors import SettingError
from lm_core.experiments.rnn_vs_lstm.experiment import RECALL
from lm_core.experiments.war_and_peace.experiment import LANGUAGE_MODEL
from lm_core.jobs.experiment import ExperimentKind
from lm_core.jobs.records import RunConfig

EXPERIMENTS: dict[str, ExperimentKind] = {
    "language-model": LANGUAGE_MODEL,
    "recall": RECALL,
}


def kind_of(config: RunConfig) -> ExperimentKind:
    """Return the kind of experiment that a config asks for.

    Raises
    ------
    SettingError
        If it is unknown.
    """
    if config.experiment not in EXPERIMENTS:
        raise SettingError(
            f"experiment must be one of {sorted(EXPERIMENTS)}, got {config.experiment!r}"
        )
    return EXPERIMENTS[config.experiment]
