"""No table that is downloaded holds a formula, and none is written in another way."""

import ast
import csv
import io

import pandas as pd
import pytest

from pages.shared.csv_files import safe_csv
from tests.conftest import ROOT


def cells(text):
    return pd.read_csv(io.StringIO(safe_csv(pd.DataFrame({"cell": [text]}))), dtype=str)["cell"][0]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", " =1+1", "\u00a0=1", "\uff1d1", "\uff0b1", "\ufe631"],
)  # fmt: skip
def test_what_a_spreadsheet_would_compute_has_an_apostrophe_before_it(text):
    assert cells(text).startswith("'")


@pytest.mark.parametrize("text", ["Ada", "-3", "+4.5", "1e-9", "a=b", "x - y", "’t", "−3", "王"])
def test_what_is_plain_stays_as_it_is(text):
    assert cells(text) == text


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_no_other_separator_parts_a_cell(separator):
    hostile = f"a{separator}=cmd|' /C calc'!A0{separator}b"
    written = safe_csv(pd.DataFrame({"name": [hostile], "n": [1]}))
    rows = list(csv.reader(io.StringIO(written), delimiter=";" if separator != "|" else "|"))
    assert all(not cell.lstrip().startswith("=") for row in rows for cell in row)
    assert f'"{hostile}"' in written


def test_names_of_columns_are_cells_too():
    assert safe_csv(pd.DataFrame({"=1+1": [1]})).startswith('"\'=1+1"')


def test_numbers_missing_values_and_indices_are_written_as_before():
    frame = pd.DataFrame({"n": [1, 2], "x": [0.5, None], "b": [True, False]}, index=[7, 3])
    read = pd.read_csv(io.StringIO(safe_csv(frame)))
    pd.testing.assert_frame_equal(read, frame.reset_index(drop=True))


def test_no_page_writes_a_table_in_another_way():
    writers = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "pages").rglob("*.py"))
        if path.name != "csv_files.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "to_csv"
    ]
    assert writers == []
