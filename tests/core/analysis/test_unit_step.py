"""The numbers of one unit are those of the step itself."""

import math

import pytest
import torch

from lm_core.analysis.unit_step import trace_unit
from lm_core.errors import SettingError
from lm_core.models.recurrent import RecurrentCellConfig, build_cell
from lm_core.rng import generator


def read(kind):
    cell = build_cell(RecurrentCellConfig(kind, 5, 6)).double()
    cell.initialise(generator(0))
    inputs = torch.randn(1, 4, 5, generator=generator(1), dtype=torch.float64)
    reading = cell.read(inputs)
    before = tuple(part[0] for part in reading.steps[2].state)
    return cell, reading, inputs[0, 3], before


def squash(block):
    return 1 / (1 + math.exp(-block.from_input - block.from_state))


def test_an_lstms_numbers_add_up_to_its_memory_and_output():
    cell, reading, inputs, before = read("lstm")
    for unit in range(6):
        trace = trace_unit(cell, inputs, before, unit)
        i, f, g, o = (trace.blocks[name] for name in "ifgo")
        assert [squash(block) for block in (i, f, o)] == pytest.approx([i.value, f.value, o.value])
        assert math.tanh(g.from_input + g.from_state) == pytest.approx(g.value)
        memory = f.value * trace.before["c"] + i.value * g.value
        assert memory == pytest.approx(trace.after["c"])
        assert o.value * math.tanh(memory) == pytest.approx(trace.after["h"])
        assert trace.after["h"] == pytest.approx(float(reading.hidden[0, 3, unit].detach()))
        assert trace.before["c"] == pytest.approx(float(reading.trace("c")[0, 2, unit].detach()))


def test_a_grus_numbers_add_up_to_its_state():
    cell, reading, inputs, before = read("gru")
    trace = trace_unit(cell, inputs, before, 4)
    r, z, n = (trace.blocks[name] for name in "rzn")
    assert [squash(block) for block in (r, z)] == pytest.approx([r.value, z.value])
    assert math.tanh(n.from_input + r.value * n.from_state) == pytest.approx(n.value)
    assert (1 - z.value) * n.value + z.value * trace.before["h"] == pytest.approx(trace.after["h"])
    assert trace.after["h"] == pytest.approx(float(reading.hidden[0, 3, 4].detach()))


@pytest.mark.parametrize(("kind", "squashed"), [("rnn", math.tanh), ("irnn", lambda a: max(0, a))])
def test_an_elman_cells_numbers_add_up_to_its_state(kind, squashed):
    cell, _, inputs, before = read(kind)
    (block,) = trace_unit(cell, inputs, before, 2).blocks.values()
    assert block.from_input + block.from_state == pytest.approx(block.value)
    assert squashed(block.value) == pytest.approx(trace_unit(cell, inputs, before, 2).after["h"])


@pytest.mark.parametrize("unit", [-1, 6])
def test_a_unit_that_is_not_there_is_refused(unit):
    cell, _, inputs, before = read("rnn")
    with pytest.raises(SettingError, match=f"unit must lie in 0 to 5, got {unit}"):
        trace_unit(cell, inputs, before, unit)
