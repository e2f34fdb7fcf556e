"""How the tests of pages read numbers and words out of a text."""

import pytest

from tests.pages.visits import holds, numbers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,234.5 and 10,000,000", [1234.5, 1e7]),
        ("-0.3, −4 (−2.5) [-1]", [-0.3, -4, -2.5, -1]),
        ("12 % of **0.30**", [12, 0.3]),
        ("1e-06 or 1.5e+03, .577", [1e-6, 1500, 0.577]),
        ("2.5 × 10⁻⁵, 10⁻¹², 3 · 10⁸", [2.5e-5, 1e-12, 3e8]),
        ("1, 2, 345, then 12,34", [1, 2, 345, 12, 34]),
        ("WikiText-2 in 1990-1995, 1/43,000", [2, 1990, 1995, 1, 43000]),
        ("x0 and h_1 have none", []),
    ],
)
def test_numbers_are_read_as_they_are_written(text, found):
    assert numbers(text) == found


@pytest.mark.parametrize(
    ("values", "is_held"),
    [
        (("king", 0.3, "queen", 1_000), True),
        (("**king**", "queen"), True),
        ((0.3, "king"), False),
        (("kin",), False),
        ((3,), False),
        ((0.3, 0.3), False),
    ],
)
def test_words_and_numbers_are_found_whole_and_in_their_order(values, is_held):
    assert holds("**king** 0.30; queen 1,000", *values) == is_held
