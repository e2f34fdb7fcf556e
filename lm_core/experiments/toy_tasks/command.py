"""Train two models on each toy task with three seeds, and add what the file lacks, one training at a time."""

from dataclasses import replace
from itertools import product

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.toy_tasks.results import MODELS, STORAGE, ToyResults, ToyTraining, key_of
from lm_core.experiments.toy_tasks.tasks import TASKS
from lm_core.experiments.toy_tasks.training import BATCH, configured, score, train
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.rng import generator
from lm_core.training.weight_storage import StoredModel

SEEDS = (1, 2, 3)


@experiment(
    "train two models on six toy tasks, and test them beyond the trained lengths",
    ToyResults,
    option("tasks", help=f"of {', '.join(TASKS)}; default: all", nargs="*", metavar="TASK"),
)
def run(report: Report) -> ToyResults:
    """Train and test what is missing; each training is written as soon as it is there."""
    found = report.found(ToyResults) or ToyResults(report.provenance(), BATCH, (), {})
    made = {(t.task, t.model, t.seed) for t in found.trainings}
    for task, model, seed in product(report.options.tasks or TASKS, MODELS, SEEDS):
        if (task, model, seed) not in made:
            found = _added(found, report, task, model, seed)
            found.save(report.options.out)
    return found


def _added(found: ToyResults, report: Report, task: str, model: str, seed: int) -> ToyResults:
    began, rng = report.processor_seconds, generator(seed)
    network = RecurrentEncoderDecoder(configured(MODELS[model]))
    network.initialise(rng)
    for _ in train(network, TASKS[task], rng):
        pass
    kept = StoredModel.of(network, STORAGE)
    taken = round(report.processor_seconds - began, 1)
    weights = sum(p.numel() for p in network.parameters())
    training = ToyTraining(task, model, seed, weights, taken, score(kept.build(), TASKS[task]))
    stored = {key_of(task, model): kept} if seed == SEEDS[0] else {}
    trainings = (*found.trainings, report(training))
    return replace(
        found,
        # Of all trainings, also those of earlier calls.
        provenance=report.provenance(seconds=round(sum(t.seconds for t in trainings), 1)),
        trainings=trainings,
        stored={**found.stored, **stored},
    )
