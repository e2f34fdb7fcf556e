"""Write and judge comparisons, fit reward models, tune the writer in many ways, and put it all together."""

import time
from pathlib import Path

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.preferences import study
from lm_core.experiments.preferences.results import FinishedTuning, PreferenceResults
from lm_core.experiments.preferences.settings import WRITER
from lm_core.training.checkpoints import load_shipped


@experiment(
    "teach the writer what is liked: reward models, REINFORCE, PPO, DPO, best-of-n",
    PreferenceResults,
    option("--runs", Path("runs/preferences"), "folder of finished tunings"),
    option("--first", len(study.RUNS), "tunings to make"),
)
def run(report: Report) -> PreferenceResults:
    """Make what is not there yet, a line for each tuning, then put everything into one file."""
    runs, began = report.options.runs, time.process_time()
    checkpoint = load_shipped(WRITER)
    writer = checkpoint.model.requires_grad_(False)
    pools = study.pools_once(writer, runs / "pools.safetensors")
    tasks = {rule.name: study.prepare_task(rule, *pools) for rule in study.rules()}
    seconds = time.process_time() - began
    tuned = report.each(
        FinishedTuning.once(
            runs / f"{number:02d}.json", writer, config, tasks[config.rule], pools[0]
        )
        for number, config in enumerate(study.RUNS[: report.options.first])
    )
    seconds += sum(run.seconds for run in tuned)
    sha256 = checkpoint.meta.weights_sha256
    made = report.provenance(seconds=seconds, writer=WRITER, writer_sha256=sha256)
    return PreferenceResults.of_study(made, tasks, pools, tuned)
