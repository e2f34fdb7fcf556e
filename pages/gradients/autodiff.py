"""A formula of the class as a graph, swept forward or in reverse, and what either costs."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.gradients.expressions import LONGEST, VARIABLES, Computed, compute
from lm_core.experiments.gradients.study import GradientResults, SweepCost
from lm_core.models import autodiff as diff
from lm_core.models.autodiff import CONSTANT, INPUT, Graph, SweepStep
from pages.gradients.computation_graph_chart import Box, computation_graph, graph_table
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import significant
from pages.shared.ui.messages import errors_in_place, show_error
from pages.shared.ui.text_input import checked_text, say_limits

FORMULA = "log(x) + x*y - sin(y)"
"""The example of Griewank & Walther, and of Baydin et al."""
VALUES = {"x": 2.0, "y": 5.0, "z": 1.0, "w": 1.0}
REVERSE, FORWARD = "Reverse (VJP)", "Forward (JVP)"
_READ_LAST = "formula_read_last"
_HEIGHT = 310
_ANSWERS = ("5: the larger of the two", "5.5: their sum", "2.5: their product")
_ADJOINTS = (
    "The numbers at the edges are *partial derivatives*. The reverse sweep carries the *adjoint*, how"
    " fast the output moves with a value, back along the edges and adds up what meets: a *vector-Jacobian"
    " product*. One sweep finds the derivatives by all inputs, which is why networks are trained with it."
    " **Type a formula.**"
)
_TANGENTS = (
    "The numbers at the edges are *partial derivatives*. The forward sweep carries the *tangent*, how"
    " fast a value moves with one input, along the computation: a *Jacobian-vector product*. It follows"
    " one input, so each input needs a sweep of its own."
)
_SIGNS = {"*": "·", "-": "−", "negate": "−"}


class Settings(NamedTuple):
    """What was typed and chosen."""

    formula: str = page.field(page.text, "Formula", FORMULA, max_chars=LONGEST, width=225)
    sweep: str = page.field(page.choice, "Sweep", (REVERSE, FORWARD), width=155)
    value_x: float = page.folded(page.number, "x", -100.0, 100.0, VALUES["x"], 0.5)
    value_y: float = page.folded(page.number, "y", -100.0, 100.0, VALUES["y"], 0.5)
    value_z: float = page.folded(page.number, "z", -100.0, 100.0, VALUES["z"], 0.5)
    value_w: float = page.folded(page.number, "w", -100.0, 100.0, VALUES["w"], 0.5)
    input: str = page.folded(page.choice, "Forward from", VARIABLES)
    output: int = page.folded(page.number, "Reverse from formula", 1, 3, 1)


class Chosen(NamedTuple):
    """A formula that was computed, the sweep, and where it begins."""

    formula: str
    values: dict[str, float]
    computed: Computed
    is_reverse: bool
    start: int


def _choose_formula(screen: page.FirstScreen) -> Chosen:
    """Draw formula, sweep and values; what cannot be computed is said, and the last picture stays."""
    settings = page.controls(Settings, screen)
    with screen.controls:
        say_limits({"formula": LONGEST})
    with screen.beside:
        typed = (settings.value_x, settings.value_y, settings.value_z, settings.value_w)
        formula, values, computed = _computed(
            settings.formula, dict(zip(VALUES, typed, strict=True))
        )
    is_reverse = settings.sweep == REVERSE
    if is_reverse:
        start = computed.outputs[min(settings.output, len(computed.outputs)) - 1]
    else:
        first = next(iter(computed.inputs.values()))
        start = computed.inputs.get(settings.input, first)
    return Chosen(formula, values, computed, is_reverse, start)


def _computed(formula: str, values: dict[str, float]) -> tuple[str, dict[str, float], Computed]:
    """Compute the formula; if that cannot be, say why and go on with what could be computed last."""
    try:
        found = compute(checked_text(formula, most=LONGEST, name="the formula"), values)
    except LMCoreError as error:
        show_error(error, icon=":material/functions:")
        formula, values = st.session_state.get(_READ_LAST, (FORMULA, VALUES))
        return formula, values, compute(formula, values)
    st.session_state[_READ_LAST] = formula, values
    return formula, values, found


def autodiff(screen: page.FirstScreen) -> None:
    """Draw the graph with its derivatives as far as the sweep has come."""
    chosen = _choose_formula(screen)
    asked: page.Asked[str] = page.ask(
        screen,
        "autodiff",
        "x is read twice: 0.5 arrives through log, 5 through the product. What is the adjoint of x?",
        _ANSWERS,
        right=_ANSWERS[1],
        reason="**5.5**, because moving x moves the output along both ways at once, so the changes add up.",
        when=chosen.is_reverse and (chosen.formula, chosen.values) == (FORMULA, VALUES),
    )
    n = sum(bool(node.arguments) for node in chosen.computed.graph.nodes)
    with screen.picture:
        st.markdown(f"**{_finding(chosen, is_masked=asked.masks)}**")
        page.playback_bar(
            "sweep_step",
            n + 1,
            lambda step: _draw(chosen, step, is_masked=asked.masks),
            label="Operations swept",
            start=n,
        )
    page.note_beside(screen, _ADJOINTS if chosen.is_reverse else _TANGENTS)
    page.below("What it costs: n inputs, m outputs", "cost", _cost, chosen.computed, icon="timer")


def _finding(chosen: Chosen, *, is_masked: bool) -> str:
    computed = chosen.computed
    if is_masked:
        return f"One reverse sweep finds both derivatives: f = {significant(computed.graph.nodes[chosen.start].value, 4)}"
    if chosen.is_reverse:
        (row,) = diff.jacobian(
            computed.graph, list(computed.inputs.values()), [chosen.start], is_reverse=True
        )
        found = ", ".join(
            f"∂f/∂{name} = {significant(value, 4)}"
            for name, value in zip(computed.inputs, row, strict=True)
        )
        many = ("the derivative", "both derivatives", "all derivatives")[min(len(row), 3) - 1]
        return f"One reverse sweep finds {many} of one output: {found}"
    column = diff.jacobian(computed.graph, [chosen.start], computed.outputs, is_reverse=False)
    name = computed.graph.nodes[chosen.start].name
    found = ", ".join(
        f"∂f{_index(i, len(column))}/∂{name} = {significant(row[0], 4)}"
        for i, row in enumerate(column)
    )
    return f"A forward sweep finds the derivatives by one input, {name}: {found}"


def _index(i: int, n: int) -> str:
    return "₁₂₃"[i] if n > 1 else ""


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


def _draw(chosen: Chosen, step: int, *, is_masked: bool) -> None:
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


def _cost(computed: Computed) -> None:
    """Show how many products either way takes for the formula, and what was measured of larger ones."""
    graph = computed.graph
    n, m = len(computed.inputs), len(computed.outputs)
    edges = sum(len(graph.edges(place)) for place in range(len(graph.nodes)))
    st.markdown(
        r"By the chain rule, the Jacobian of $\mathbf{o} = f_4(f_3(f_2(f_1(\mathbf{x}))))$ is"
        r" $J_f = J_{f_4} J_{f_3} J_{f_2} J_{f_1}$; it has a column for each of the n inputs and a row for"
        r" each of the m outputs. A forward sweep multiplies it by a column,"
        r" $J_f(\mathbf{x})\,\mathbf{v}$, from right to left; a reverse sweep multiplies a row by it,"
        r" $\mathbf{u}^\top J_f(\mathbf{x})$, from left to right. One sweep finds one column or one"
        r" row, so the whole Jacobian takes **n forward or m reverse sweeps**. Either kind multiplies once at"
        r" each edge."
    )
    st.markdown(
        f"Your formula{'s have' if m > 1 else ' has'} {n} input{'s' * (n > 1)}, {m} output{'s' * (m > 1)} and"
        f" {edges} edges, so forward sweeps take {n} · {edges} = **{n * edges}** products and reverse sweeps"
        f" {m} · {edges} = **{m * edges}**."
    )
    with errors_in_place():
        _measured_cost()


def _measured_cost() -> None:
    costs = _costs()
    sizes = tuple(float(cost.inputs) for cost in costs)
    page.show_lines(
        "sweep_cost",
        {
            "forward": [(float(cost.inputs), 1e3 * cost.forward) for cost in costs],
            "reverse": [(float(cost.inputs), 1e3 * cost.reverse) for cost in costs],
        },
        {"forward": LineStyle(VERMILLION), "reverse": LineStyle(BLUE, 1)},
        Axis(
            f"inputs n, of a function with m = {costs[0].outputs} / n outputs",
            (sizes[0], sizes[-1]),
            True,
            sizes,
        ),
        Axis("milliseconds for the Jacobian", (0.1, 1_000.0), True, (0.1, 1, 10, 100, 1_000)),
        beside={"outputs": [cost.outputs for cost in costs]},
        has_points=True,
        fills_screen=False,
        height=240,
    )


@st.cache_data(max_entries=1, show_spinner=False)
def _costs() -> list[SweepCost]:
    return list(GradientResults.load().costs)
