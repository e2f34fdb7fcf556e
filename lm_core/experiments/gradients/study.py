"""What is measured beforehand: normalisation by batch size, and what a Jacobian costs either way."""

import statistics
import time
from dataclasses import dataclass

import torch

from lm_core.experiments.gradients.normalisation import BATCH_SIZES, LAYERS, NormalisationRun
from lm_core.models.autodiff import Graph, jacobian
from lm_core.results import Positive, Recorded
from lm_core.rng import generator

SEEDS = (1, 2, 3, 4, 5)
EDGES = 256
"""Weights of each function whose Jacobian is measured: inputs times outputs."""
INPUTS = (1, 4, 16, 64, 256)
_REPEATS = 7


@dataclass(frozen=True)
class SweepCost:
    """Processor seconds of a function's whole Jacobian, by forward and by reverse sweeps."""

    inputs: Positive
    outputs: Positive
    edges: Positive
    forward: float
    reverse: float


@dataclass(frozen=True)
class GradientResults(Recorded, name="gradients"):
    """All that is measured."""

    runs: tuple[NormalisationRun, ...]
    costs: tuple[SweepCost, ...]

    def __post_init__(self) -> None:
        if not self.costs or not all(self.of(kind, b) for kind in LAYERS for b in BATCH_SIZES):
            raise ValueError("there must be costs, and runs of every kind of layer and batch size")

    def of(self, layers: str, batch_size: int) -> list[NormalisationRun]:
        """Return the runs of one kind of layer and batch size, one for each seed."""
        return [r for r in self.runs if (r.layers, r.batch_size) == (layers, batch_size)]


def one_layer(n_inputs: int, n_outputs: int) -> tuple[Graph, list[int], list[int]]:
    """Return the graph of y = tanh(W x) with random W and x, its inputs and its outputs."""
    rng = generator(1)
    graph = Graph()
    inputs = [graph.input(float(x)) for x in torch.randn(n_inputs, generator=rng)]
    outputs = []
    for row in torch.randn((n_outputs, n_inputs), generator=rng).tolist():
        terms = [
            graph.apply("*", graph.constant(weight), place)
            for weight, place in zip(row, inputs, strict=True)
        ]
        total = terms[0]
        for term in terms[1:]:
            total = graph.apply("+", total, term)
        outputs.append(graph.apply("tanh", total))
    return graph, inputs, outputs


def measure_cost(n_inputs: int, n_outputs: int, repeats: int = _REPEATS) -> SweepCost:
    """Return the median processor seconds of a Jacobian by forward and by reverse sweeps."""
    graph, inputs, outputs = one_layer(n_inputs, n_outputs)
    edges = sum(len(graph.edges(place)) for place in range(len(graph.nodes)))
    medians = []
    for is_reverse in (False, True):
        seconds = []
        for _ in range(repeats):
            began = time.process_time()
            jacobian(graph, inputs, outputs, is_reverse=is_reverse)
            seconds.append(time.process_time() - began)
        medians.append(float(f"{statistics.median(seconds):.3g}"))
    return SweepCost(n_inputs, n_outputs, edges, *medians)
