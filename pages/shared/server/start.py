"""What the server does once, before its first visitor, and what it has to offer."""

import ctypes
import gc
import os
import sys
from functools import cache
from pathlib import Path

# Read when numpy is imported, so before that. One character is far too little work to share: on a
# busy machine the threads of numpy's BLAS wait for one another, and writing takes 27 times as long.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import pandas  # noqa: E402, F401  imported here, so that no visitor waits for it
import torch  # noqa: E402

from lm_core.training.devices import choose_device, describe_device  # noqa: E402
from pages.shared.server.streamlit_inside.reliances import turn_on_all  # noqa: E402

if sys.platform != "win32":
    import resource

_MOST_OPEN_FILES = 65_536
_OF_ITS_OWN = 1 << 18
"""Bytes from which a block of memory is taken from the system, and given back, by itself."""


@cache
def boot() -> None:
    """Settle the process after the heavy imports; only the first call does anything.

    One thread per model call leaves the other cores to the other visitors. The frozen objects of
    the libraries are never searched for garbage again, which a host that overrides
    ``runner.postScriptGC`` would otherwise do after every run (0.1 to 0.3 s each).
    """
    give_large_blocks_back()
    torch.set_num_threads(1)
    turn_on_all()
    gc.collect()
    gc.freeze()


def give_large_blocks_back() -> None:
    """Let glibc give large blocks back to the system once they are freed; elsewhere do nothing.

    By itself it keeps up to 32 MB at a time for later: after the weights of a few models were read and
    converted, that is 35 MB which nobody uses.
    """
    if sys.platform == "linux" and "CS_GNU_LIBC_VERSION" in os.confstr_names:
        m_mmap_threshold = -3  # from malloc.h
        ctypes.CDLL(None).mallopt(m_mmap_threshold, _OF_ITS_OWN)


def open_files() -> int:
    """Return how many files and sockets this process may open, after asking for as many as it can get.

    Shells and services often start programs with 1,024 where the system allows many more.
    """
    if sys.platform == "win32":
        return _MOST_OPEN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_OPEN_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def training_device() -> str:
    """Return what trainings run on: a graphics card's name, or the processor.

    Raises SettingError if this machine lacks the device that is asked for.
    """
    device = choose_device()
    return processor() if device.type == "cpu" else describe_device(device)


def processor() -> str:
    """Return what all pages run on."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return f"CPU, {cores} {'core' if cores == 1 else 'cores'}"


def memory_used() -> int | None:
    """Return the bytes of memory that this process holds now; None where Linux does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def memory_total() -> int | None:
    """Return the bytes of memory that this process may use: the container's limit, or all."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        limit = Path("/sys/fs/cgroup/memory.max")
        written = limit.read_text(encoding="ascii").strip() if limit.exists() else "max"
    except (OSError, ValueError, AttributeError):
        return None
    return total if written == "max" else min(total, int(written))
