"""How a checkpoint stores its weights: as they are, halved, or in rows of bytes with a scale each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from lm_core.errors import ResultError
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.results import StoredTensor
from lm_core.whole_numbers import compressed, expanded

Network = TypeVar("Network", bound=nn.Module)
_COMPRESSED = ".compressed"


def _to_float16(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    return {n: w.half() if w.is_floating_point() else w for n, w in weights.items()}


def _to_int8_rows(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Store each matrix row as 8-bit integers and one scale; everything else as float16."""
    stored: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if weight.dim() != 2 or not weight.is_floating_point():
            stored |= _to_float16({name: weight})
            continue
        scale = (weight.abs().amax(1, keepdim=True) / 127.0).clamp_min(1e-12)
        stored[name] = (weight / scale).round().to(torch.int8)
        stored[f"{name}.scale"] = scale.float()
    return stored


def _to_float16_compressed(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Store fractions as float16, and whole numbers, such as the keys of n-grams, `compressed`."""
    whole = {n: w for n, w in weights.items() if not w.is_floating_point()}
    packed = {
        f"{n}{_COMPRESSED}": torch.from_numpy(compressed(w.numpy())) for n, w in whole.items()
    }
    return _to_float16({n: w for n, w in weights.items() if n not in whole}) | packed


def from_stored(stored: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights that a checkpoint stores in one of the `STORAGES`, in float32."""
    weights = {}
    for name, tensor in stored.items():
        if name.endswith(".scale"):
            continue
        if name.endswith(_COMPRESSED):
            weights[name.removesuffix(_COMPRESSED)] = torch.from_numpy(expanded(tensor.numpy()))
        elif f"{name}.scale" in stored:
            weights[name] = tensor.float() * stored[f"{name}.scale"]
        else:
            weights[name] = tensor.float() if tensor.is_floating_point() else tensor
    return weights


STORAGES: dict[str, Callable[[dict[str, Tensor]], dict[str, Tensor]]] = {
    "float32": dict,
    "float16": _to_float16,
    "float16_compressed": _to_float16_compressed,
    "int8_rows": _to_int8_rows,
}
"""How weights become what is written, by the name in a checkpoint's provenance."""


@dataclass(frozen=True)
class StoredModel:
    """A model among the results of an experiment, which stays as small as it is stored."""

    config: dict[str, Any]  # as `config_to_dict` writes it
    weights: dict[str, StoredTensor]  # in one of the `STORAGES`

    def __post_init__(self) -> None:
        config_from_dict(self.config)

    @classmethod
    def of(cls, model: nn.Module, storage: str) -> "StoredModel":
        """Return a model of the registry as it is stored."""
        return cls(config_to_dict(model.config), stored_weights(model, storage))

    def build(self) -> Any:
        """Return the model anew, in evaluation mode; ResultError if the weights are of another config."""
        return with_stored(build(config_from_dict(self.config)), self.weights)


def stored_weights(model: nn.Module, storage: str) -> dict[str, Tensor]:
    """Return a model's weights in one of the `STORAGES`."""
    return STORAGES[storage]({name: w.detach() for name, w in model.state_dict().items()})


def with_stored(model: Network, stored: dict[str, Tensor]) -> Network:
    """Return a model with stored weights in evaluation mode; ResultError if they are of another config."""
    try:
        model.load_state_dict(from_stored(stored))
    except RuntimeError as error:
        raise ResultError(f"the weights must be of the model's config: {error}") from error
    return model.eval().requires_grad_(False)
