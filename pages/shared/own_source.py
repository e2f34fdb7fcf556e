"""Reading the program's own source while other threads parse, too."""

from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read")

_TRIES = 20


def read_source(read: Callable[[], Read]) -> Read:
    """Return what is read of a source, tried again where another thread parsed at the same moment.

    Python 3.11 counts how deep all threads parse in one number, so of two at once one may fail with a
    SystemError. No lock helps, because a traceback that another thread writes into the log parses as well.
    """
    for _ in range(_TRIES - 1):
        try:
            return read()
        except SystemError:
            continue
    return read()
