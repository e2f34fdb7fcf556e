"""Where a model is trained: on the processor or on a graphics card."""

import torch

from lm_core.errors import SettingError
from lm_core.settings import settings

DEVICES = ("auto", "cpu", "cuda", "mps")


def choose_device(name: str | None = None) -> torch.device:
    """Return the device of that name; ``auto`` takes a graphics card where there is one.

    Raises SettingError if it is unknown, or this machine does not have it.

    Parameters
    ----------
    name : str, optional
        ``auto``, ``cpu``, ``cuda`` or ``mps``; by default what ``LM_LAB_DEVICE`` says, or ``auto``.
    """
    name = name or settings().device
    if name not in DEVICES:
        raise SettingError(f"device must be one of {list(DEVICES)}, got {name!r}")
    present = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if name == "auto":
        name = next(device for device, is_here in present.items() if is_here)
    if not present[name]:
        here = [device for device, is_here in present.items() if is_here]
        raise SettingError(f"this machine has no {name!r} device, only {here}: set LM_LAB_DEVICE")
    return torch.device(name)


def describe_device(device: torch.device) -> str:
    """Return a device's name for the provenance of a model: ``cpu``, ``cuda (NVIDIA H200)``."""
    if device.type == "cuda":
        return f"cuda ({torch.cuda.get_device_name(device)})"
    return device.type
