"""The library: 32 other books and then the training part of War and Peace, as one text to learn from.

What models are judged by is never in it: not the last tenth of War and Peace, and of each of the
`HELD_OUT_NOVELS` not the tenth that begins a third of the way in, on which surprisal is measured.
"""

from dataclasses import dataclass

import numpy as np

from lm_core.text.catalogue import BOOKS, WAR_AND_PEACE
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.corpora import load_text
from lm_core.text.training_text import TrainingText, load_book, printed_body, split_licence
from lm_core.text.word_corpora import sha256_of_parts

LIBRARY = "gutenberg"
"""Name of the library among the corpora: the prefix of its books."""

FILES = {WAR_AND_PEACE.name: (WAR_AND_PEACE,), LIBRARY: (*BOOKS, WAR_AND_PEACE)}
"""The files of each text that language models are trained on, in their order."""

HELD_OUT_NOVELS = (
    "gutenberg/dracula",
    "gutenberg/emma",
    "gutenberg/great_expectations",
    "gutenberg/moby_dick",
    "gutenberg/treasure_island",
    "gutenberg/wuthering_heights",
)
"""A tenth of each has been read by no model, whichever books it has read: `held_out_of`."""


@dataclass(frozen=True)
class Library(TrainingText):
    """The library in one vocabulary, followed by the last tenth of War and Peace for validation."""

    n_learned: int
    """Ids of the training part."""

    @property
    def split(self) -> int:
        """Index of the first id for validation."""
        return self.n_learned


def load_library(vocabulary: CharacterVocabulary) -> Library:
    """Read, normalise and encode the library: half a minute of work, nothing is downloaded.

    Raises CorpusUnavailableError if a book is not on this machine, and CorpusError if a file found
    is not the book.
    """
    book = load_book(vocabulary)
    others = [vocabulary.encode(vocabulary.normalise(learned_of(corpus.name))) for corpus in BOOKS]
    ids = np.concatenate([*others, book.ids])
    sha256 = sha256_of_parts(FILES[LIBRARY])
    return Library(ids, vocabulary, LIBRARY, sha256, len(ids) - len(book.validation))


def held_out_of(name: str) -> str:
    """Return the tenth of a novel that no model reads; it begins a third of the way in.

    Raises CorpusUnavailableError if the novel is not on this machine, and CorpusError if the file
    found is not the novel.
    """
    novel, _ = split_licence(load_text(name))
    return novel[_held_out(novel)]


def _held_out(novel: str) -> slice:
    start = len(novel) // 3
    return slice(start, start + len(novel) // 10)


def learned_of(name: str) -> str:
    """Return what models read of a book, without the tenth that is held out.

    Raises CorpusUnavailableError if the book is not on this machine, and CorpusError if the file
    found is not the book.
    """
    novel, _ = split_licence(load_text(name))
    if name in HELD_OUT_NOVELS:
        left_out = _held_out(novel)
        novel = f"{novel[: left_out.start]}\n\n{novel[left_out.stop :]}"
    return printed_body(novel)
