"""Randomness is an argument: the one place where a generator is made from a seed."""

import torch


def generator(seed: int, device: torch.device | str = "cpu") -> torch.Generator:
    """Return a fresh generator on `device` that starts from `seed`.

    Examples
    --------
    >>> float(torch.rand(1, generator=generator(7))) == float(torch.rand(1, generator=generator(7)))
    True
    """
    return torch.Generator(device=device).manual_seed(seed)
