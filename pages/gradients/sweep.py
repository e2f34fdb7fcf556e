"""A step of a sweep through the graph: what is known, in words and in a table."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

import pyarrow as pa
import streamlit as st

from lm_core.models import autodiff as diff
from lm_core.models.autodiff import CONSTANT, INPUT, Graph, SweepStep
from pages.gradients.computation_graph_chart import Box, computation_graph, graph_table
from pages.gradients.formula_choice import Chosen
from pages.shared import page
from pages.shared.numbers import significant

_HEIGHT = 310
_SIGNS = {"*": "·", "-": "−", "negate": "−"}


def _swept(chosen: Chosen, step: int) -> tuple[list[float], list[SweepStep]]:
    """Return the derivatives of all nodes after some steps of the sweep, and these steps."""
    graph = chosen.computed.graph
    derivatives = [float(place == chosen.start) for place in range(len(graph.nodes))]
    sweep: Iterator[SweepStep] = (diff.reverse_sweep if chosen.is_reverse else diff.forward_sweep)(
        graph, derivatives
    )
    return derivatives, list(islice(sweep, step))


def _names(graph: Graph) -> dict[int, str]:
    """Return the names of all nodes: inputs and numbers as typed, results v1, v2, ..."""
    names, n = {}, 0
    for place, node in enumerate(graph.nodes):
        if node.operation == INPUT:
            names[place] = node.name
        elif node.operation == CONSTANT:
            names[place] = significant(node.value, 4)
        else:
            n += 1
            names[place] = f"v{n}"
    return names


def _written(graph: Graph, place: int, names: dict[int, str]) -> str:
    """Return a node as an equation: its name, and what it is computed from."""
    node = graph.nodes[place]
    read = [names[a] for a in node.arguments]
    sign = _SIGNS.get(node.operation, node.operation)
    if not read:
        return names[place]
    if node.operation == "^":
        return f"{names[place]} = {read[0]}^{read[1]}"
    if len(read) == 2:
        return f"{names[place]} = {read[0]} {sign} {read[1]}"
    return f"{names[place]} = {sign}{'' if node.operation == 'negate' else ' '}{read[0]}"


def draw_sweep(chosen: Chosen, step: int, *, is_masked: bool) -> None:
    """Draw the graph after so many steps, and the table of its nodes."""
    graph = chosen.computed.graph
    derivatives, steps = _swept(chosen, step)
    names = _names(graph)
    current = steps[-1] if steps else None
    known = _known(chosen, steps)
    shown = [place for place, node in enumerate(graph.nodes) if node.operation != CONSTANT]
    where = {place: i for i, place in enumerate(shown)}
    word = "adjoint" if chosen.is_reverse else "tangent"
    boxes = []
    for place in shown:
        is_asked = is_masked and names[place] == "x"
        derivative = f"{word} {'?' if is_asked else significant(derivatives[place], 4)}"
        boxes.append(
            Box(
                _written(graph, place, names),
                significant(graph.nodes[place].value, 4),
                derivative if place in known else "",
                tuple((where[a], significant(p, 4)) for a, p in graph.edges(place)),
                current is not None and place == current.place,
                place in known,
            )
        )
    said = _said(chosen, current, derivatives, names, is_masked=is_masked)
    page.show_chart(
        computation_graph(graph_table(boxes), height=_HEIGHT - 40),
        partial(_table, graph, names, derivatives, known, word, is_masked=is_masked),
        key="computation",
        alt="; ".join(
            f"{box.name}: {box.value}, {box.derivative or 'not swept yet'}" for box in boxes
        ),
        name="computation-graph",
        is_small=True,
    )
    st.markdown(said)


def _known(chosen: Chosen, steps: list[SweepStep]) -> set[int]:
    """Return the nodes whose derivative the sweep has come to: the start, and all that was reached."""
    graph = chosen.computed.graph
    if chosen.is_reverse:
        return {chosen.start} | {a for step in steps for a, _ in step.products}
    inputs = {place for place, node in enumerate(graph.nodes) if node.operation == INPUT}
    return inputs | {step.place for step in steps}


def _said(
    chosen: Chosen,
    step: SweepStep | None,
    derivatives: list[float],
    names: dict[int, str],
    *,
    is_masked: bool,
) -> str:
    """Return what the last step computed, with its numbers."""
    graph = chosen.computed.graph
    if step is None:
        return f"It begins with {'adjoint' if chosen.is_reverse else 'tangent'} 1 at **{names[chosen.start]}**."
    pairs = zip(graph.edges(step.place), step.products, strict=True)
    if chosen.is_reverse:
        own = significant(derivatives[step.place], 4)
        terms = [
            f"{names[a]} gets {significant(p, 4)} · {own} = **{significant(amount, 4)}**"
            for (a, p), (_, amount) in pairs
        ]
        return f"From {names[step.place]}, adjoint {own}: " + "; ".join(terms)
    terms = [f"{significant(p, 4)} · {significant(derivatives[a], 4)}" for (a, p), _ in pairs]
    total = significant(derivatives[step.place], 4)
    return f"{names[step.place]} has tangent {' + '.join(terms)} = **{total}**"


def _table(
    graph: Graph,
    names: dict[int, str],
    derivatives: list[float],
    known: set[int],
    word: str,
    *,
    is_masked: bool,
) -> pa.Table:
    places = [p for p, node in enumerate(graph.nodes) if node.operation != CONSTANT]
    return pa.table(
        {
            "node": [_written(graph, p, names) for p in places],
            "value": [graph.nodes[p].value for p in places],
            word: [
                derivatives[p] if p in known and not (is_masked and names[p] == "x") else None
                for p in places
            ],
        }
    )
