"""The tags of a visitor's sentence: the words in it, as the corpus writes them, and their probabilities."""

from collections.abc import Iterable, Sequence

import numpy as np
import regex
import torch

from lm_core.errors import TextError
from lm_core.models.tagger import Tagger
from lm_core.text.what_was_read import WhatWasRead
from lm_core.text.word_features import FeatureVocabulary

MOST_WORDS, MOST_CHARACTERS = 40, 400

_WORD = regex.compile(
    r"(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Gen|Col|Capt|Rev|vs|etc)\."  # abbreviations keep their point
    r"|(?:[^\W\d_]\.){2,}"
    r"|\d+(?:[.,:]\d+)*"
    r"|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['.&-][\p{L}\p{M}\p{N}]+)*"  # marks are letters of many scripts
    r"|--|\.\.\.|\S"
)
_AS_IN_CORPUS = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "—": "--", "–": "--", "…": "."}
)

_MARKS = ("``", "''")  # opening and closing quotation marks of the corpus


def words_of_sentence(text: str) -> tuple[str, ...]:
    """Return the words and signs of a sentence, as the corpus writes them.

    Opening quotation marks are two backquotes there, closing ones two apostrophes. Raises TextError
    if the sentence is empty, or too long.

    Examples
    --------
    >>> words_of_sentence('Dr. Lee said "don’t".')
    ('Dr.', 'Lee', 'said', '``', "don't", "''", '.')
    """
    if len(text) > MOST_CHARACTERS:
        raise TextError(
            f"a sentence may have at most {MOST_CHARACTERS} characters here, got {len(text):,}:"
            f" shorten it by {len(text) - MOST_CHARACTERS:,}"
        )
    words = _WORD.findall(text.translate(_AS_IN_CORPUS))
    if not words:
        raise TextError(f"the sentence is empty: write 1 to {MOST_WORDS} words")
    if len(words) > MOST_WORDS:
        raise TextError(
            f"a sentence may have at most {MOST_WORDS} words and signs here, got {len(words)}"
        )
    marks = iter(_MARKS * len(words))
    return tuple(next(marks) if word == '"' else word for word in words)


def what_was_read(texts: Iterable[str], vocabulary: FeatureVocabulary) -> WhatWasRead:
    """Return which signs of sentences are written otherwise, and which words the taggers have not met.

    Of these they see letters and capitals alone. Sentences without a character do not count. Raises
    TextError as `words_of_sentence` does.
    """
    texts = [text for text in texts if text.strip()]
    sentences = [words_of_sentence(text) for text in texts]
    n = len(sentences)
    lengths = " and ".join(str(len(sentence)) for sentence in sentences)
    facts = ("1 sentence" if n == 1 else f"{n} sentences", f"{lengths} words and signs")
    words = [word for sentence in sentences for word in sentence]
    return WhatWasRead(facts, (*_changed("".join(texts)), *_unknown(words, vocabulary)))


def _changed(text: str) -> tuple[str, ...]:
    """Return how many signs the training texts write otherwise, and what became of the first."""
    written = _AS_IN_CORPUS | {ord(sign): _MARKS[0] for sign in '"“”'}
    signs = [sign for sign in text if ord(sign) in written]
    if not signs:
        return ()
    n = "1 sign is" if len(signs) == 1 else f"{len(signs)} signs are"
    first = f"{signs[0]}, read as {written[ord(signs[0])]}"
    return (f"{n} written as in the training texts; the first is {first}.",)


def _unknown(words: Sequence[str], vocabulary: FeatureVocabulary) -> tuple[str, ...]:
    """Return how many words do not occur in the training texts, and what is known of them."""
    new = [word for word in words if not vocabulary.has_word(word)]
    if not new:
        return ()
    n = "1 of them does" if len(new) == 1 else f"{len(new)} of them do"
    is_foreign = any(c.isalpha() and not c.isascii() for c in "".join(new))
    why = " The taggers learned from English texts." * (is_foreign and 2 * len(new) > len(words))
    return (
        f"{n} not occur in the training texts; the first is “{new[0]}”. Nothing else is known"
        " of such a word, so it is tagged by its first and last letters, its capitals and its"
        f" neighbours.{why}",
    )


@torch.no_grad()
def tag_probabilities(
    model: Tagger, vocabulary: FeatureVocabulary, words: tuple[str, ...]
) -> np.ndarray:
    """Return the probability of each tag for each word of a sentence, (T, K)."""
    features = torch.from_numpy(vocabulary.encode(words))[None]
    logits = model(features, torch.tensor([len(words)]))
    probabilities: np.ndarray = logits[0].softmax(-1).numpy()
    return probabilities
