"""A formula of the class as a graph, swept forward or in reverse."""

import streamlit as st

from lm_core.models import autodiff as diff
from pages.gradients.cost_of_sweeps import costs
from pages.gradients.formula_choice import FORMULA, VALUES, Chosen, choose_formula
from pages.gradients.sweep import draw_sweep
from pages.shared import page
from pages.shared.numbers import significant

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


def autodiff(screen: page.FirstScreen) -> None:
    """Draw the graph with its derivatives as far as the sweep has come."""
    chosen = choose_formula(screen)
    asked = page.ask(
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
            lambda step: draw_sweep(chosen, step, is_masked=asked.masks),
            label="Operations swept",
            seconds_per_step=0.8,
        )
    page.note_beside(screen, _ADJOINTS if chosen.is_reverse else _TANGENTS)
    page.below("What it costs: n inputs, m outputs", "cost", costs, chosen.computed, icon="timer")


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
