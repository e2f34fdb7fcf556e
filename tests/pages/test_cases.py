"""What people bring is read, or refused in words; the cases and the table of all of them are in `tests.cases`."""

import ast
import re
from pathlib import Path

import pytest

from tests.cases.cases import CASES
from tests.cases.readers import READERS, outcome
from tests.conftest import ROOT

THEIRS = Path(ROOT).parent / "shared" / "cases"
_NOT_READ = (
    "t23-",
    "x08-",
    "x09-",
    "x10-",
    "k03-",
    "k04-",
    "k06-",
    "l05-",
    "l07-",
    "l09-",
    "l11-",
    "l12-",
)
"""With what the names of the files begin that are refused."""
_NOISE = re.compile(r"Error|Traceback|Tensor|state_dict|\bNone\b|\\u|\b0x[0-9a-f]{6}")
"""Words of Python and of PyTorch, and where an object lies in memory."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.name}")
def test_a_case_is_read_or_refused_in_these_words(case):
    found = outcome(case.kind, case.brought)
    assert found.is_read == case.is_read, found.words
    assert case.said in found.words
    assert not _NOISE.search(found.words), found.words


def test_no_place_for_files_turns_one_away_by_its_name():
    """A browser's own words would not say what the file is, and what to do."""
    calls = [
        call
        for path in (ROOT / "pages").rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "st.file_uploader"
    ]
    assert len(calls) >= 5
    for call in calls:
        assert len(call.args) == 1, ast.unparse(call)
        assert "type" not in {keyword.arg for keyword in call.keywords}


def test_there_are_cases_of_every_kind_that_are_read_and_that_are_refused():
    for kind in READERS:
        assert {case.is_read for case in CASES if case.kind == kind} == {True, False}


def brought():
    """Return the files that others have brought, where they lie beside this checkout."""
    folders = [THEIRS / kind for kind in READERS if (THEIRS / kind).is_dir()]
    return [path for folder in folders for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("path", brought(), ids=lambda path: path.name)
def test_a_file_that_people_brought_is_read_or_refused_in_words(path):
    found = outcome(path.parent.name, path.read_bytes())
    assert found.is_read != path.name.startswith(_NOT_READ), found.words
    assert not _NOISE.search(found.words), found.words
