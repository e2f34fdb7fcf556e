"""A scratch cell's weights in torch's fused layer: the same numbers, sooner, with nothing to see."""

from functools import cache

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError
from lm_core.models.recurrent import Cell, CellState, GRUCell, LSTMCell, RNNCell

_NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


class FusedCell(nn.Module):
    """A cell that reads whole sequences in torch's ``nn.RNN``, ``nn.GRU`` or ``nn.LSTM``.

    It is called as a `Cell` is, ``(inputs, state) -> (hidden, state)``, and can be used where only
    these are wanted: to train on, for example.

    `cell`: Cell, whose weights are copied; later changes to it are not followed.
    """

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.layer = _layer_like(cell)
        self.state_names = cell.state_names
        with torch.no_grad():
            for name in _NAMES:
                getattr(self.layer, f"{name}_l0").copy_(getattr(cell, name))

    def initial_state(self, batch: int) -> CellState:
        """Return zeros, (B, H) for each part of the state."""
        zeros = next(self.layer.parameters()).new_zeros((batch, self.layer.hidden_size))
        return (zeros,) * len(self.state_names)

    def forward(self, inputs: Tensor, state: CellState | None = None) -> tuple[Tensor, CellState]:
        """Read (B, T, E); return the hidden vectors (B, T, H) and the last state, (B, H) each."""
        start = self.initial_state(inputs.shape[0]) if state is None else state
        layered = tuple(tensor[None].contiguous() for tensor in start)  # (1, B, H): one layer
        hidden, end = read_fused(self.layer, inputs, layered)
        return hidden, tuple(tensor[0] for tensor in end)

    @torch.no_grad()
    def copy_to(self, cell: Cell) -> None:
        """Write the weights as they are now into a cell of the same kind and size.

        Raises SettingError if the cell is of another kind or size.
        """
        for name in _NAMES:
            ours, theirs = getattr(self.layer, f"{name}_l0"), getattr(cell, name)
            if ours.shape != theirs.shape:
                raise SettingError(
                    f"{name} has shape {tuple(theirs.shape)} in the cell and {tuple(ours.shape)}"
                    " in the fused layer: give a cell of the same kind and size"
                )
            theirs.copy_(ours)


def read_fused(layer: nn.RNNBase, inputs: Tensor, state: CellState) -> tuple[Tensor, CellState]:
    """Read (B, T, E) in a layer of torch's own; the state is a tuple of any kind, (layers, B, H) each.

    Autocast to bfloat16 needs a processor that has it: elsewhere torch refuses an LSTM, which is then
    read in the precision of its weights.
    """
    if inputs.device.type == "cpu" and torch.is_autocast_enabled("cpu") and not _has_bfloat16():
        precision = next(layer.parameters()).dtype
        with torch.autocast("cpu", enabled=False):
            return read_fused(
                layer, inputs.to(precision), tuple(part.to(precision) for part in state)
            )
    hidden, end = layer(inputs, state if len(state) > 1 else state[0])
    return hidden, end if isinstance(end, tuple) else (end,)


@cache
def _has_bfloat16() -> bool:
    """Return whether this processor's kernels of recurrent layers know bfloat16."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def _layer_like(cell: Cell) -> nn.RNNBase:
    """Return torch's layer of a cell's kind, size, device and dtype."""
    kinds = {RNNCell: nn.RNN, GRUCell: nn.GRU, LSTMCell: nn.LSTM}
    if type(cell) not in kinds:
        raise SettingError(f"torch has no fused layer for {type(cell).__name__}")
    settings = {"nonlinearity": cell.activation} if isinstance(cell, RNNCell) else {}
    # Its own weights, overwritten at once, are drawn from the global state: put that back.
    with torch.random.fork_rng(devices=[]):
        layer = kinds[type(cell)](cell.input_size, cell.hidden_size, batch_first=True, **settings)
    return layer.to(cell.weight_hh.device, cell.weight_hh.dtype)
