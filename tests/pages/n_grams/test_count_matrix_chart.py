"""Counts as a picture: which pixel is which n-gram, and what can be pointed at."""

import base64
import struct
import zlib

import numpy as np
import pytest

from pages.n_grams.count_matrix_chart import count_frame, count_matrix, count_picture

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")

SYMBOLS = ("a", "b", " ")


def pixels(address):
    """Read a PNG of plain rows back."""
    content = base64.b64decode(address.split(",")[1])
    width, height = struct.unpack(">2I", content[16:24])
    at, data = 8, b""
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        if content[at + 4 : at + 8] == b"IDAT":
            data += content[at + 8 : at + 8 + length]
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + 3 * width)
    return rows[:, 1:].reshape(height, width, 3)


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


@pytest.mark.parametrize("chosen", [None, 2])
def test_the_chosen_row_is_outlined(chosen):
    values = np.eye(3)
    drawing = count_matrix(
        count_frame(values, SYMBOLS),
        count_picture(values),
        SYMBOLS,
        titles=("before", "next"),
        chosen=chosen,
    )
    outlined = drawing.data[drawing.data["is_chosen"]]
    assert outlined["top"].tolist() == ([] if chosen is None else [chosen])
    assert (drawing.data["picture"] != "").sum() == 1
