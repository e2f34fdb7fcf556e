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


def calls(spec, name):
    """Return the calls of a function in the modules of a page, by its last name."""
    folder = (ROOT / spec.path).parent
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in folder.glob("*.py")]
    found = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [node for node in found if ast.unparse(node.func).rpartition(".")[2] == name]


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_each_question_has_its_reason(spec):
    asked = [call for call in calls(spec, "ask") if ast.unparse(call.func) == "page.ask"]
    given = [
        {k.arg: ast.unparse(k.value) for k in c.keywords} for c in [*asked, *calls(spec, "judge")]
    ]
    assert all(one.get("reason") not in ("''", "None") for one in given)
    assert len(asked) <= sum("reason" in one for one in given)


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
