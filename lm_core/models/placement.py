"""Where a model's numbers lie, and batches that go there: on the processor or on a graphics card."""

from typing import Any, TypeVar

import torch
from torch import nn

Batch = TypeVar("Batch", bound=tuple[Any, ...])


def device_of(model: nn.Module) -> torch.device:
    """Return the device of a model's numbers; one without any computes on the CPU."""
    held: torch.Tensor | None = next(model.parameters(), None)
    held = next(model.buffers(), None) if held is None else held
    return torch.device("cpu") if held is None else held.device


def moved(batch: Batch, device: torch.device) -> Batch:
    """Return a named tuple of tensors with all of them on a device."""
    return type(batch)(*(tensor.to(device) for tensor in batch))
