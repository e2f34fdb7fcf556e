"""Count how often networks fail to learn XOR."""

import argparse
import time

import torch

from lm_core.experiments.perceptron.study import (
    STARTS,
    PerceptronResults,
    collect,
    count_failures,
    grid,
)

HELP = "count how often networks fail to learn XOR, by activation, width and depth"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--starts", type=int, default=STARTS, help="of each kind of network")
    PerceptronResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a row for each kind of network, then write them all."""
    torch.set_num_threads(1)
    began = time.monotonic()
    print("activation  width  depth  failed")
    failures = []
    for activation, width, depth in grid():
        found = count_failures(activation, width, depth, arguments.starts)
        print(f"{activation:<11} {width:5} {depth:6} {found.share:7.1%}", flush=True)
        failures.append(found)
    collect(failures, time.monotonic() - began).save(arguments.out)
