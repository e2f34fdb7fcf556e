r"""How much a recurrent matrix stretches what passes through it.

Going back one step multiplies a gradient by the transposed Jacobian of that step. With the
derivative of the squashing function near 1 that Jacobian is :math:`W_{hh}`: over many steps a
gradient shrinks or grows like the power of its spectral radius, and in one step by no more than
its largest singular value.

References
----------
Pascanu, Mikolov & Bengio 2013, "On the difficulty of training Recurrent Neural Networks".
https://arxiv.org/abs/1211.5063
"""

from typing import NamedTuple

import torch

from lm_core.errors import SettingError
from lm_core.models.recurrent import Cell, recurrent_blocks


class Spectrum(NamedTuple):
    """How far one block of a recurrent matrix stretches a vector."""

    block: str  # "a" for an RNN, otherwise the gate's letter
    radius: float  # largest absolute eigenvalue: growth per step over many steps
    largest_singular_value: float  # the most that one step can do


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
def rescale_recurrence(cell: Cell, radius: float) -> None:
    """Scale each block of ``weight_hh`` to a spectral radius.

    Raises SettingError if `radius` is not positive, or a block has no eigenvalue but 0.

    `radius`: float, greater than 0, below 1 gradients vanish, above 1 they can explode.
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
