"""Words as points: their trained vectors, few enough directions that a mixture can be fitted."""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.clustering.planes import principal_components
from lm_core.embeddings.similarity import unit_vectors
from lm_core.embeddings.word_vectors import WordVectors
from lm_core.errors import SettingError


class WordPoints(NamedTuple):
    """Words, each a point.

    Attributes
    ----------
    words : tuple of N str
        The most frequent first.
    points : float64 Tensor of shape (N, D)
    share : float in [0, 1]
        Of the vectors' variance, what the D directions hold.
    """

    words: tuple[str, ...]
    points: Tensor
    share: float


def word_points(
    model: WordVectors, *, skip: int = 100, n: int = 500, directions: int = 10
) -> WordPoints:
    """Return frequent words by the directions in which their vectors vary most.

    A full covariance has D (D + 1) / 2 numbers: in all of a hundred directions a few hundred words
    could not determine it. The vectors are brought to length 1 first, so that distance is cosine.

    Parameters
    ----------
    model : WordVectors
    skip : int
        So many of the most frequent words are left out: they hold sentences together, and say
        little of what they are about.
    n : int
        At least 2; fewer where the model has fewer words.
    directions : int

    Raises
    ------
    SettingError
        If the model has no two words more than are left out.
    """
    words = model.vocabulary.words[skip : skip + n]
    if len(words) < 2:
        raise SettingError(
            f"the model must have at least {skip + 2} words, it has {len(model.vocabulary)}"
        )
    vectors = unit_vectors(model.read.detach()[skip : skip + len(words)].to(torch.float64))
    points, share = principal_components(vectors, min(directions, vectors.shape[1]))
    return WordPoints(words, points, share)
