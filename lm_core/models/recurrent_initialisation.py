"""How the recurrent weights of a cell are drawn: uniform, orthogonal or the identity.

References
----------
Le, Jaitly & Hinton 2015, "A Simple Way to Initialize Recurrent Networks of Rectified Linear
Units" (the identity). https://arxiv.org/abs/1504.00941
Saxe, McClelland & Ganguli 2014, "Exact solutions to the nonlinear dynamics of learning in deep
linear neural networks" (orthogonal starts). https://arxiv.org/abs/1312.6120
"""

import torch
from torch import nn

from lm_core.errors import SettingError
from lm_core.models.recurrent import Cell, recurrent_blocks

STARTS = ("uniform", "orthogonal", "identity")


@torch.no_grad()
def draw_recurrence(cell: Cell, start: str, rng: torch.Generator) -> None:
    """Draw ``weight_hh`` anew, block by block.

    Raises SettingError if `start` is none of these.

    Parameters
    ----------
    start : str
        ``uniform`` within 1/sqrt(H) as torch has it (spectral radius about 0.58 for large H),
        ``orthogonal`` (every singular value 1) or ``identity``.
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
