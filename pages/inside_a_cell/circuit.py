"""One step of a cell as a circuit: from the digit and the state before to the state after it."""

import pyarrow as pa
import streamlit as st

from lm_core.analysis.unit_step import UnitTrace, share_kept
from lm_core.experiments.inside_a_cell.training import VARIANTS
from pages.inside_a_cell.networks import TEST_SEQUENCES, trace_of, unit_of
from pages.inside_a_cell.settings import Comparison, Side
from pages.shared import page
from pages.shared.charts.computation_graph import Box, computation_graph, graph_table
from pages.shared.numbers import percent, significant

_HEIGHT = 290
_UNLEARNED = {
    "lstm": "multiply and add, and the last one takes the tanh of the memory",
    "gru": "multiply and add",
    "irnn": "set a negative sum to 0, which is ReLU",
    "rnn": "take the tanh of the sum",
}
"""What the boxes without weights do, by the kind of the cell."""


_MOSTLY = {"In nine of ten": 0.9, "In half": 0.5, "In one of ten": 0.1}
_KEPT, _ADDED = ("f · c", "z · h"), ("i · g", "(1−z) · n")
_HIDDEN = (*_KEPT, *_ADDED, "c′", "h′", "o · tanh c′")


def ask(screen: page.FirstScreen, side: Side, digits: tuple[int, ...]) -> page.Asked[float]:
    """Ask whether a network with gates keeps its memory or replaces it."""
    trace = trace_of(side, digits)
    (gate, letter), memory, which = (
        (("forget gate", "f"), "c", 0) if "c" in trace.parts else (("gate", "z"), "h", 1)
    )
    share = share_kept(trace.parts)
    now, first = (trace_of(s, digits).parts[letter].mean() for s in (side, side.untrained))
    return page.ask(
        screen,
        "kept_or_added",
        f"In a step, each unit of the right network adds {_KEPT[which]}, what it keeps of its memory {memory}, and"
        f" {_ADDED[which]}, what is new. In how many steps is the kept number the larger one, whatever its sign?",
        _MOSTLY,
        right=share,
        reason=f"In **{percent(share)}** of the {trace.parts[memory].size} steps that all units take. The {gate} {letter}"
        f" multiplies the memory, and it is {significant(now, 2)} on average; the nearer it is to 1, the less is lost."
        f" Before training it was {significant(first, 2)}, because of its bias. So an LSTM with another forget bias has"
        " another answer.",
    )


def draw_circuit(side: Side, comparison: Comparison, read: int, is_masked: bool) -> None:
    """Draw the circuit of one unit in the step of the last digit that was read."""
    now = max(read, 1) - 1
    numbers = unit_of(side, comparison.digits, now, comparison.unit)
    boxes = circuit(numbers, str(comparison.digits[now]), side.fixed)
    place = f"{side.title}, unit {comparison.unit + 1} after {now + 1} of {len(comparison.digits)} digits"
    if is_masked:
        boxes = [b._replace(value="", derivative="?") if b.name in _HIDDEN else b for b in boxes]
    finding = place if is_masked else f"{place}: {_said(numbers)}"
    st.markdown(f"**{finding}**")
    page.show_chart(
        computation_graph(graph_table(boxes), height=_HEIGHT),
        pa.table(
            {
                "node": [box.name for box in boxes],
                "value": [box.derivative for box in boxes],
                "worked out": [box.value for box in boxes],
                "computed from": [
                    ", ".join(boxes[at].name for at, _ in box.reads) for box in boxes
                ],
            }
        ),
        key="inside_circuit",
        alt=f"A step as a circuit. {finding}.",
        name="circuit",
    )


def how_to_read_a_circuit(side: Side, digits: tuple[int, ...]) -> str:
    """Say what boxes and numbers of a circuit are, and what may be tried."""
    share = percent(trace_of(side, digits).accuracy)
    unlearned = _UNLEARNED[VARIANTS[side.config.variant].kind]
    taps = (
        " Under *More* you can set a gate to 1, which takes it away, so you see what the trained network used"
        " it for."
    )
    return (
        f"The right network names the first digit in {share} of {TEST_SEQUENCES} tests. Each box is a number of"
        " one of its units, computed from the boxes to its left. The orange boxes have weights, so they are"
        " what training changes: the first number of such a sum comes from the digit x, the second from the"
        " state h, whose units are all read, and each includes its bias. The other boxes have no weights, so there"
        f" training changes nothing: they {unlearned}." + taps * side.has_gates_to_fix
    )


