"""Tune the shipped translator on instructions, and measure how often they are followed."""

from lm_core.experiments.commands import Report, experiment, flag, option
from lm_core.experiments.instructions.comparison import all_cells, settings_of
from lm_core.experiments.instructions.results import InstructionResults
from lm_core.experiments.instructions.study import held_out_answers, share_of_commonest
from lm_core.experiments.instructions.tasks import TASKS
from lm_core.experiments.instructions.tuned_models import ship_tuned
from lm_core.experiments.instructions.tuning import STEPS, TUNED
from lm_core.text.sentence_pairs import TEST, TRAIN, load_pairs
from lm_core.training.checkpoints import SHIPPED, load_shipped


@experiment(
    "tune a translator to follow instructions, and ask it in known and in new words",
    InstructionResults,
    flag("--tune", "tune and ship it first (default: the shipped one)"),
    option("--steps", STEPS, help="of the tuning"),
    option("--captions", 200, help="of the test set, asked at each task in each way"),
)
def run(report: Report) -> InstructionResults:
    """Tune if asked to; then print a row for each model, task and way to ask, and write them all."""
    captions, asked = load_pairs(TRAIN), load_pairs(TEST)[: report.options.captions]
    if report.options.tune:
        ship_tuned(captions, report.options.steps, SHIPPED)
    model, meta = load_shipped(TUNED)
    cells = report.each(all_cells(model, captions, asked))
    made = report.provenance(**settings_of(meta, len(asked)))
    commonest = {task: share_of_commonest(task, asked) for task in TASKS}
    return InstructionResults(made, cells, report(held_out_answers(model, asked)), commonest)
