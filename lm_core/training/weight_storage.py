"""How a checkpoint stores its weights: as they are, halved, or in rows of bytes with a scale each."""

from collections.abc import Callable

import torch
from torch import Tensor


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


def from_stored(stored: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights that a checkpoint stores in one of the `STORAGES`, in float32."""
    weights = {}
    for name, tensor in stored.items():
        if name.endswith(".scale"):
            continue
        if f"{name}.scale" in stored:
            weights[name] = tensor.float() * stored[f"{name}.scale"]
        else:
            weights[name] = tensor.float() if tensor.is_floating_point() else tensor
    return weights


STORAGES: dict[str, Callable[[dict[str, Tensor]], dict[str, Tensor]]] = {
    "float32": dict,
    "float16": _to_float16,
    "int8_rows": _to_int8_rows,
}
"""How weights become what is written, by the name in a checkpoint's provenance."""
