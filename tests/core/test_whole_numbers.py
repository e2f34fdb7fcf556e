"""Whole numbers come back as they were, and take few bytes where they rise."""

import numpy as np
import pytest

from lm_core.whole_numbers import compressed, expanded


@pytest.mark.parametrize(
    "numbers",
    [[], [0], [7], [3, 3, 900, 2**62, 2**63 - 1], [5, -1, -(2**40), 8]],
    ids=["none", "nought", "one", "rising to the largest", "falling and negative"],
)
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_whole_numbers_come_back_as_they_were(numbers, kind):
    given = np.array([n for n in numbers if abs(n) <= np.iinfo(kind).max], kind)
    stored = compressed(given)
    assert stored.dtype == np.uint8
    found = expanded(stored)
    assert found.dtype == np.int64
    assert found.tolist() == given.tolist()


def test_rising_numbers_take_a_fraction_of_their_bytes():
    rising = np.cumsum(np.random.default_rng(1).integers(1, 70, 10_000))
    assert len(compressed(rising)) < rising.nbytes / 6
