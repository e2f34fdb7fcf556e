"""Agreement with people: Spearman's rank correlation over the pairs of known words."""

import math

import pytest
import torch

from lm_core.analysis.word_pairs import ScoredPair, agreement, read_pairs
from lm_core.analysis.word_space import unit_vectors
from lm_core.errors import TextError
from lm_core.text.word_vocabulary import WordVocabulary

COMPASS = WordVocabulary(("east", "northeast", "north", "west", "south"), (5, 4, 3, 2, 1))


@pytest.fixture
def compass():
    """Unit vectors to the east, north-east, north, west and south."""
    return unit_vectors(torch.tensor([[1.0, 0], [1, 1], [0, 1], [-1, 0], [0, -1]]))


def test_agreement_is_spearmans_with_mean_ranks_for_ties(compass):
    """By hand: cosines .707, 0, -1, 0 have ranks 4, 2.5, 1, 2.5; the scores 4, 3, 2, 1."""
    text = "east\tnortheast\t9\neast\tnorth\t5\neast\twest\t4\neast\tsouth\t1\n"
    found = agreement(compass, COMPASS, read_pairs(text))
    assert found.correlation == pytest.approx(3.0 / math.sqrt(4.5 * 5.0))
    assert math.isnan(agreement(compass, COMPASS, read_pairs("east\twest\t1\n")).correlation)


def test_agreement_tells_how_many_pairs_it_knows(compass):
    pairs = read_pairs("east\tNortheast\t9\neast\tnorth\t5\neast\twest\t1\neast\tup\t3\n")
    assert pairs[0] == ScoredPair("east", "northeast", 9.0)
    found = agreement(compass, COMPASS, pairs)
    assert found.correlation == pytest.approx(1.0)
    assert (found.n_pairs, found.n_known, found.unknown_share) == (4, 3, 0.25)
    for text in ("east west 3", "", "east\twest\tmany"):
        with pytest.raises(TextError):
            read_pairs(text)
