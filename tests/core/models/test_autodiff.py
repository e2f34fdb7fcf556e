"""Automatic differentiation: by hand, as torch.func, step by step, and where there is no derivative."""

import inspect
import math

import pytest
import torch
from torch.func import jacfwd, jacrev, jvp, vjp

from lm_core.errors import DomainError, SettingError
from lm_core.models import autodiff
from lm_core.models.autodiff import Graph, forward_sweep, jacobian, reverse_sweep
from lm_core.models.elementary_operations import OPERATIONS

TORCHS = {
    "+": torch.add,
    "-": torch.sub,
    "*": torch.mul,
    "/": torch.div,
    "^": torch.pow,
    "negate": torch.neg,
    "sin": torch.sin,
    "cos": torch.cos,
    "exp": torch.exp,
    "log": torch.log,
    "sqrt": torch.sqrt,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
}
AT = (1.7, 0.6)


def textbook():
    """Return the graph of log(x) + x y - sin(y) at (2, 5), its inputs and its output."""
    graph = Graph()
    x, y = graph.input(2.0, "x"), graph.input(5.0, "y")
    total = graph.apply("+", graph.apply("log", x), graph.apply("*", x, y))
    return graph, [x, y], graph.apply("-", total, graph.apply("sin", y))


def every_operation():
    """Return a graph of two inputs and three outputs in which every operation occurs."""
    graph = Graph()
    inputs = [graph.input(value) for value in AT]
    x, y = inputs
    smooth = graph.apply("+", graph.apply("sigmoid", x), graph.apply("tanh", y))
    ratio = graph.apply("/", graph.apply("exp", y), graph.apply("sqrt", x))
    power = graph.apply("^", x, y)
    cube = graph.apply("^", graph.apply("negate", y), graph.constant(3.0))
    wave = graph.apply("*", graph.apply("sin", ratio), graph.apply("cos", power))
    outputs = [
        graph.apply("-", graph.apply("log", ratio), smooth),
        graph.apply("*", wave, graph.apply("relu", x)),
        graph.apply("+", cube, graph.apply("*", x, x)),
    ]
    return graph, inputs, outputs


def by_torch(graph, outputs):
    """Return the same function with torch's operations."""

    def function(read):
        values, remaining = [], iter(read)
        for node in graph.nodes:
            if node.operation == autodiff.INPUT:
                values.append(next(remaining))
            elif node.operation == autodiff.CONSTANT:
                values.append(torch.tensor(node.value, dtype=torch.float64))
            else:
                values.append(TORCHS[node.operation](*(values[a] for a in node.arguments)))
        return torch.stack([values[place] for place in outputs])

    return function


def test_the_example_of_the_textbook():
    graph, inputs, output = textbook()
    assert graph.nodes[output].value == pytest.approx(math.log(2) + 10 - math.sin(5))
    for is_reverse in (True, False):
        ((dx, dy),) = jacobian(graph, inputs, [output], is_reverse=is_reverse)
        assert dx == pytest.approx(0.5 + 5)
        assert dy == pytest.approx(2 - math.cos(5))


def test_every_operation_is_torch_funcs_both_ways():
    graph, inputs, outputs = every_operation()
    assert {node.operation for node in graph.nodes} >= set(OPERATIONS) == set(TORCHS)
    function, at = by_torch(graph, outputs), torch.tensor(AT, dtype=torch.float64)
    for is_reverse, reference in ((True, jacrev), (False, jacfwd)):
        found = torch.tensor(jacobian(graph, inputs, outputs, is_reverse=is_reverse))
        torch.testing.assert_close(found.double(), reference(function)(at), rtol=1e-6, atol=1e-7)
    exact = jacobian(graph, inputs, outputs, is_reverse=True)
    difference = torch.tensor(exact, dtype=torch.float64) - jacrev(function)(at)
    assert float(difference.abs().max()) < 1e-13


def test_sweeps_are_vector_products_with_the_jacobian():
    graph, inputs, outputs = every_operation()
    function, at = by_torch(graph, outputs), torch.tensor(AT, dtype=torch.float64)
    v, u = torch.tensor([0.3, -2.0]).double(), torch.tensor([1.0, -0.5, 2.0]).double()
    tangents = [0.0] * len(graph.nodes)
    for place, amount in zip(inputs, v.tolist(), strict=True):
        tangents[place] = amount
    assert len(list(forward_sweep(graph, tangents))) == len(
        [node for node in graph.nodes if node.arguments]
    )
    expected = jvp(function, (at,), (v,))[1].tolist()
    assert [tangents[place] for place in outputs] == pytest.approx(expected, rel=1e-13)
    adjoints = [0.0] * len(graph.nodes)
    for place, amount in zip(outputs, u.tolist(), strict=True):
        adjoints[place] = amount
    list(reverse_sweep(graph, adjoints))
    expected = vjp(function, at)[1](u)[0].tolist()
    assert [adjoints[place] for place in inputs] == pytest.approx(expected, rel=1e-13)


def test_each_step_of_the_reverse_sweep_hands_on_what_it_has():
    graph, (x, y), output = textbook()
    adjoints = [float(place == output) for place in range(len(graph.nodes))]
    steps = [(step.place, dict(step.products)) for step in reverse_sweep(graph, adjoints)]
    assert [place for place, _ in steps] == [6, 5, 4, 3, 2]
    assert steps[0][1] == {4: 1.0, 5: -1.0}
    assert steps[3][1] == {x: 5.0, y: 2.0}
    assert steps[4][1] == {x: 0.5}


def test_constants_are_not_swept_and_stay_constants():
    graph = Graph()
    x, two = graph.input(3.0), graph.constant(2.0)
    six = graph.apply("*", two, graph.constant(3.0))
    assert graph.nodes[six].operation == autodiff.CONSTANT
    product = graph.apply("*", x, six)
    assert graph.edges(product) == [(x, 6.0)]
    assert jacobian(graph, [x], [product, two], is_reverse=True) == [[6.0], [0.0]]


@pytest.mark.parametrize(
    ("operation", "values", "said"),
    [
        ("/", (1.0, 0.0), "no value"),
        ("log", (-2.0,), "no value"),
        ("sqrt", (0.0,), "no value, or no derivative"),
        ("exp", (1000.0,), "too large"),
        ("*", (1e200, 1e200), "too large"),
        ("^", (-2.0, 0.5), "exponent varies"),
    ],
)
def test_where_there_is_no_derivative_it_says_so(operation, values, said):
    graph = Graph()
    places = [graph.input(value) for value in values]
    with pytest.raises(DomainError, match=said):
        graph.apply(operation, *places)
    assert len(graph.nodes) == len(values)


def test_an_unknown_operation_is_refused():
    with pytest.raises(SettingError, match="eval"):
        Graph().apply("eval")


def test_the_engine_is_short_enough_to_be_read():
    assert len(inspect.getsource(autodiff).splitlines()) < 150
