"""Train cells with and without gates on words and on streams of words, many at once."""

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.gates import training
from lm_core.experiments.gates.results import GatesResults


@experiment("train LSTMs without one gate or the other: which of them can go?", GatesResults)
def run(report: Report) -> GatesResults:
    """Train every kind on every length."""
    tasks = [(n, words) for n in training.LENGTHS for words in (training.ONE_WORD, training.STREAM)]
    readings = tuple(report(reading) for task in tasks for reading in training.measured(*task))
    made = report.provenance(
        steps=training.STEPS,
        batch=training.BATCH,
        learning_rate=training.RATE,
        clip=training.CLIP,
        letters=training.LETTERS,
        width=training.WIDTH,
    )
    return GatesResults(made, training.READ_ON, readings)
