"""Codes, clock hands and buckets, as rows and as specifications."""

import numpy as np
import pytest

from pages.positional_encoding import bucket_chart, clock_chart, code_chart
from pages.shared.charts.palette import GUESS

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")


def test_every_number_of_every_code_has_its_place_and_marked_rows_their_rim():
    codes = np.arange(6.0).reshape(3, 2)
    frame = code_chart.code_frame(codes, ["00 can", "01 a", "02 can"], chosen=[0, 2])
    assert frame["value"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert frame["name"].tolist()[::2] == ["00 can", "01 a", "02 can"]
    drawn = code_chart.code_map(frame, reach=5.0)
    assert drawn.data.loc[drawn.data["head"], "position"].tolist() == [0, 2]


def test_maps_are_set_up_once_however_many_places_there_are():
    codes = [
        code_chart.code_map(code_chart.code_frame(np.zeros((n, 4))), reach=1.0) for n in (10, 12)
    ]
    assert codes[0].spec == codes[1].spec
    frames = [bucket_chart.bucket_frame(np.zeros((n, n), int), n_buckets=8) for n in (5, 6)]
    buckets = [bucket_chart.bucket_map(frame, n_buckets=8, first_ahead=4) for frame in frames]
    assert buckets[0].spec == buckets[1].spec


def test_hands_point_where_sine_and_cosine_say():
    frame = clock_chart.clock_frame(
        np.array([0.0, 1.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0, -1.0]), [6.28, 628.3], now=1
    )
    drawn = clock_chart.clock_chart(frame)
    assert drawn.data["degrees"].tolist() == pytest.approx([0.0, 90.0, 90.0, 180.0])
    assert drawn.data["hand"].tolist() == ["position"] * 2 + ["shifted"] * 2
    assert drawn.data["now"].tolist() == [False, True] * 2
    titles = [title for title in drawn.data["title"] if title]
    assert titles == ["pair 0\none turn in 6.3", "pair 1\none turn in 628"]


def test_what_is_no_bucket_is_crossed_out_and_what_went_astray_has_a_rim():
    buckets = np.array([[0, 3, 4], [1, 0, 3], [2, 1, 0]])  # keys ahead belong into 2 and 3
    frame = bucket_chart.bucket_frame(buckets, n_buckets=4)
    assert frame.loc[~frame["known"], "offset"].tolist() == [2]
    drawn = bucket_chart.bucket_map(frame, n_buckets=4, first_ahead=2)
    strayed = drawn.data[drawn.data["strayed"]]
    assert list(zip(strayed["query"], strayed["key"], strict=True)) == [(2, 0)]
    assert not bucket_chart.bucket_map(frame, n_buckets=4, first_ahead=None).data["strayed"].any()


def test_the_bucket_asked_for_waits_for_the_answer_and_shows_the_guess_beside_it():
    def pair(is_answered, said):
        frame = bucket_chart.bucket_frame(np.array([[0, 3], [1, 0]]), n_buckets=4)
        asked = bucket_chart.AskedPair(query=0, key=1, guess=said, is_answered=is_answered)
        data = bucket_chart.bucket_map(frame, n_buckets=4, first_ahead=2, asked=asked).data
        (row,) = data[data["asked"]].to_dict("records")
        return row["query"], row["key"], row["text"], row["guess"]

    assert pair(is_answered=False, said=2) == (0, 1, "?", "")
    assert pair(is_answered=True, said=2) == (0, 1, "3", f"{GUESS}: 2")
    assert pair(is_answered=True, said=None) == (0, 1, "3", "")


def test_numbers_are_left_out_where_they_would_not_fit():
    def texts(n):
        frame = bucket_chart.bucket_frame(np.zeros((n, n), int), n_buckets=8)
        return set(bucket_chart.bucket_map(frame, n_buckets=8, first_ahead=4).data["text"])

    assert texts(32) == {"0"}
    assert texts(33) == {""}
