"""What it costs to look inside: `python -m tests.benchmarks.cells`.

One sequence of 20 digits through networks of 16 units, as the page has them, on one thread:

* **read**: the readable cell with its trace, beside torch's fused layer on the same weights;
* **gradients**: the whole map of answers and steps in one backward pass, beside one pass an answer.

Times are processor time, medians of rounds in which the contestants take turns.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import statistics
import time
from collections.abc import Callable

import torch

from lm_core.analysis.gradients import gradient_map
from lm_core.experiments.inside_a_cell import training
from lm_core.models.fast.recurrent import FusedCell
from lm_core.rng import generator

LENGTH = 20


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=50, help="median of so many; default: 50")
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    print(
        "| cell | read: ours, ms | torch's, ms | ratio | gradients: ours, ms | one by one, ms | ratio |"
    )
    print("|---|---|---|---|---|---|---|")
    for variety in ("rnn", "irnn", "gru", "lstm"):
        ours, fused = _medians(_readings(variety), rounds)
        together, one_by_one = _medians(_gradients(variety), rounds)
        print(
            f"| {variety} | {ours:.2f} | {fused:.2f} | {ours / fused:.1f} | {together:.2f}"
            f" | {one_by_one:.2f} | {together / one_by_one:.2f} |"
        )


def _network(variety: str) -> tuple[training.FirstSymbolNetwork, torch.Tensor]:
    network = training.FirstSymbolNetwork(training.FirstSymbolConfig(variety)).double()
    digits = torch.randint(training.SYMBOLS, (LENGTH,), generator=generator(1))
    return network, network.as_inputs(digits)


def _readings(variety: str) -> tuple[Callable[[], object], Callable[[], object]]:
    network, inputs = _network(variety)
    fused = FusedCell(network.cell)
    return lambda: network.cell.read(inputs[None]), lambda: fused(inputs[None])


def _gradients(variety: str) -> tuple[Callable[[], object], Callable[[], object]]:
    network, inputs = _network(variety)
    direction = network.readout.weight[0].detach()

    def one_by_one() -> None:
        reading = network.cell.read(inputs[None].clone().requires_grad_())
        states = [tensor for step in reading.steps for tensor in step.state]
        for step in reading.steps:
            torch.autograd.grad(
                step.hidden[0] @ direction, states, retain_graph=True, allow_unused=True
            )

    return lambda: gradient_map(network.cell, inputs, direction), one_by_one


def _medians(contestants: tuple[Callable[[], object], ...], rounds: int) -> list[float]:
    """Return each contestant's median processor time in ms."""
    times: list[list[float]] = [[] for _ in contestants]
    for _ in range(rounds + 3):  # the first three warm up
        for taken, run in zip(times, contestants, strict=True):
            began = time.process_time()
            run()
            taken.append(1e3 * (time.process_time() - began))
    return [statistics.median(taken[3:]) for taken in times]


if __name__ == "__main__":
    main()
