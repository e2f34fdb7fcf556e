"""What is measured beforehand: normalisation by batch size, and what a Jacobian costs either way."""

import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from lm_core.errors import ResultError
from lm_core.experiments.gradients.normalisation import BATCH_SIZES, LAYERS, NormalisationRun
from lm_core.experiments.results import Results, provenance, results_path
from lm_core.models.autodiff import Graph, jacobian
from lm_core.rng import generator

EXPERIMENT = "gradients"
SHIPPED = results_path(EXPERIMENT)

SEEDS = (1, 2, 3, 4, 5)
EDGES = 256
"""Weights of each function whose Jacobian is measured: inputs times outputs."""
INPUTS = (1, 4, 16, 64, 256)
_REPEATS = 7


@dataclass(frozen=True)
class GradientResults:
    """All that is measured, as it is shipped.

    Attributes
    ----------
    provenance : dict
    runs : tuple of NormalisationRun
    costs : list of dict
        Of each function: its inputs, outputs and edges, and the processor seconds ``forward`` and
        ``reverse`` of its Jacobian.
    """

    provenance: dict[str, Any]
    runs: tuple[NormalisationRun, ...]
    costs: list[dict[str, Any]]

    def of(self, layers: str, batch_size: int) -> list[NormalisationRun]:
        """Return the runs of one kind of layer and batch size, one for each seed."""
        return [r for r in self.runs if (r.layers, r.batch_size) == (layers, batch_size)]

    def save(self, path: Path = SHIPPED) -> None:
        """Write them as one results file."""
        data = {"runs": [list(asdict(run).values()) for run in self.runs], "costs": self.costs}
        Results(EXPERIMENT, self.provenance, data).save(path)


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


def measure_cost(n_inputs: int, n_outputs: int, repeats: int = _REPEATS) -> dict[str, Any]:
    """Return the median processor seconds of a Jacobian by forward and by reverse sweeps."""
    graph, inputs, outputs = one_layer(n_inputs, n_outputs)
    edges = sum(len(graph.edges(place)) for place in range(len(graph.nodes)))
    found: dict[str, Any] = {"inputs": n_inputs, "outputs": n_outputs, "edges": edges}
    for name, is_reverse in (("forward", False), ("reverse", True)):
        seconds = []
        for _ in range(repeats):
            began = time.process_time()
            jacobian(graph, inputs, outputs, is_reverse=is_reverse)
            seconds.append(time.process_time() - began)
        found[name] = float(f"{statistics.median(seconds):.3g}")
    return found


def collect(
    runs: list[NormalisationRun], costs: list[dict[str, Any]], seconds: float
) -> GradientResults:
    """Return measurements with their provenance."""
    settings = {"seeds": list(SEEDS), "edges": EDGES}
    found = provenance(device="cpu", seconds=seconds, **settings)
    return GradientResults(found, tuple(runs), costs)


def load_results(path: Path = SHIPPED) -> GradientResults:
    """Read what was measured.

    Raises
    ------
    ResultError
        If the file is missing, or is another one.
    """
    results = Results.load(path, EXPERIMENT)
    try:
        runs = tuple(NormalisationRun(*row) for row in results.data["runs"])
        costs = [
            {name: row[name] for name in ("inputs", "outputs", "edges", "forward", "reverse")}
            for row in results.data["costs"]
        ]
        found = GradientResults(results.provenance, runs, costs)
        if not costs or not all(found.of(kind, size) for kind in LAYERS for size in BATCH_SIZES):
            raise KeyError("a row")
    except (KeyError, TypeError) as error:
        raise ResultError(
            f"{path.name} must hold runs and costs: {error!r}; python -m lm_core experiment"
            f" {EXPERIMENT} makes it"
        ) from error
    return found
