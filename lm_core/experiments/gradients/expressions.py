"""Formulas as people type them, read by a parser of our own and computed as a graph.

    formulas = sum { (";" | line break) sum }
    sum      = product { ("+" | "-") product }
    product  = signed { ("*" | "/") signed }
    signed   = "-" signed | power
    power    = atom [ "^" signed ]
    atom     = number | variable | "pi" | "e" | function "(" sum ")" | "(" sum ")"

Nothing that is typed is ever handed to Python.
"""

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from lm_core.errors import DomainError, TextError
from lm_core.models.autodiff import CONSTANT, INPUT, Graph

VARIABLES = ("x", "y", "z", "w")
FUNCTIONS = ("sin", "cos", "exp", "log", "sqrt", "tanh", "sigmoid", "relu")
CONSTANTS = {"pi": math.pi, "e": math.e}
LONGEST = 200
"""Characters of all formulas together."""
MOST_OPERATIONS = 16
MOST_OUTPUTS = 3
_DEEPEST = 20  # brackets and signs within each other

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d_]\w*)|(?P<sign>\*\*|[-+*/^();]))"
)
_SAME = str.maketrans("−·×÷\n", "-**/;")


class Computed(NamedTuple):
    """Formulas, computed."""

    graph: Graph
    inputs: dict[str, int]
    """Places of the variables that occur."""
    outputs: tuple[int, ...]
    """Place of each formula's result."""


class _Token(NamedTuple):
    """A number, a name or a sign, and where it begins, from 1."""

    kind: str
    text: str
    at: int


def compute(text: str, values: Mapping[str, float]) -> Computed:
    """Read formulas and compute them at values of the variables.

    Raises TextError if a formula cannot be read: the message says where, and what was expected.
    Raises DomainError if an operation has no value or no derivative at these values.

    Parameters
    ----------
    text : str, one formula or several, apart by semicolons
    values : mapping of str to float, of all `VARIABLES`
    """
    if len(text) > LONGEST:
        raise TextError(f"formulas may have at most {LONGEST} characters, got {len(text):,}")
    return _Reader(_tokens(text), values).read()


def _tokens(text: str) -> list[_Token]:
    found, at = [], 0
    text = text.translate(_SAME).rstrip().rstrip(";").rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            sign = text[at:].strip()[0]
            raise TextError(
                f"{sign!r} means nothing here: numbers, variables, functions, + - * / ^ ( ) do"
            )
        kind = str(match.lastgroup)
        written = match[kind].replace("**", "^")
        found.append(_Token(kind, written, match.start(kind) + 1))
        at = match.end()
    return found


class _Reader:
    """Reads tokens by recursive descent, each rule of the grammar a method, and computes as it goes."""

    def __init__(self, tokens: list[_Token], values: Mapping[str, float]) -> None:
        self._tokens, self._values, self._next, self._depth = tokens, values, 0, 0
        self._graph = Graph()
        self._inputs: dict[str, int] = {}

    def read(self) -> Computed:
        outputs = [self._sum()]
        while self._take(";"):
            outputs.append(self._sum())
        if self._next < len(self._tokens):
            raise self._expected("an operation")
        if len(outputs) > MOST_OUTPUTS:
            raise TextError(f"there may be at most {MOST_OUTPUTS} formulas, got {len(outputs)}")
        if not self._inputs:
            raise TextError(f"there must be a variable: {', '.join(VARIABLES)}")
        n = sum(node.operation not in (INPUT, CONSTANT) for node in self._graph.nodes)
        if n > MOST_OPERATIONS:
            raise TextError(
                f"there may be at most {MOST_OPERATIONS} operations, got {n}: shorten it"
            )
        ordered = {name: self._inputs[name] for name in VARIABLES if name in self._inputs}
        return Computed(self._graph, ordered, tuple(outputs))

    def _sum(self) -> int:
        left = self._product()
        while sign := self._take("+", "-"):
            left = self._apply(sign, left, self._product())
        return left

    def _product(self) -> int:
        left = self._signed()
        while sign := self._take("*", "/"):
            left = self._apply(sign, left, self._signed())
        return left

    def _signed(self) -> int:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise TextError(
                f"brackets and signs may be at most {_DEEPEST} deep: write a simpler formula"
            )
        place = self._apply("negate", self._signed()) if self._take("-") else self._power()
        self._depth -= 1
        return place

    def _power(self) -> int:
        base = self._atom()
        return self._apply("^", base, self._signed()) if self._take("^") else base

    def _atom(self) -> int:
        if self._take("("):
            return self._closed()
        if self._next >= len(self._tokens) or self._tokens[self._next].kind == "sign":
            raise self._expected("a number, a variable or a function")
        token = self._tokens[self._next]
        self._next += 1
        if token.kind == "number":
            return self._number(float(token.text))
        if token.text in FUNCTIONS:
            if not self._take("("):
                raise self._expected(f"an opening bracket after {token.text}")
            return self._apply(token.text, self._closed())
        if token.text in CONSTANTS:
            return self._number(CONSTANTS[token.text])
        if token.text not in VARIABLES:
            raise TextError(
                f"{token.text[:20]!r} is unknown: variables are {', '.join(VARIABLES)}, functions"
                f" {', '.join(FUNCTIONS)}"
            )
        if token.text not in self._inputs:
            value = self._values[token.text]
            self._inputs[token.text] = self._graph.input(value, token.text)
        return self._inputs[token.text]

    def _closed(self) -> int:
        place = self._sum()
        if not self._take(")"):
            raise self._expected("a closing bracket")
        return place

    def _number(self, value: float) -> int:
        if not math.isfinite(value):
            raise TextError("a number is too large to compute with: write a smaller one")
        return self._graph.constant(value)

    def _apply(self, operation: str, *arguments: int) -> int:
        values = [self._graph.nodes[place].value for place in arguments]
        if operation == "/" and values[1] == 0:
            raise DomainError(f"division by zero: {values[0]:g} / 0")
        if operation == "log" and values[0] <= 0:
            raise DomainError(f"log needs a number above 0, got {values[0]:g}")
        return self._graph.apply(operation, *arguments)

    def _take(self, *signs: str) -> str:
        """Return the next token and go on, if it is one of these signs; else an empty string."""
        if self._next < len(self._tokens) and self._tokens[self._next].text in signs:
            self._next += 1
            return self._tokens[self._next - 1].text
        return ""

    def _expected(self, what: str) -> TextError:
        if self._next >= len(self._tokens):
            return TextError(f"{what} was expected at the end: go on writing there")
        token = self._tokens[self._next]
        return TextError(f"{what} was expected at character {token.at}, got {token.text[:20]!r}")
