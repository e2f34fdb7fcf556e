"""Train transformers on short windows and read long ones; called again, it goes on where it stopped."""

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.positional_encoding import beyond_length as beyond
from lm_core.experiments.positional_encoding.results import BeyondLengthResults
from lm_core.experiments.positional_encoding.scores_by_distance import learned_codes
from lm_core.text.training_text import load_book


@experiment(
    "train transformers on windows of 64, and ask them at 512 positions", BeyondLengthResults
)
def run(report: Report) -> None:
    """Train what the results do not hold yet; each training is written as soon as it is over."""
    book, results = load_book(), report.found(BeyondLengthResults)
    before = results.provenance["seconds"] if results else 0.0  # of earlier calls
    for seed, position in beyond.TRAININGS:
        if results and any(reading.seed == seed for reading in results.of(position)):
            continue
        model, reading = beyond.trained_reading(position, seed, book)
        made = report.provenance(book, training=beyond.TRAINING)
        if results is None:  # the first kind is the learned one: its table is kept
            table = learned_codes(model)
            results = BeyondLengthResults(made, beyond.TRAINED, table, (report(reading),))
        else:
            results = results.added(report(reading), before + made["seconds"])
        results.save(report.options.out)
