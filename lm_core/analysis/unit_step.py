"""One unit through one step, number by number: what the equations add up to."""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.recurrent_cell import Cell, CellState


class BlockWalk(NamedTuple):
    """What one row of the weights makes of the input and of the state before."""

    from_input: float  # W_i x + b_i
    from_state: float  # W_h h + b_h
    value: float  # the gate or the candidate, squashed; of an Elman cell the sum


class UnitWalk(NamedTuple):
    """One unit's step."""

    blocks: dict[str, BlockWalk]  # by the block's letter, in the order of the weights
    before: dict[str, float]  # the unit's state before the step, by letter
    after: dict[str, float]  # and after it


@torch.no_grad()
def walk_unit(cell: Cell, inputs: Tensor, state: CellState, unit: int) -> UnitWalk:
    """Return the numbers of one unit for one step.

    Parameters
    ----------
    cell : Cell
    inputs : Tensor of shape (E,)
    state : CellState
        Before the step, each part of shape (H,).
    unit : int
        From 0 to H - 1.

    Raises
    ------
    SettingError
        If there is no such unit.
    """
    if not 0 <= unit < cell.hidden_size:
        raise SettingError(f"unit must lie in 0 to {cell.hidden_size - 1}, got {unit}")
    step = cell.step(inputs[None], tuple(part[None] for part in state))
    from_input = (cell.weight_ih @ inputs + cell.bias_ih).chunk(len(cell.block_names))  # (H,) each
    from_state = (cell.weight_hh @ state[0] + cell.bias_hh).chunk(len(cell.block_names))
    blocks = {
        name: BlockWalk(
            float(from_input[index][unit]),
            float(from_state[index][unit]),
            float(step.parts[name][0, unit]),
        )
        for index, name in enumerate(cell.block_names)
    }
    names = cell.state_names
    return UnitWalk(
        blocks,
        {name: float(part[unit]) for name, part in zip(names, state, strict=True)},
        {name: float(part[0, unit]) for name, part in zip(names, step.state, strict=True)},
    )
