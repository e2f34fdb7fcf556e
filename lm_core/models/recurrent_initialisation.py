r"""How a recurrent matrix starts, and how much it stretches what passes through it.

Going back one step multiplies a gradient by the transposed Jacobian of that step. With the
derivative of the squashing function near 1 that Jacobian is :math:`W_{hh}`: over many steps a
gradient shrinks or grows like the power of its spectral radius, and in one step by no more than
its largest singular value.

References
----------
Pascanu, Mikolov & Bengio 2013, "On the difficulty of training Recurrent Neural Networks".
https://arxiv.org/abs/1211.5063
Saxe, McClelland & Ganguli 2014, "Exact solutions to the nonlinear dynamics of learning in deep
linear neural networks" (orthogonal starts). https://arxiv.org/abs/1312.6120
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError
from lm_core.models.recurrent_cell import Cell

STARTS = ("uniform", "orthogonal", "identity")


class Spectrum(NamedTuple):
    """How far one block of a recurrent matrix stretches a vector."""

    block: str  # "a" for an Elman cell, otherwise the gate's letter
    radius: float  # largest absolute eigenvalue: growth per step over many steps
    largest_singular_value: float  # the most that one step can do


def recurrent_blocks(cell: Cell) -> tuple[Tensor, ...]:
    """Return the square blocks (H, H) of a cell's ``weight_hh``, one per gate, as views."""
    return cell.weight_hh.detach().chunk(len(cell.block_names))


def spectra(cell: Cell) -> tuple[Spectrum, ...]:
    """Return spectral radius and largest singular value of each block of ``weight_hh``."""
    return tuple(
        Spectrum(
            name,
            float(torch.linalg.eigvals(block).abs().max()),
            float(torch.linalg.matrix_norm(block, 2)),
        )
        for name, block in zip(cell.block_names, recurrent_blocks(cell), strict=True)
    )


@torch.no_grad()
def draw_recurrence(cell: Cell, start: str, rng: torch.Generator) -> None:
    """Draw ``weight_hh`` anew, block by block.

    Parameters
    ----------
    cell : Cell
    start : str
        ``uniform`` within 1/sqrt(H) as torch has it (spectral radius about 0.58 for large H),
        ``orthogonal`` (every singular value 1) or ``identity``.
    rng : torch.Generator

    Raises
    ------
    SettingError
        If `start` is none of these.
    """
    if start not in STARTS:
        raise SettingError(f"start must be one of {STARTS}, got {start!r}")
    bound = cell.hidden_size**-0.5
    for block in recurrent_blocks(cell):
        if start == "uniform":
            block.uniform_(-bound, bound, generator=rng)
        elif start == "orthogonal":
            nn.init.orthogonal_(block, generator=rng)
        else:
            nn.init.eye_(block)


@torch.no_grad()
def rescale_recurrence(cell: Cell, radius: float) -> None:
    """Scale each block of ``weight_hh`` to a spectral radius.

    Parameters
    ----------
    cell : Cell
    radius : float, greater than 0
        Below 1 gradients vanish, above 1 they can explode.

    Raises
    ------
    SettingError
        If `radius` is not positive, or a block has no eigenvalue but 0.
    """
    if not radius > 0:
        raise SettingError(f"radius must be greater than 0, got {radius}")
    for block, spectrum in zip(recurrent_blocks(cell), spectra(cell), strict=True):
        if spectrum.radius == 0:
            raise SettingError(
                f"block {spectrum.block} of weight_hh has spectral radius 0: draw it before it"
                " is rescaled"
            )
        block *= radius / spectrum.radius
