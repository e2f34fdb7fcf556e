"""Words by frequency, and the line through them."""

import numpy as np
import pytest

from lm_core.errors import SettingError
from lm_core.text.word_counts import fit_power_law, ranked_words


def test_words_are_counted_in_small_letters_with_their_apostrophes():
    text = "Don't don’t DON'T, the The (étude) x2 — 42"
    assert ranked_words(text) == [("don't", 3), ("the", 2), ("etude", 1), ("x", 1)]


@pytest.mark.parametrize("slope", [-1.0, -0.7])
def test_a_power_law_is_found_again(slope):
    counts = 1e6 * np.arange(1, 2_001) ** slope
    law = fit_power_law(counts, 5, 1_500)
    assert law.slope == pytest.approx(slope)
    assert law.first_count == pytest.approx(1e6)
    assert law.share_explained == pytest.approx(1.0)
    assert law.expected_count(100) == pytest.approx(counts[99])


def test_the_fit_hangs_only_on_the_ranks_it_is_given():
    counts = 1e6 / np.arange(1, 2_001)
    bent = counts.copy()
    bent[1_000:] = 1.0
    assert fit_power_law(bent, 1, 1_000) == fit_power_law(counts, 1, 1_000)
    assert fit_power_law(bent, 1, 2_000).share_explained < 0.95


@pytest.mark.parametrize(("first", "last"), [(0, 3), (3, 3), (4, 2), (1, 6)])
def test_ranks_that_are_none_are_refused(first, last):
    with pytest.raises(SettingError, match=f"1 to 5, got {first} to {last}"):
        fit_power_law([5, 4, 3, 2, 1], first, last)
