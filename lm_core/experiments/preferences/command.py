"""Write and judge comparisons, fit reward models, tune the writer in many ways, and put it all together."""

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
    runs, (writer, meta) = report.options.runs, load_shipped(WRITER)
    pools = study.pools_once(writer.requires_grad_(False), runs / "pools.safetensors")
    tasks = {rule.name: study.prepare_task(rule, *pools) for rule in study.rules()}
    seconds = report.processor_seconds
    tuned = report.each(
        FinishedTuning.once(runs / f"{i:02d}.json", writer, config, tasks[config.rule], pools[0])
        for i, config in enumerate(study.RUNS[: report.options.first])
    )
    seconds += sum(run.seconds for run in tuned)
    made = report.provenance(seconds=seconds, writer=WRITER, writer_sha256=meta.weights_sha256)
    return PreferenceResults.of_study(made, tasks, pools, tuned)