def circuit(numbers: UnitTrace, digit: str, fixed: str = "") -> list[Box]:
    """Return the boxes of a unit's step, in the order in which they are computed."""
    if "c" in numbers.after:
        return _lstm(numbers, digit, fixed)
    return _gru(numbers, digit) if "z" in numbers.blocks else _rnn(numbers, digit)


def _said(numbers: UnitTrace) -> str:
    """Return what the step does to what the unit remembers."""
    before, after = ({n: significant(v, 3) for n, v in part.items()} for part in numbers[1:])
    if "c" not in after:
        return f"h = {before['h']} becomes h′ = {after['h']}"
    i, f, g = (numbers.blocks[name].value for name in "ifg")
    kept, added = significant(f * numbers.before["c"], 3), significant(i * g, 3)
    return (
        f"of c = {before['c']} the forget gate keeps {kept}, the input gate adds {added}, so"
        f" c′ = {after['c']}"
    )


def _inputs(digit: str) -> list[Box]:
    return [Box("x", "digit", digit), Box("h", "all units", "")]


def _box(name: str, value: float, *reads: int, worked: str = "", is_learned: bool = False) -> Box:
    """Return a box: its name, how its number is worked out, the number, and the boxes that it reads."""
    edges = tuple((start, "") for start in reads)
    return Box(name, worked, significant(value, 3), edges, is_known=is_learned)


def _learned(numbers: UnitTrace, name: str, sign: str, fixed: str = "") -> Box:
    """Return a gate or a candidate, which the digit and the state decide by weights."""
    block = numbers.blocks[name]
    if name in fixed:
        return _box(f"{name} = 1", 1.0)
    worked = f"{_n(block.from_input)} {_signed(block.from_state)}"
    return _box(f"{name} = {sign}", block.value, 0, 1, worked=worked, is_learned=True)


def _lstm(numbers: UnitTrace, digit: str, fixed: str) -> list[Box]:
    i, f, g = (numbers.blocks[name].value for name in "ifg")
    before, after = numbers.before["c"], numbers.after
    return [
        *_inputs(digit),
        _box("c", before),
        *(_learned(numbers, name, "tanh" if name == "g" else "σ", fixed) for name in "figo"),
        _box("f · c", f * before, 3, 2),
        _box("i · g", i * g, 4, 5),
        _box("c′", after["c"], 7, 8, worked=f"{_n(f * before)} {_signed(i * g)}"),
        _box("o · tanh c′", after["h"], 9, 6),
    ]


def _gru(numbers: UnitTrace, digit: str) -> list[Box]:
    r, z, n = (numbers.blocks[name] for name in "rzn")
    before, after = numbers.before["h"], numbers.after["h"]
    gated, new, kept = r.value * n.from_state, (1 - z.value) * n.value, z.value * before
    reset, added = f"{_n(r.value)} · {_n(n.from_state)}", f"{_n(n.from_input)} {_signed(gated)}"
    return [
        *_inputs(digit),
        *(_learned(numbers, name, "σ") for name in "rz"),
        _box("r · Uh", gated, 2, 1, worked=reset, is_learned=True),
        _box("n = tanh", n.value, 4, 0, worked=added, is_learned=True),
        _box("(1−z) · n", new, 3, 5),
        _box("z · h", kept, 3, 1),
        _box("h′", after, 6, 7),
    ]


def _rnn(numbers: UnitTrace, digit: str) -> list[Box]:
    return [
        *_inputs(digit),
        _learned(numbers, "a", "sum"),
        _box("h′", numbers.after["h"], 2),
    ]


def _n(number: float) -> str:
    return significant(number, 2)


def _signed(number: float) -> str:
    return f"− {_n(-number)}" if number < 0 else f"+ {_n(number)}"
