r"""Automatic differentiation of numbers: a graph of elementary operations, swept forward or in reverse.

An operation v = f(a, b) is computed at once, with its partial derivatives, the numbers at the
edges of the graph. Two sweeps pass over these, each by the chain rule:

    forward   v' = df/da a' + df/db b'            along the computation: a Jacobian-vector product
    reverse   A += df/da V,  B += df/db V         against it: a vector-Jacobian product

where v' is the tangent of v, how fast it moves with the inputs, and V its adjoint, how fast the output
moves with it. A value that is read twice gets the sum of both adjoints.

References
----------
Griewank & Walther 2008, "Evaluating Derivatives". Baydin et al. 2018, "Automatic Differentiation in
Machine Learning: a Survey". https://arxiv.org/abs/1502.05767
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lm_core.errors import DomainError, SettingError
from lm_core.models.elementary_operations import OPERATIONS

INPUT, CONSTANT = "input", "constant"


class Node(NamedTuple):
    """A value of a computation: what made it of which earlier nodes, and its partial derivatives."""

    operation: str
    arguments: tuple[int, ...]
    value: float
    partials: tuple[float, ...]
    name: str = ""


class SweepStep(NamedTuple):
    """What a sweep did at a node: one product for each edge, the place at its other end and the amount."""

    place: int
    products: tuple[tuple[int, float], ...]


class Graph:
    """The nodes of a computation, in its order: each reads only those before it."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def input(self, value: float, name: str = "") -> int:
        """Add an input, and return its place."""
        return self._add(Node(INPUT, (), value, (), name))

    def constant(self, value: float) -> int:
        """Add a number that nothing is differentiated by, and return its place."""
        return self._add(Node(CONSTANT, (), value, ()))

    def apply(self, operation: str, *arguments: int) -> int:
        """Compute an operation on earlier nodes, and return the place of its result.

        An operation on constants is a constant itself, and needs no derivative. Raises DomainError
        if it has no value there, or no derivative where it needs one.
        """
        if operation not in OPERATIONS:
            raise SettingError(f"there is no operation {operation!r}")
        read = [self.nodes[place] for place in arguments]
        values = [node.value for node in read]
        shown = f"{operation} at {', '.join(f'{value:g}' for value in values)}"
        if operation == "^" and values[0] <= 0 and read[1].operation != CONSTANT:
            raise DomainError(f"{shown}: where the exponent varies, the base must be above 0")
        is_constant = all(node.operation == CONSTANT for node in read)
        try:
            value = OPERATIONS[operation].value(*values)
            partials = () if is_constant else OPERATIONS[operation].partials(*values)
        except (ZeroDivisionError, ValueError) as error:
            raise DomainError(
                f"{shown} has no value, or no derivative, so no gradient passes there: choose other numbers"
            ) from error
        except OverflowError as error:
            raise DomainError(f"{shown} is too large") from error
        if not all(map(math.isfinite, (value, *partials))):
            raise DomainError(f"{shown} is too large")
        if is_constant:
            return self.constant(value)
        return self._add(Node(operation, arguments, value, partials))

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def edges(self, place: int) -> list[tuple[int, float]]:
        """Return what a node reads that is no constant, each with the partial derivative."""
        node = self.nodes[place]
        pairs = zip(node.arguments, node.partials, strict=True)
        return [(a, partial) for a, partial in pairs if self.nodes[a].operation != CONSTANT]


def forward_sweep(graph: Graph, tangents: list[float]) -> Iterator[SweepStep]:
    """Fill in the tangents of all nodes, given those of the inputs; a step for each operation."""
    for place, node in enumerate(graph.nodes):
        if node.arguments:
            products = tuple((a, partial * tangents[a]) for a, partial in graph.edges(place))
            tangents[place] = sum(amount for _, amount in products)
            yield SweepStep(place, products)


def reverse_sweep(graph: Graph, adjoints: list[float]) -> Iterator[SweepStep]:
    """Fill in the adjoints of all nodes, given those of the outputs; a step for each operation."""
    for place in reversed(range(len(graph.nodes))):
        if graph.nodes[place].arguments:
            products = tuple((a, partial * adjoints[place]) for a, partial in graph.edges(place))
            for a, amount in products:
                adjoints[a] += amount
            yield SweepStep(place, products)


def jacobian(
    graph: Graph, inputs: Sequence[int], outputs: Sequence[int], *, is_reverse: bool
) -> list[list[float]]:
    """Return the Jacobian: a reverse sweep for each of m outputs, or a forward one for each of n inputs."""
    starts, ends = (outputs, inputs) if is_reverse else (inputs, outputs)
    found = []
    for start in starts:
        derivatives = [float(place == start) for place in range(len(graph.nodes))]
        for _ in (reverse_sweep if is_reverse else forward_sweep)(graph, derivatives):
            pass
        found.append([derivatives[end] for end in ends])
    return found if is_reverse else [list(row) for row in zip(*found, strict=True)]
