"""One record for the results of every experiment: what is saved is read back, or refused in words."""

import json

import pytest

from lm_core.errors import ResultError
from lm_core.experiments.results import SCHEMA, Results, provenance


def results(**data):
    return Results("counting", provenance(device="CPU", seconds=1.23, rate=0.1), data)


def test_what_is_saved_is_read_back(tmp_path):
    saved = results(rows=[[1, 0.5], [2, None]], by_name={"é": {"loss": 1.0}}, empty=[], one=3)
    saved.save(tmp_path / "x.json")
    assert Results.load(tmp_path / "x.json", "counting") == saved


def test_a_row_takes_a_line_so_that_versions_compare(tmp_path):
    results(rows=[[1, 2], [3, 4]]).save(tmp_path / "x.json")
    lines = (tmp_path / "x.json").read_text().splitlines()
    assert "   [1,2]," in lines
    assert "   [3,4]" in lines


def test_the_provenance_tells_when_and_by_what():
    told = provenance(device="CPU", seconds=1.26, rate=0.1)
    assert (told["device"], told["seconds"], told["rate"]) == ("CPU", 1.3, 0.1)
    assert {"date", "versions"} <= set(told)


def test_a_number_altered_by_hand_is_refused(tmp_path):
    path = tmp_path / "x.json"
    results(rows=[[1, 0.5]]).save(path)
    path.write_text(path.read_text().replace("0.5", "0.6"))
    with pytest.raises(ResultError, match="altered"):
        Results.load(path, "counting")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is missing: python -m lm_core experiment counting"),
        ("{", "must be JSON"),
        ("[]", "must have schema"),
        (json.dumps({"schema": SCHEMA, "experiment": "other"}), "experiment 'counting'"),
        (json.dumps({"schema": SCHEMA, "experiment": "counting"}), "provenance and data"),
    ],
)
def test_what_is_no_result_is_refused(tmp_path, content, message):
    if content is not None:
        (tmp_path / "x.json").write_text(content)
    with pytest.raises(ResultError, match=message):
        Results.load(tmp_path / "x.json", "counting")
