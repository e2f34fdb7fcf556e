"""Strings that are in memory in another form, and become strings where they are read."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import overload


class StringsAsRead(Sequence[str]):
    """A sequence of strings, each made when it is read; a slice is a tuple, as a tuple's would be."""

    @abstractmethod
    def read(self, place: int) -> str:
        """Return the string at a place from 0 to the last one."""

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        found = range(len(self))[place]
        return self.read(found) if isinstance(found, int) else tuple(map(self.read, found))
