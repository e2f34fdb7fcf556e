"""The corpora that the lab knows: one record each, and nothing else.

One record describes one file, so a corpus of several files is several records with a common
prefix: ``wikitext-2/train``, ``wikitext-2/valid``.
"""

from lm_core.errors import SettingError
from lm_core.text.corpus import Corpus, Signs
from lm_core.text.library_catalogue import BOOKS, BROWN, WIKITEXT_2, WORD_PAIRS

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

CORPORA = {
    corpus.name: corpus for corpus in (WAR_AND_PEACE, *BOOKS, BROWN, *WIKITEXT_2, *WORD_PAIRS)
}


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
