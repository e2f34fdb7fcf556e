"""The program's own source is read although other threads parse at the same moment."""

import ast

import pytest

from pages.shared import glossary
from pages.shared.own_source import read_source

MISMATCH = "AST constructor recursion depth mismatch (before=66, after=62)"


def failing(times, read):
    left = iter(range(times))

    def tried(*given):
        if next(left, None) is not None:
            raise SystemError(MISMATCH)
        return read(*given)

    return tried


def test_what_fails_because_another_thread_parses_is_tried_again(monkeypatch):
    expected = glossary.terms_of("gradients")
    glossary.terms_of.cache_clear()
    monkeypatch.setattr(ast, "parse", failing(3, ast.parse))
    assert glossary.terms_of("gradients") == expected


def test_what_fails_for_ever_is_not_swallowed():
    with pytest.raises(SystemError, match="recursion depth"):
        read_source(failing(1_000, str))
