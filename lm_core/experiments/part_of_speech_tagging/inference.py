"""The tags of a visitor's sentence: the words in it, as the corpus writes them, and their probabilities."""

import numpy as np
import regex
import torch

from lm_core.errors import TextError
from lm_core.models.tagger import Tagger
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
    marks = iter(("``", "''") * len(words))
    return tuple(next(marks) if word == '"' else word for word in words)


@torch.no_grad()
def tag_probabilities(
    model: Tagger, vocabulary: FeatureVocabulary, words: tuple[str, ...]
) -> np.ndarray:
    """Return the probability of each tag for each word of a sentence, (T, K)."""
    features = torch.from_numpy(vocabulary.encode(words))[None]
    logits = model(features, torch.tensor([len(words)]))
    probabilities: np.ndarray = logits[0].softmax(-1).numpy()
    return probabilities
