"""Train Bengio's model on the book by every update rule, each at its best learning rate."""

import torch

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.optimisers import study
from lm_core.text.training_text import load_book


@experiment(
    "train Bengio's model on the book by every update rule: loss by step and by second",
    study.OptimiserResults,
    option("--steps", study.STEPS, "of each training"),
)
def run(report: Report) -> study.OptimiserResults:
    """Search each rule's rate in short trainings, then train with it."""
    book, steps = load_book(), report.options.steps
    text = torch.from_numpy(book.train).long()
    curves = report.each(
        study.train(rule, study.best_of_rates(rule, text), text, steps) for rule in study.RULES
    )
    made = report.provenance(book, batch=study.BATCH, steps=steps, seed=study.SEED)
    return study.OptimiserResults(made, curves)
