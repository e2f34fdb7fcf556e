"""Words as points: their trained vectors, few enough directions that a mixture can be fitted."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.word_space import unit_vectors
from lm_core.clustering.initialisation import k_means_plus_plus
from lm_core.clustering.k_means import restarts
from lm_core.errors import SettingError
from lm_core.models.embeddings import WordVectors
from lm_core.text.word_vocabulary import WordVocabulary

_RUNS = 10


class WordPoints(NamedTuple):
    """Words, each a point."""

    words: tuple[str, ...]
    """Tuple of N str. The most frequent first."""
    points: Tensor
    """float64, of shape (N, D)."""
    share: float
    """In [0, 1]. Of the vectors' variance, what the D directions hold."""


def frequent_words(vocabulary: WordVocabulary, *, skip: int = 100, n: int = 500) -> tuple[str, ...]:
    """Return frequent words that say what a text is about, the most frequent first.

    Raises SettingError if there are no two words more than are left out.

    Parameters
    ----------
    skip : int
        So many of the most frequent words are left out: they hold sentences together, and say
        little of what they are about.
    n : int, fewer where there are fewer words
    """
    words = vocabulary.words[skip : skip + n]
    if len(words) < 2:
        raise SettingError(
            f"the model must have at least {skip + 2} words, it has {len(vocabulary)}"
        )
    return tuple(words)


def word_points(model: WordVectors, words: Sequence[str], *, directions: int = 10) -> WordPoints:
    """Return words by the directions in which their vectors vary most.

    A full covariance has D (D + 1) / 2 numbers: in all of a hundred directions a few hundred words
    could not determine it. The vectors are brought to length 1 first, so that distance is cosine.
    Raises SettingError if the model knows fewer than two of the words.

    Parameters
    ----------
    words : sequence of str, at least two; those of which the model knows nothing are left out
    directions : int, D, fewer where there are fewer words or numbers
    """
    ids = sorted({model.vocabulary.ids[word] for word in words if word in model.vocabulary})
    if len(ids) < 2:
        raise SettingError(f"at least two words must have vectors, these have {len(ids)}")
    vectors = unit_vectors(model.input.detach()[ids].to(torch.float64))
    found = principal_components(vectors, min(directions, *vectors.shape))
    known = tuple(model.vocabulary.words[i] for i in ids)
    return WordPoints(known, found.points, float(found.shares.sum()))


def word_clusters(vectors: Tensor, clusters: int, rng: torch.Generator) -> Tensor:
    """Return the cluster of each of some words, int64 (N,): the best of ten runs of k-means.

    Clusters are numbered by size, the largest first; equally large ones by their first word.

    Parameters
    ----------
    vectors : Tensor of shape (N, D), of length 1
    clusters : int, K, at most N
    """
    found = min(
        restarts(vectors, clusters, k_means_plus_plus, _RUNS, rng), key=lambda run: run.inertia
    )
    sizes = torch.bincount(found.labels, minlength=clusters)
    firsts = [int((found.labels == k).nonzero()[0]) for k in range(clusters)]
    order = sorted(range(clusters), key=lambda k: (-int(sizes[k]), firsts[k]))
    numbers = torch.empty(clusters, dtype=torch.int64)
    numbers[order] = torch.arange(clusters)
    return numbers[found.labels]
