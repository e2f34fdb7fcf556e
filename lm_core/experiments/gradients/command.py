"""Train with batch norm and without by batch size, and time Jacobians either way."""

import argparse
import time

import torch

from lm_core.experiments.gradients.normalisation import BATCH_SIZES, LAYERS, train_network
from lm_core.experiments.gradients.study import (
    EDGES,
    INPUTS,
    SEEDS,
    GradientResults,
    collect,
    measure_cost,
)

HELP = "train with batch norm by batch size, and time Jacobians by forward and reverse sweeps"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    GradientResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a row for each kind of network and each function, then write them all."""
    torch.set_num_threads(1)
    began = time.monotonic()
    print("layers      batch  wrong, evaluation  wrong, batches' own  (means of seeds)")
    runs = []
    for layers in LAYERS:
        for size in BATCH_SIZES:
            found = [train_network(layers, size, seed) for seed in SEEDS]
            evaluated, in_batches = (
                sum(values) / len(found)
                for values in zip(*((r.evaluated, r.in_batches) for r in found), strict=True)
            )
            print(f"{layers:<11} {size:5} {evaluated:18.1%} {in_batches:20.1%}", flush=True)
            runs += found
    print("inputs  outputs  edges  forward, ms  reverse, ms")
    costs = []
    for n_inputs in INPUTS:
        cost = measure_cost(n_inputs, EDGES // n_inputs)
        costs.append(cost)
        print(
            f"{cost.inputs:6} {cost.outputs:8} {cost.edges:6}"
            f" {1e3 * cost.forward:12.3g} {1e3 * cost.reverse:12.3g}"
        )
    collect(runs, costs, time.monotonic() - began).save(arguments.out)
