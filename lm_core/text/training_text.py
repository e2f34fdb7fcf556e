"""A text as a model is trained on it: ids of one alphabet, split into training and validation."""

from dataclasses import dataclass

import numpy as np

from lm_core.text.alphabets import Alphabet

TRAIN_SHARE = 0.9
"""The first nine tenths are for training, the rest for validation, as in the source documents."""


@dataclass(frozen=True)
class TrainingText:
    """A text in one alphabet.

    Attributes
    ----------
    ids : ndarray of int64, shape (N,)
    alphabet : Alphabet
    corpus : str
        What the text is, for the stamp of a model that is trained on it.
    sha256 : str
        Of the file or the text that the ids were made from.
    """

    ids: np.ndarray
    alphabet: Alphabet
    corpus: str
    sha256: str

    @property
    def split(self) -> int:
        """Index of the first id for validation."""
        return int(TRAIN_SHARE * len(self.ids))

    @property
    def train(self) -> np.ndarray:
        """Ids of the training part, a view of shape (split,)."""
        return self.ids[: self.split]

    @property
    def validation(self) -> np.ndarray:
        """Ids of the validation part, a view of shape (N - split,)."""
        return self.ids[self.split :]
