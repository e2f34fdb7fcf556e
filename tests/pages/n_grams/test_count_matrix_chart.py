"""Counts as a picture: which pixel is which n-gram, and what can be pointed at."""

import numpy as np
import pytest

from pages.n_grams.count_matrix_chart import count_frame, count_matrix, count_picture
from tests.png_pixels import pixels

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")

SYMBOLS = ("a", "b", " ")


def test_a_pair_s_cell_is_white_without_a_count_and_the_darker_the_more():
    picture = pixels(count_picture(np.array([[0, 1, 100], [0, 0, 0], [10, 0, 0]])))
    side = len(picture) // 3
    light = picture[side // 2 :: side, side // 2 :: side].mean(2)
    assert light[0, 0] == light[1].max() == light.max()
    assert light[0, 2] < light[2, 0] < light[0, 1] < light[0, 0]


def test_a_triple_s_cell_lies_in_the_square_of_its_context():
    values = np.zeros((9, 3))
    values[5, 1] = 7  # the context (1, 2), then symbol 1
    picture = pixels(count_picture(values)).astype(int)
    blue = (picture[..., 2] - picture[..., 0]) > 20
    down, right = (np.flatnonzero(blue.any(axis)) for axis in (1, 0))
    high, wide = len(picture) / 3, picture.shape[1] / 3
    assert high <= down.min() <= down.max() < 2 * high
    assert 2 * wide <= right.min() <= right.max() < 3 * wide


def test_what_is_pointed_at_is_named_and_summed():
    values = np.arange(27).reshape(9, 3) - 3
    frame = count_frame(np.maximum(values, 0), SYMBOLS)
    row = frame.iloc[5]
    assert (row["first"], row["second"], row["value"]) == ("b", "·", 12 + 13 + 14)
    assert frame.iloc[1]["seen"] == 2


def test_squares_that_were_seen_travel_and_the_others_are_looked_up_as_never_seen():
    values = np.eye(3)
    drawing = count_matrix(
        count_frame(values, SYMBOLS), count_picture(values), SYMBOLS, titles=("before", "next")
    )
    rows = drawing.data[drawing.data["square"] >= 0]
    assert rows["square"].tolist() == [0, 4, 8]
    assert rows["value"].tolist() == rows["seen"].tolist() == [1, 1, 1]
    assert (drawing.data["picture"] != "").sum() == 1
    squares = drawing.spec["layer"][1]
    assert squares["data"]["sequence"]["stop"] == 9
    assert {lookup["default"] for lookup in squares["transform"][:2]} == {0}
