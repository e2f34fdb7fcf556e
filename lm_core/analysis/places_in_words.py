"""Where in words two models differ: at first letters, at later ones, or between words."""

from typing import NamedTuple

import numpy as np

FIRST_LETTER, LATER_LETTER, BETWEEN = "first letter", "later letter", "between words"
PLACES = (FIRST_LETTER, LATER_LETTER, BETWEEN)


class PlaceMean(NamedTuple):
    """A quantity at one of `PLACES`: its mean, and how many characters stand there."""

    mean: float
    n_characters: int


def places_in_words(text: str) -> np.ndarray:
    """Return for each character its index in `PLACES`, int64 of shape (len(text),).

    Letters and digits make words; all else stands between them.

    Examples
    --------
    >>> places_in_words("a boy, no").tolist()
    [0, 2, 0, 1, 1, 2, 2, 0, 1]
    """
    in_word = np.array([character.isalnum() for character in text], dtype=bool)
    begins = in_word & ~np.concatenate([[False], in_word[:-1]])
    return np.where(begins, 0, np.where(in_word, 1, 2))


def means_by_place(text: str, values: np.ndarray) -> dict[str, PlaceMean]:
    """Return the mean of one number a character at each of `PLACES` that the text has.

    `values`: ndarray of shape (len(text),).

    Examples
    --------
    >>> means_by_place("ab a", np.array([1.0, 5.0, 0.0, 3.0]))["first letter"]
    PlaceMean(mean=2.0, n_characters=2)
    """
    if len(values) != len(text):
        raise ValueError(f"one number a character: {len(text)} characters, {len(values)} numbers")
    places = places_in_words(text)
    return {
        name: PlaceMean(float(values[places == i].mean()), int((places == i).sum()))
        for i, name in enumerate(PLACES)
        if (places == i).any()
    }
