"""What the server does once, before its first visitor, and what it grants to each of them."""

import gc
from functools import cache
from threading import BoundedSemaphore

import altair  # noqa: F401  imported here, so that no visitor waits for it
import pandas  # noqa: F401
import torch

model_calls = BoundedSemaphore(1)
"""Held for one call of a model at a time, never for a whole text: thirty visitors who generate at
once then take as long as before together, and everybody else's page still answers."""


@cache
def boot() -> None:
    """Settle the process after the heavy imports; only the first call does anything.

    One thread per model call leaves the other cores to the other visitors. The frozen objects of
    the libraries are never searched for garbage again, which a host that overrides
    ``runner.postScriptGC`` would otherwise do after every run (0.1 to 0.3 s each).
    """
    torch.set_num_threads(1)
    gc.collect()
    gc.freeze()
