"""Measure what attention costs on this machine, and what its approximations cost in nats."""

import torch

from lm_core.experiments.ablations.variants import VARIANTS
from lm_core.experiments.attention_cost import study
from lm_core.experiments.attention_cost.measurement import AttentionCost, GenerationCost
from lm_core.experiments.attention_cost.results import CostResults
from lm_core.experiments.commands import Report, experiment, option
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import load_shipped


@experiment(
    "measure time and memory of attention",
    CostResults,
    option("--rounds", 7, "runs of which the shortest counts"),
)
def run(report: Report) -> CostResults:
    """Time each method and the next character, and put the approximations into a trained model."""
    model, meta = load_shipped(VARIANTS["full"].checkpoint)
    tokens = torch.from_numpy(load_book().validation[: study.EVALUATED_CHARACTERS])
    rounds = report.options.rounds
    records = report.each(study.measure_all(rounds=rounds, second_limit=2.0))
    costs = tuple(r for r in records if isinstance(r, AttentionCost))
    generation = tuple(r for r in records if isinstance(r, GenerationCost))
    found = report.each(study.measure_approximations(model, tokens, rounds=rounds))
    made = report.provenance(device=study.processor_name())
    return CostResults(made, costs, generation, found, study.mean_loss(model, tokens), meta.title)
