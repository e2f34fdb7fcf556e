"""Elementary operations on numbers, each with its partial derivatives: all that automatic differentiation is told."""

import math
from collections.abc import Callable
from typing import NamedTuple


class Operation(NamedTuple):
    """An elementary function, and its partial derivative with respect to each argument."""

    value: Callable[..., float]
    partials: Callable[..., tuple[float, ...]]


def _sigmoid(a: float) -> float:
    return 0.5 * (1.0 + math.tanh(0.5 * a))


OPERATIONS = {
    "+": Operation(lambda a, b: a + b, lambda a, b: (1.0, 1.0)),
    "-": Operation(lambda a, b: a - b, lambda a, b: (1.0, -1.0)),
    "*": Operation(lambda a, b: a * b, lambda a, b: (b, a)),
    "/": Operation(lambda a, b: a / b, lambda a, b: (1.0 / b, -a / b**2)),
    # With respect to an exponent there is a derivative only where the base is above 0.
    "^": Operation(
        math.pow,
        lambda a, b: (b * math.pow(a, b - 1.0) if b else 0.0, math.log(a) * a**b if a > 0 else 0.0),
    ),
    "negate": Operation(lambda a: -a, lambda a: (-1.0,)),
    "sin": Operation(math.sin, lambda a: (math.cos(a),)),
    "cos": Operation(math.cos, lambda a: (-math.sin(a),)),
    "exp": Operation(math.exp, lambda a: (math.exp(a),)),
    "log": Operation(math.log, lambda a: (1.0 / a,)),
    "sqrt": Operation(math.sqrt, lambda a: (0.5 / math.sqrt(a),)),
    "tanh": Operation(math.tanh, lambda a: (1.0 - math.tanh(a) ** 2,)),
    "sigmoid": Operation(_sigmoid, lambda a: (_sigmoid(a) * (1.0 - _sigmoid(a)),)),
    "relu": Operation(lambda a: max(a, 0.0), lambda a: (float(a > 0),)),
}
