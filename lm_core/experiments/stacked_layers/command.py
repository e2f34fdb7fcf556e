"""Train LSTMs of one to four layers with equally many parameters; called again, it trains what is missing."""

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.stacked_layers import training
from lm_core.experiments.stacked_layers.results import StackedLayersResults
from lm_core.text.training_text import load_book


@experiment(
    "train LSTMs of one to four layers with equally many parameters: does depth help?",
    StackedLayersResults,
)
def run(report: Report) -> None:
    """Train what the results do not hold yet; each training is written as soon as it is over."""
    book, path = load_book(), report.options.out
    results = report.found(StackedLayersResults)
    for seed, layers in training.TRAININGS:
        before = results.trained if results else ()
        if any((found.seed, found.layers) == (seed, layers) for found in before):
            continue
        trained = (*before, report(training.trained_layers(layers, seed, book)))
        seconds = sum(found.seconds for found in trained)
        made = report.provenance(book, training=training.TRAINING, seconds=seconds)
        results = StackedLayersResults(made, trained)
        results.save(path)
