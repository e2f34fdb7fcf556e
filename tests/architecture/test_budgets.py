"""Nothing grows beyond its ceiling: `budgets.toml` may only fall, `python -m tests.architecture.budgets` measures."""

import pytest

from tests.architecture import budgets
from tests.architecture.budgets import MOST_LINES, PARAMETERS, RESULTS, ROOMS

FOUND, CEILINGS = budgets.measured(), budgets.table()
BEYOND = (*MOST_LINES, RESULTS, PARAMETERS)
_REMEDY = "shorten it, or raise the number in budgets.toml and write the reason behind it"


@pytest.mark.parametrize("room", sorted(FOUND[ROOMS]))
def test_a_room_has_no_more_code_than_its_ceiling(room):
    assert room in CEILINGS[ROOMS], f"{room} is new: give it a ceiling and a line of reason"
    assert FOUND[ROOMS][room] <= CEILINGS[ROOMS][room], _REMEDY


@pytest.mark.parametrize("kind", BEYOND)
def test_what_is_beyond_its_budget_is_named_and_does_not_grow(kind):
    grown = {place: n for place, n in FOUND[kind].items() if n > CEILINGS[kind].get(place, 0)}
    assert grown == {}, _REMEDY


@pytest.mark.parametrize("kind", [ROOMS, *BEYOND])
def test_no_ceiling_is_for_what_is_gone_or_within_its_budget(kind):
    stale = set(CEILINGS[kind]) - set(FOUND[kind])
    assert stale == set(), "python -m tests.architecture.budgets --lower strikes it"


def test_lines_of_code_are_those_with_more_than_words_and_imports():
    source = '''"""A module.

Of three lines."""

import os
from math import (
    pi,
)

X = 1  # a comment behind code
"""What X is."""


def area(r):
    """Return it."""

    # a comment alone
    text = """two
    lines"""
    return os.sep, text, (
        pi * r,
        "words for people,"
        " on as many lines as they take",
        "a-name",
    )
'''
    assert budgets.code_lines(source) == 8


def test_parameters_are_counted_without_self():
    source = "class A:\n def f(self, a, /, b, *c, d=1, **e):\n  def g(x): pass\n @classmethod\n def h(cls): pass\n"
    assert dict(budgets.parameters(source)) == {"A.f": 3, "A.f.g": 1, "A.h": 0}


def test_ceilings_fall_and_never_rise():
    found = {"kind": {"fallen": 5, "risen": 9, "new": 3}}
    assert budgets.lowered(found, {"kind": {"fallen": 7, "risen": 8, "gone": 2}}) == {
        "kind": {"fallen": 5, "risen": 8}
    }


def test_the_table_is_lowered_and_reasons_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(budgets, "TABLE", tmp_path / "budgets.toml")
    budgets.TABLE.write_text(
        '# words\n["code lines by room"]\n"a" = 7  # for a reason\n"gone" = 2\n\n[part]\n"b" = 200\n'
    )
    monkeypatch.setattr(budgets, "measured", lambda: {ROOMS: {"a": 5}, "part": {"b": 300}})
    budgets.lower()
    assert budgets.TABLE.read_text() == (
        '# words\n["code lines by room"]\n"a" = 5  # for a reason\n\n[part]\n"b" = 200\n'
    )
