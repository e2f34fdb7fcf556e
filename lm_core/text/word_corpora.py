"""Word corpora: texts that are read as words, each of one corpus file or of many."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lm_core.errors import SettingError
from lm_core.text.catalogue import BOOKS, BROWN, WAR_AND_PEACE, WIKITEXT_2, Corpus
from lm_core.text.corpora import check, load_bytes, load_text, locate
from lm_core.text.tagged_sentences import brown_texts


@dataclass(frozen=True)
class WordCorpus:
    """Corpus files that are read one after another."""

    name: str
    title: str
    """`name` and `title`: for the command line, and for people."""
    parts: tuple[Corpus, ...]

    @property
    def missing(self) -> list[str]:
        """Names of the files that are not on this machine."""
        return [part.name for part in self.parts if locate(part.name) is None]


WORD_CORPORA = {
    corpus.name: corpus
    for corpus in (
        WordCorpus(WAR_AND_PEACE.name, WAR_AND_PEACE.title, (WAR_AND_PEACE,)),
        WordCorpus(
            "library",
            "33 books, the Brown corpus, and some of Wikipedia",
            (WAR_AND_PEACE, *BOOKS, BROWN, *WIKITEXT_2[1:]),
        ),
        WordCorpus("wikitext-2", "WikiText-2, whole", WIKITEXT_2),
    )
}


def word_corpus_named(name: str) -> WordCorpus:
    """Return the word corpus of that name; raises SettingError if there is none."""
    if name not in WORD_CORPORA:
        raise SettingError(f"the corpus must be one of {sorted(WORD_CORPORA)}, got {name!r}")
    return WORD_CORPORA[name]


def texts_of(corpus: WordCorpus) -> Iterator[str]:
    """Yield the texts of a word corpus, one file after another.

    Raises CorpusUnavailableError if a file is not on this machine; the message says how to get it.
    Raises CorpusError if a file is not what its record says.
    """
    for part in corpus.parts:
        if part == BROWN:
            for _, text in brown_texts(load_bytes(part.name)):
                yield " ".join(word.rpartition("/")[0] for word in text.split())
        else:
            yield load_text(part.name).replace("<unk>", " ")


def sha256_of_parts(parts: Iterable[Corpus]) -> str:
    """Return the hash of a corpus of some files: the one file's, or that of their hashes in their order."""
    hashes = [check(part.name).sha256 for part in parts]
    if len(hashes) == 1:
        return hashes[0]
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()
