"""The corpora that the lab knows: one record each, and nothing else.

One record describes one file, so a corpus of several files is several records with a common
prefix: ``wikitext-2/train``, ``wikitext-2/valid``.
"""

from dataclasses import dataclass

from lm_core.errors import SettingError


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


WAR_AND_PEACE = Corpus(
    name="war-and-peace",
    title="War and Peace",
    edition="Leo Tolstoy, translated by Louise and Aylmer Maude; Project Gutenberg #2600, 2016",
    path="war_and_peace.txt",
    address="https://www.gutenberg.org/files/2600/2600-0.txt",
    licence="public domain in the United States",
    size_bytes=3_292_505,
    sha256="3bb73e3f3bdc6b5e46f8ad49f750cc84883d96701d1057e2446b1d27cf8d974c",
    signs=Signs(("title: war and peace", "*** end of th"), 3_000_000, 3_600_000),
)

CORPORA = {corpus.name: corpus for corpus in (WAR_AND_PEACE,)}


def corpus_named(name: str) -> Corpus:
    """Return the record of that name.

    Raises
    ------
    SettingError
        If there is none.
    """
    if name not in CORPORA:
        raise SettingError(f"corpus must be one of {sorted(CORPORA)}, got {name!r}")
    return CORPORA[name]
