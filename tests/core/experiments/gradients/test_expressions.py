"""Formulas as people type them: what they mean, and what is answered to those that mean nothing."""

import math

import pytest

from lm_core.errors import DomainError, TextError
from lm_core.experiments.gradients.expressions import LONGEST, compute
from lm_core.models.autodiff import jacobian

AT = {"x": 1.5, "y": -2.0, "z": 3.0, "w": 0.5}


def value(text):
    found = compute(text, AT)
    return found.graph.nodes[found.outputs[0]].value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + y*z", 1.5 - 6),
        ("x - y - z", 1.5 + 2 - 3),
        ("x / z / w", 1.5 / 3 / 0.5),
        ("-x^2", -2.25),
        ("2^-x * 1", 2**-1.5),
        ("x**2^w", 1.5 ** (2**0.5)),
        ("z^w^2", 3 ** (0.5**2)),
        ("(x + y) * (x − y)", -0.5 * 3.5),
        ("sin(pi/x) + e*x", math.sin(math.pi / 1.5) + math.e * 1.5),
        ("1.5e1*x + .5", 23.0),
        ("relu(y) + sqrt(z) + x", math.sqrt(3) + 1.5),
        ("x·z; ", 4.5),
    ],
)
def test_a_formula_means_what_it_means_in_a_textbook(text, expected):
    assert value(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "slope"),
    [("sqrt(0) + x", 1.0), ("(1 - 1)^0.5 + 2*x", 2.0), ("x*sqrt(2 - 2)", 0.0), ("x*0^0.3", 0.0)],
)
def test_a_constant_needs_no_derivative(text, slope):
    found = compute(text, AT)
    ((derivative,),) = jacobian(found.graph, [found.inputs["x"]], found.outputs, is_reverse=True)
    assert derivative == slope


@pytest.mark.parametrize("text", ["sqrt(x - x) + x", "sqrt(0 - 1) + x"])
def test_a_value_without_a_derivative_is_refused_where_it_needs_one_and_no_value_always(text):
    with pytest.raises(DomainError):
        compute(text, AT)


def test_several_formulas_have_a_jacobian():
    found = compute("x*y; x/y\nsin(z)", AT)
    assert list(found.inputs) == ["x", "y", "z"]
    rows = jacobian(found.graph, list(found.inputs.values()), found.outputs, is_reverse=True)
    assert rows[0] == pytest.approx([-2.0, 1.5, 0.0])
    assert rows[1] == pytest.approx([-0.5, -0.375, 0.0])
    assert rows[2] == pytest.approx([0.0, 0.0, math.cos(3)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected at the end"),
        ("x +", "a number, a variable or a function was expected at the end"),
        ("2x", "an operation was expected at character 2, got 'x'"),
        ("(x", "a closing bracket"),
        ("x)", "at character 2"),
        ("sin x", "an opening bracket after sin"),
        ("foo(x)", "'foo' is unknown"),
        ("__import__('os')", "'_' means nothing"),
        ("x.real", r"'\.' means nothing"),
        ("3 + 4", "there must be a variable"),
        ("x; y; z; w", "at most 3 formulas"),
        ("1e999 * x", "too large"),
        ("x" + " + x" * 17, "at most 16 operations"),
        ("(" * 60 + "x" + ")" * 60, "at most 20 deep"),
        ("x" * 5_000, f"at most {LONGEST} characters, got 5,000"),
    ],
)
def test_what_cannot_be_read_is_answered_with_where_and_why(text, said):
    with pytest.raises(TextError, match=said):
        compute(text, AT)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1/(x - 1.5)", "division by zero: 1 / 0"),
        ("log(y)", "log needs a number above 0, got -2"),
        ("exp(1000*x)", "too large"),
        ("sqrt(y)", "no value"),
        ("y^x", "base must be above 0"),
    ],
)
def test_what_has_no_value_is_answered_with_the_numbers(text, said):
    with pytest.raises(DomainError, match=said):
        compute(text, AT)
