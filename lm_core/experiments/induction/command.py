"""Train the small transformers of the lesson on induction heads, and save their curves."""

import torch

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.induction.results import InductionResults
from lm_core.experiments.induction.training import LESSONS, STEPS, InductionStep, learn
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book


@experiment(
    "train small transformers with and without repetition: what makes an induction head form",
    InductionResults,
    option("--seed", 0, "start of all randomness"),
)
def run(report: Report) -> InductionResults:
    """Train on each lesson, and measure now and then."""
    book, seed = load_book(SOURCE), report.options.seed
    text = torch.from_numpy(book.train)
    curves = {
        report(lesson.title): report.each(
            InductionStep(step.step, *(round(value, 4) for value in step[1:]))
            for step in learn(lesson, text, len(SOURCE), seed)
        )
        for lesson in LESSONS
    }
    return InductionResults(report.provenance(book, seed=seed, steps=STEPS), curves)
