"""Articles of Wikipedia, read as the published notebook reads them; every tenth is held out."""

import re
from typing import NamedTuple

import numpy as np
from torch import Tensor, from_numpy

from lm_core.text.catalogue import WIKITEXT_2
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.corpora import load_text
from lm_core.text.own_text import normalise_own
from lm_core.text.vocabularies import WIKIPEDIA_SUBWORDS, SubwordVocabulary, own_vocabulary

FILES = WIKITEXT_2[1:]
"""The parts for validation and for the test: the one for training is ten times as long, and not on every machine."""
HELD_OUT = 10
"""The last of so many articles is held out."""
MERGES = 6_000
UNKNOWN_WORD = "\N{REPLACEMENT CHARACTER}"
"""One character in place of the corpus's sign for a rare word, so that it is one subword."""
_TITLE = re.compile(r"^ ?\n = (?!=).+ = ?\n ?\n", re.MULTILINE)
_PUNCTUATION = re.compile(r'([,.;:!?()"])')


class Articles(NamedTuple):
    """Texts of articles, without titles."""

    training: list[str]
    held_out: list[str]


def split_articles(texts: list[str]) -> Articles:
    """Cut files at the titles of their articles, and hold every tenth article out."""
    found = [_body(article) for text in texts for article in _TITLE.split(text)[1:]]
    training = [text for i, text in enumerate(found, start=1) if i % HELD_OUT]
    return Articles(training, found[HELD_OUT - 1 :: HELD_OUT])


def load_articles() -> Articles:
    """Read both files; nothing is downloaded.

    Raises CorpusUnavailableError if one is not on this machine, and CorpusError if it is another.
    """
    return split_articles([load_text(file.name) for file in FILES])


def _body(article: str) -> str:
    lines = [line.strip() for line in article.replace("@", "").splitlines()]
    text = " ".join(line for line in lines if line and not line.startswith("="))
    return text.replace(UNKNOWN, UNKNOWN_WORD)


def as_in_articles(text: str) -> str:
    """Return a text with spaces around punctuation, as the articles have it.

    Examples
    --------
    >>> as_in_articles("The film, it  ended.")
    'The film , it ended .'
    """
    return " ".join(_PUNCTUATION.sub(r" \1 ", normalise_own(text)).split())


class Subwords(NamedTuple):
    """Articles as the model reads them, and how long they are in units that do not depend on it."""

    ids: Tensor
    """Int64, of shape (N,)."""
    words: int
    characters: int


def in_subwords(articles: list[str], vocabulary: SubwordVocabulary) -> Subwords:
    """Return articles in subwords, one after another."""
    text = " ".join(articles)
    ids = vocabulary.encode(text).astype(np.int64)
    return Subwords(from_numpy(ids), len(text.split()), len(text))


def learn_subwords(articles: list[str], merges: int = MERGES) -> SubwordVocabulary:
    """Learn byte-pair encoding on articles: all of their characters, and the merges."""
    text = " ".join(articles)
    characters = own_vocabulary(text)
    return SubwordVocabulary.learn(WIKIPEDIA_SUBWORDS, characters, text, len(characters) + merges)
