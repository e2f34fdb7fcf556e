"""The answers to a question: which one holds, and where a guess stands in a picture."""

import pytest

from pages.shared import page
from pages.shared.page.predictions import Answer, Prediction, answer_of, nearest_answer

SHARES = {"most": Answer(0.5, 0.75), "some": Answer(0.1, 0.3), "none": Answer(0.0, 0.05)}
WEIGHTS = {"small": -1.0, "none": 0.0, "large": 3.0}


@pytest.mark.parametrize(
    ("value", "said"),
    [(-9.0, "small"), (-0.6, "small"), (-0.4, "none"), (1.4, "none"), (1.6, "large"), (9, "large")],
)
def test_the_nearest_answer_may_lie_on_either_side(value, said):
    assert nearest_answer(value, WEIGHTS) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(1.0, "most"), (0.5, "most"), (0.49, "some"), (0.1, "some"), (0.09, "none"), (0.0, "none")],
)
def test_an_answer_holds_from_its_least_value_on(value, said):
    assert answer_of(value, SHARES) == said


def test_a_guess_stands_in_the_picture_once_it_is_revealed():
    assert page.Asked(Prediction("some", True), SHARES).value.typical == 0.3
    assert page.Asked(Prediction("some", False), SHARES).value is None
    assert page.Asked(Prediction(None, True), SHARES).value is None
