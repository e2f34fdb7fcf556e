"""A text as a model is trained on it: ids of one vocabulary, split into training and validation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lm_core.text.character_vocabulary import CharacterVocabulary

TRAIN_SHARE = 0.9
"""The first nine tenths of the characters are for training, the rest for validation, as in the source documents."""


@dataclass(frozen=True)
class TrainingText:
    """A text in one vocabulary.

    Attributes
    ----------
    ids : ndarray of int64, shape (N,)
    vocabulary : CharacterVocabulary
    corpus : str
        What the text is, for the provenance of a model that is trained on it.
    sha256 : str
        Of the file or the text that the ids were made from.
    """

    ids: np.ndarray
    vocabulary: CharacterVocabulary
    corpus: str
    sha256: str

    @cached_property
    def split(self) -> int:
        """Index of the first id for validation: the one with the first character of that part."""
        ends = self.vocabulary.lengths[self.ids].cumsum()
        n_learned = int(TRAIN_SHARE * ends[-1]) if len(ends) else 0
        return int(np.searchsorted(ends, n_learned, side="right"))

    @property
    def characters_per_token(self) -> float:
        """Mean number of characters that one id stands for; 1 in an vocabulary of characters."""
        return float(self.vocabulary.lengths[self.ids].mean())

    @property
    def train(self) -> np.ndarray:
        """Ids of the training part, a view of shape (split,)."""
        return self.ids[: self.split]

    @property
    def validation(self) -> np.ndarray:
        """Ids of the validation part, a view of shape (N - split,)."""
        return self.ids[self.split :]
