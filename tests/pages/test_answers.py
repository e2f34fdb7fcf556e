"""Each figure of an answer for teachers is computed by a test of its page, or says why none can.

A page's `test_answers.py` names the suggestion by the beginning of its text. Where no test of reasonable
time can give a figure, it is named there too, in `NOT_COMPUTED`, with the reason.
"""

import ast

import pytest

from pages.shared.registry import LESSONS
from pages.shared.suggestions import suggestions_of
from tests.conftest import ROOT
from tests.pages.answering import assert_says, figures_of


def beginnings(spec):
    """Return the texts of a page's tests of answers, which name its suggestions."""
    file = ROOT / "tests" / (ROOT / spec.path).parent.relative_to(ROOT) / "test_answers.py"
    tree = ast.parse(file.read_text(encoding="utf-8") if file.exists() else "")
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return tuple(value for value in values if isinstance(value, str) and len(value) > 4)


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_each_figure_of_an_answer_is_held_by_a_test(spec):
    named = beginnings(spec)
    every = [found for part in suggestions_of(spec.address).values() for found in part]
    free = [asked.text for asked in every if figures_of(asked) and not asked.text.startswith(named)]
    assert not free, free


def test_a_figure_stands_in_an_answer_only_as_a_whole():
    jacobian = "Move the spectral radius"
    assert_says("gradients", jacobian, "24 steps", "1.1")
    for part in ("4 steps", "24 step", "1", "25 steps"):
        with pytest.raises(AssertionError, match=part):
            assert_says("gradients", jacobian, part)
