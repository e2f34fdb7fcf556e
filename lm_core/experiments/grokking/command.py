"""Train the adding network on three shares of all pairs, with weight decay and without."""

from itertools import product

import torch

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.grokking.results import GrokkingResults
from lm_core.experiments.grokking.training import DECAYS, MODULUS, SHARES, train


@experiment("train a network on modular addition until it has found the rule", GrokkingResults)
def run(report: Report) -> GrokkingResults:
    """Train all of them, one after another."""
    # Without weight decay the gradients become so small that a processor is many times slower with them.
    torch.set_flush_denormal(True)
    curves = report.each(train(share, decay) for share, decay in product(SHARES, DECAYS))
    return GrokkingResults(report.provenance(seconds=report.processor_seconds), MODULUS, curves)
