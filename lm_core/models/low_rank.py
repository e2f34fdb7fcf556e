r"""Low-rank adaptation: a trained matrix stays as it is, and the product of two thin ones is added to it.

    W' = W + B A,   W (out, in) fixed,   A (r, in) and B (out, r) learned

B starts at zero, so that a model begins as the one that it is made from; without A and B it is that
model again. The r (in + out) learned numbers are few beside the in x out of W.

References
----------
Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models", section 4.1.
https://arxiv.org/abs/2106.09685
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from copy import deepcopy
from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from lm_core.errors import SettingError, ShapeError

_MATRIX = "weight"

Network = TypeVar("Network", bound=nn.Module)


class LowRankUpdate(nn.Module):
    """The two thin matrices of one layer; called with W, it returns W + B A.

    Parameters
    ----------
    layer : Linear, whose matrix is added to
    rank : int, r, at least 1 and at most the smaller side of the matrix
    rng : torch.Generator, draws A
    """

    def __init__(self, layer: nn.Linear, rank: int, rng: torch.Generator) -> None:
        super().__init__()
        widest = min(layer.in_features, layer.out_features)
        if not 1 <= rank <= widest:
            raise SettingError(f"rank must lie in 1..{widest}, got {rank}")
        down = torch.empty(rank, layer.in_features).normal_(generator=rng)
        device = layer.weight.device
        self.down = nn.Parameter((down * layer.in_features**-0.5).to(device))  # A
        self.up = nn.Parameter(torch.zeros(layer.out_features, rank, device=device))  # B

    def forward(self, matrix: Tensor) -> Tensor:
        """Return the matrix (out, in) that the layer computes with."""
        return matrix + self.up @ self.down


def add_low_rank_updates(
    model: nn.Module, rank: int, rng: torch.Generator
) -> dict[str, LowRankUpdate]:
    """Give every linear layer of a model's blocks a low-rank update, and fix all other weights.

    `model`: Module, with `blocks`, as a transformer has; it is changed.

    Returns
    -------
    dict of str to LowRankUpdate
        By the layer's name. Their parameters are the only ones of the model that are learned.
    """
    model.requires_grad_(False)
    layers = {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and name.startswith("blocks.")
    }
    updates = {name: LowRankUpdate(layer, rank, rng) for name, layer in layers.items()}
    for name, layer in layers.items():
        parametrize.register_parametrization(layer, _MATRIX, updates[name])
    return updates


def computed_once() -> AbstractContextManager[None]:
    """Return a context in which each W + B A is computed once: while a model writes, nothing changes."""
    return parametrize.cached()


def thin_matrices(updates: Mapping[str, LowRankUpdate]) -> dict[str, Tensor]:
    """Return all A and B, as they are stored: ``LAYER.down`` (r, in) and ``LAYER.up`` (out, r)."""
    return {
        f"{name}.{part}": weight.detach()
        for name, update in updates.items()
        for part, weight in update.named_parameters()
    }


@torch.no_grad()
def load_thin_matrices(updates: Mapping[str, LowRankUpdate], stored: Mapping[str, Tensor]) -> None:
    """Give the updates the values that `thin_matrices` returned.

    Raises ShapeError if they are of other layers or of another rank.
    """
    expected = {name: tuple(weight.shape) for name, weight in thin_matrices(updates).items()}
    found = {name: tuple(weight.shape) for name, weight in stored.items()}
    if expected != found:
        raise ShapeError("the low-rank updates are of other layers or of another rank")
    for name, update in updates.items():
        update.down.copy_(stored[f"{name}.down"])
        update.up.copy_(stored[f"{name}.up"])


@torch.no_grad()
def merge(model: nn.Module, stored: Mapping[str, Tensor], share: float = 1.0) -> None:
    """Add low-rank updates to a plain model's matrices for good.

    Raises ShapeError if a layer is not there, or its matrix has another shape.

    Parameters
    ----------
    model : Module, without updates of its own; it is changed
    stored : mapping of str to Tensor, as `thin_matrices` returns them
    share : float, of B A that is added; 1 for all of it
    """
    for name in sorted(key.removesuffix(".down") for key in stored if key.endswith(".down")):
        product = stored[f"{name}.up"].float() @ stored[f"{name}.down"].float()
        try:
            matrix = model.get_submodule(name).weight
        except AttributeError as error:
            raise ShapeError(f"the model has no layer {name!r} to be updated") from error
        if not isinstance(matrix, Tensor) or matrix.shape != product.shape:
            raise ShapeError(f"the update of {name!r} does not have the shape of its matrix")
        matrix += share * product


def tuned_copy(model: Network, stored: Mapping[str, Tensor], share: float = 1.0) -> Network:
    """Return a copy of a model with a share of low-rank updates added; 0 leaves it as it is.

    Raises ShapeError if the updates are of another model.
    """
    tuned = deepcopy(model)
    merge(tuned, stored, share)
    return tuned.eval().requires_grad_(False)
