"""Bits by kind of text, and divided bars of ranks: what is hidden, and in which order it stands."""

import pandas as pd
import pyarrow as pa
import pytest

from pages.shared.charts.surprisal import bits_by_kind, rank_bars

KINDS = ["own text", "the book", "novels"]


def test_a_bar_that_waits_for_a_guess_has_neither_length_nor_number():
    frame = pd.DataFrame(
        {
            "kind": KINDS,
            "model": "",
            "role": "ours",
            "bits": [1.0, 2.0, 3.0],
            "standard_error": 0.0,
            "is_hidden": [False, True, False],
        }
    )
    rows = bits_by_kind(pa.Table.from_pandas(frame)).data
    assert rows["drawn"].tolist() == [1.0, 0.0, 3.0]
    assert rows["text"].tolist() == ["1.00", "?", "3.00"]
    assert rows["place"].tolist() == [0, 1, 2]


def test_two_models_of_a_kind_have_rows_of_their_own():
    frame = pd.DataFrame(
        {
            "kind": ["the book"] * 2,
            "model": ["LSTM", "n-gram"],
            "role": ["ours", "rival"],
            "bits": [1.0, 2.0],
            "standard_error": 0.0,
            "is_hidden": False,
        }
    )
    assert bits_by_kind(pa.Table.from_pandas(frame)).data["name"].is_unique


def test_ranks_stand_in_their_order_whatever_the_rows():
    classes = ("first", "second", "beyond")
    shares = {"first": 0.5, "second": 0.3, "beyond": 0.2}
    frame = pd.DataFrame(
        [(kind, rank, shares[rank]) for kind in KINDS for rank in reversed(classes)],
        columns=["kind", "rank", "share"],
    )
    rows = rank_bars(frame, classes).data
    assert rows.set_index("rank")["order"].to_dict() == dict(zip(classes, range(3), strict=True))
    assert rows.groupby("kind")["place"].first().to_dict() == dict(
        zip(KINDS, range(3), strict=True)
    )
    assert rows.groupby("kind")["share"].sum().tolist() == pytest.approx([1.0] * 3)
