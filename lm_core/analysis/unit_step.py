"""The numbers of one unit in one step of a recurrent cell, as its equations name them."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.recurrent import Cell, CellState


class BlockTrace(NamedTuple):
    """The pre-activation of one row of the weights in two parts, and its value."""

    from_input: float  # W_i x + b_i
    from_state: float  # W_h h + b_h
    value: float  # of the gate or candidate after its activation; of an RNN before it


class UnitTrace(NamedTuple):
    """One unit's step."""

    blocks: dict[str, BlockTrace]  # by the block's letter, in the order of the weights
    before: dict[str, float]  # the unit's state before the step, by letter
    after: dict[str, float]  # and after it


def share_kept(parts: Mapping[str, np.ndarray]) -> float:
    """Return in which share of a gated cell's steps and units more of the state is kept than added.

    `parts`: states and gates by letter, each of shape (T, H); before the first step the state is 0.
    """
    is_lstm = "c" in parts
    state, keep = (parts[name] for name in ("cf" if is_lstm else "hz"))
    kept = keep[1:] * state[:-1]
    added = (parts["i"] * parts["g"] if is_lstm else (1 - keep) * parts["n"])[1:]
    return float((np.abs(kept) > np.abs(added)).sum() / keep.size)


@torch.no_grad()
def trace_unit(cell: Cell, inputs: Tensor, state: CellState, unit: int) -> UnitTrace:
    """Return the numbers of one unit for one step.

    Raises SettingError if there is no such unit.

    Parameters
    ----------
    inputs : Tensor of shape (E,)
    state : CellState, before the step, each part of shape (H,)
    unit : int, from 0 to H - 1
    """
    if not 0 <= unit < cell.hidden_size:
        raise SettingError(f"unit must lie in 0 to {cell.hidden_size - 1}, got {unit}")
    step = cell.step(cell.from_input(inputs[None]), tuple(part[None] for part in state))
    from_input = (cell.weight_ih @ inputs + cell.bias_ih).chunk(len(cell.block_names))  # (H,) each
    from_state = (cell.weight_hh @ state[0] + cell.bias_hh).chunk(len(cell.block_names))
    blocks = {
        name: BlockTrace(
            float(from_input[index][unit]),
            float(from_state[index][unit]),
            float(step.parts[name][0, unit]),
        )
        for index, name in enumerate(cell.block_names)
    }
    names = cell.state_names
    return UnitTrace(
        blocks,
        {name: float(part[unit]) for name, part in zip(names, state, strict=True)},
        {name: float(part[0, unit]) for name, part in zip(names, step.state, strict=True)},
    )
