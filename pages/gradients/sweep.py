"""A step of a sweep through the graph: what is known, in words and in a table."""

from itertools import islice

import pyarrow as pa
import streamlit as st

from lm_core.models import autodiff as diff
from lm_core.models.autodiff import CONSTANT, INPUT, Graph, SweepStep
from pages.gradients.formula_choice import Chosen
from pages.shared import page
from pages.shared.charts.computation_graph import Box, computation_graph, graph_table
from pages.shared.numbers import significant

_HEIGHT = 310
_SIGNS = {"*": "·", "-": "−", "negate": "−"}


def _swept(chosen: Chosen, step: int) -> tuple[list[float], list[SweepStep]]:
    """Return the derivatives of all nodes after some steps of the sweep, and these steps."""
    graph = chosen.computed.graph
    derivatives = [float(place == chosen.start) for place in range(len(graph.nodes))]
    sweep = diff.reverse_sweep if chosen.is_reverse else diff.forward_sweep
    return derivatives, list(islice(sweep(graph, derivatives), step))


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
    names, known = _names(graph), _known(chosen, steps)
    shown = [place for place, node in enumerate(graph.nodes) if node.operation != CONSTANT]
    where = {place: i for i, place in enumerate(shown)}
    hidden = {place for place in shown if is_masked and names[place] == "x"}
    boxes = []
    for place in shown:
        derivative = "?" if place in hidden else significant(derivatives[place], 4)
        boxes.append(
            Box(
                _written(graph, place, names),
                significant(graph.nodes[place].value, 4),
                f"{chosen.word} {derivative}" if place in known else "",
                tuple((where[a], significant(p, 4)) for a, p in graph.edges(place)),
                bool(steps) and place == steps[-1].place,
                place in known,
            )
        )
    said = (f"{box.name}: {box.value}, {box.derivative or 'not swept yet'}" for box in boxes)
    table = {
        "node": [box.name for box in boxes],
        "value": [graph.nodes[place].value for place in shown],
        chosen.word: [derivatives[p] if p in known - hidden else None for p in shown],
    }
    page.show_chart(
        computation_graph(graph_table(boxes), height=_HEIGHT - 40),
        pa.table(table),
        key="computation",
        alt="; ".join(said),
        name="computation-graph",
        is_small=True,
    )
    st.markdown(_said(chosen, steps, derivatives, names))


def _known(chosen: Chosen, steps: list[SweepStep]) -> set[int]:
    """Return the nodes whose derivative the sweep has come to: the start, and all that was reached."""
    graph = chosen.computed.graph
    if chosen.is_reverse:
        return {chosen.start} | {a for step in steps for a, _ in step.products}
    inputs = {place for place, node in enumerate(graph.nodes) if node.operation == INPUT}
    return inputs | {step.place for step in steps}


def _said(
    chosen: Chosen, steps: list[SweepStep], derivatives: list[float], names: dict[int, str]
) -> str:
    """Return what the last step computed, with its numbers."""
    if not steps:
        return f"It begins with {chosen.word} 1 at **{names[chosen.start]}**."
    step, own = steps[-1], significant(derivatives[steps[-1].place], 4)
    edges = [(a, significant(p, 4)) for a, p in chosen.computed.graph.edges(step.place)]
    if chosen.is_reverse:
        amounts = [significant(amount, 4) for _, amount in step.products]
        terms = [
            f"{names[a]} gets {p} · {own} = **{amount}**"
            for (a, p), amount in zip(edges, amounts, strict=True)
        ]
        return f"From {names[step.place]}, adjoint {own}: " + "; ".join(terms)
    terms = [f"{p} · {significant(derivatives[a], 4)}" for a, p in edges]
    return f"{names[step.place]} has tangent {' + '.join(terms)} = **{own}**"
