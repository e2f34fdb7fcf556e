"""What is known about a corpus file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Signs:
    """What any edition of a text shows, however its bytes differ from the recorded ones.

    Attributes
    ----------
    phrases : tuple of str
        Each stands somewhere in the text; upper and lower case are the same.
    shortest, longest : int
        Bounds of its length in characters.
    """

    phrases: tuple[str, ...]
    shortest: int
    longest: int


@dataclass(frozen=True)
class Corpus:
    """What is known about a corpus file without opening it.

    Attributes
    ----------
    name, title, edition : str
        For the command line, for people, and which text it is exactly.
    path : str
        Where it lies below a data folder.
    address : str
        Public address to download it from.
    licence : str
    size_bytes : int
        Length of the recorded file.
    sha256 : str
        Hash of the recorded file.
    signs : Signs or None
        How another edition is recognised; None where only the recorded file will do.
    """

    name: str
    title: str
    edition: str
    path: str
    address: str
    licence: str
    size_bytes: int
    sha256: str
    signs: Signs | None = None
