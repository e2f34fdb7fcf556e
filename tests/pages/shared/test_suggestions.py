"""What pages suggest to try has its answer, which says why."""

import ast
import re
from types import SimpleNamespace

import pytest

from pages.shared import suggestions
from pages.shared.registry import LESSONS
from pages.shared.suggestions import Suggestion, suggestions_of, suggestions_on
from tests.conftest import ROOT

SAYS_WHY = re.compile(r"\b(because|since|so|therefore|hence|that is why)\b", re.IGNORECASE)
ENDS = re.compile(r"[.?!]['’”)*]*(?=\s+[A-Z0-9*`“(−-]|$)")
"""Where a sentence ends; a letter or number with a full stop inside is no end."""


def sentences(text):
    return len(ENDS.findall(text))


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_each_suggestion_has_an_answer_of_some_sentences_that_says_why(spec):
    found = [suggestion for part in suggestions_of(spec.address).values() for suggestion in part]
    assert found
    assert len({suggestion.text for suggestion in found}) == len(found)
    wanting = [answer for _, answer in found if not 2 <= sentences(answer) <= 4]
    assert wanting == []
    assert [answer for _, answer in found if not SAYS_WHY.search(answer)] == []


def calls(node, name):
    """Return the calls of what ends in a name."""
    every = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    return [call for call in every if ast.unparse(call.func).endswith(name)]


def reason_of(call):
    """Return what a call gives as its reason, as it is written, if anything."""
    given = {k.arg: ast.unparse(k.value) for k in call.keywords}.get("reason", "None")
    return "" if given in ("''", "None") else given


def judging(node):
    """Return the calls by which a guess is judged: not those of a page's own function of that name."""
    return [call for call in calls(node, ".judge") if call.keywords]


def judges(scope, ask, functions):
    """Yield where a question is judged: where it is asked, or in a function that is handed what became of it."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and node.value is ask:
            name = ast.unparse(node.targets[0])
    yield from judging(scope)
    for call in calls(scope, ""):
        if name in map(ast.unparse, call.args):
            named = re.findall(r"\w+", ast.unparse(call.func))
            yield from (one for f in functions if f.name in named for one in judging(f))


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_each_question_has_its_reason(spec):
    files = (ROOT / spec.path).parent.glob("*.py")
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    functions = [n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    for tree in trees:  # as scopes of their own
        tree.body = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    for scope in (*trees, *functions):
        assert all(reason_of(judge) for judge in judging(scope))
        for ask in calls(scope, "page.ask"):
            assert reason_of(ask) or list(judges(scope, ask, functions)), ast.unparse(ask.args[1])


def test_a_link_has_the_suggestions_of_the_part_that_it_opens():
    jacobian = suggestions_of("gradients")["Jacobian"]
    assert suggestions_on("gradients?radius=1.1&part=Jacobian") == jacobian
    assert suggestions_on("gradients?radius=1.1") == suggestions_of("gradients")["Depth"]
    assert suggestions_on("glossary?term=nat") == ()


def test_a_page_of_one_part_needs_no_table(tmp_path, monkeypatch):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "try_this.toml").write_text('"Move *σ*." = "It grows, because it may."')
    monkeypatch.setattr(suggestions, "_ROOT", tmp_path)
    monkeypatch.setattr(
        suggestions, "page_at", lambda address: SimpleNamespace(path="pages/page.py")
    )
    found = suggestions_of.__wrapped__("gradients")
    assert found == {"": (Suggestion("Move *σ*.", "It grows, because it may."),)}
