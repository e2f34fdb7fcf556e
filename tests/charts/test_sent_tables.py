"""Tables as they travel: the same values in fewer bytes."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pages.shared.charts.sent_tables import narrowed


def bytes_of(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue().size


def kinds(table):
    return {field.name: str(field.type) for field in table.schema}


@pytest.mark.parametrize(
    ("most", "kind"), [(127, "int8"), (128, "int16"), (2**15, "int32"), (2**31, "int64")]
)
def test_whole_numbers_travel_in_no_more_bytes_than_they_need(most, kind):
    table = pa.table({"n": [0, -1, most], "none": pa.array([None] * 3, pa.int64()), "x": [0.1] * 3})
    sent = narrowed(table)
    assert sent.to_pydict() == table.to_pydict()
    assert kinds(sent) == {"n": kind, "none": "null", "x": "double"}


def lines(n_names, n_steps):
    """Return the rows of lines, as charts have them: a row names its line and its colour."""
    n = n_names * n_steps
    return pa.table(
        {
            "name": np.repeat([f"LSTM with {i} units" for i in range(n_names)], n_steps),
            "colour": ["#0072B2"] * n,
            "x": np.tile(np.linspace(0.0, 1.0, n_steps), n_names),
            "y": np.random.default_rng(0).normal(size=n),
            "label": [None] * (n - 1) + ["end"],
            "low": pa.nulls(n, pa.float64()),
        }
    )


def test_what_repeats_itself_is_sent_once():
    table = lines(5, 101)
    sent = narrowed(table)
    assert sent.to_pydict() == table.to_pydict()
    assert bytes_of(sent) < bytes_of(table) / 3
    said_once = "dictionary<values={}, indices=int8, ordered=0>".format
    assert kinds(sent) == {
        "name": said_once("string"),
        "colour": said_once("string"),
        "x": said_once("double"),
        "y": "double",
        "label": said_once("string"),
        "low": "null",
    }


@pytest.mark.parametrize("n_names", [1, 5, 200])
@pytest.mark.parametrize("n_steps", [1, 2, 20, 300])
def test_no_table_becomes_larger_or_another(n_names, n_steps):
    table = lines(n_names, n_steps)
    sent = narrowed(table)
    assert sent.to_pydict() == table.to_pydict()
    assert bytes_of(sent) <= bytes_of(table)
    assert narrowed(sent).equals(sent), "what is narrow already stays"


def test_a_frame_of_pandas_is_narrowed_as_well():
    frame = pd.DataFrame(
        {"word": ["prince", "and"] * 200, "seen": [1, 2] * 200}, index=range(7, 407)
    )
    sent = narrowed(frame)
    assert sent.column_names == ["word", "seen"]
    assert sent.to_pydict() == frame.to_dict("list")
    assert bytes_of(sent) < bytes_of(pa.Table.from_pandas(frame)) / 4


def test_fractions_that_are_whole_numbers_travel_as_such():
    table = pa.table(
        {
            "step": [0.0, None, 250.0],
            "half": [0.0, 0.5, 1.0],
            "none": [0.0, float("nan"), 1.0],
            "huge": [0.0, 1.0, 2.0**31],
        }
    )
    sent = narrowed(table)
    assert kinds(sent) == {"step": "int16", "half": "double", "none": "double", "huge": "double"}
    assert str(sent.to_pydict()["none"]) == str(table.to_pydict()["none"])
    assert sent.drop_columns("none").to_pydict() == table.drop_columns("none").to_pydict()


def test_a_number_that_is_missing_stays_so():
    frame = pd.DataFrame({"x": [0.5, np.nan] * 200})
    assert narrowed(frame)["x"].to_pylist() == [0.5, None] * 200
