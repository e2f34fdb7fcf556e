"""What explains says why: each longer note, lead, verdict and help holds a reason."""

import ast
import re
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[2] / "pages"
NO_REASON = "far|many|much|few|little|small|large|long|often|high|low|called|great"
"""What *so* only measures, as in *the lowest so far*."""
REASON = re.compile(
    rf"\b(because|since|therefore|why|hence|thus|so(?! (?:{NO_REASON})\b))\b", re.IGNORECASE
)
LEAST_WORDS = {"note_beside": 15, "page_header": 15, "reason": 15, "help": 25}
"""Below this it is a label, by the function or the argument that it is given to."""
SOURCES = {
    "Blog series, part II, and its notebook",
    "A point's number and its new position",
    "Write the numbers of each centre",
    "Your browser keeps a number",
    "For a computer that you share",
}
"""How helps begin that name a source, say what is written where, or what is kept."""


def words_of(node):
    """Return the words of a text in a source, as far as they are written there."""
    return " ".join(
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def explanations_of(source):
    """Yield what a source says in notes, leads, verdicts and helps, each with what it is given to.

    A verdict may take its reason from a name or a call, by what has come out: that is not read.
    """
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in LEAST_WORDS and len(node.args) > 1:
            yield name, node.args[1]
        for given in node.keywords:
            if given.arg in LEAST_WORDS and not takes_more(given.value):
                yield given.arg, given.value


def takes_more(node):
    """Say whether a text is joined with what a call or a name brings, or holds what is called `why`."""
    return any(
        (isinstance(part, ast.BinOp) and not isinstance(part.right, ast.Constant | ast.JoinedStr))
        or (isinstance(part, ast.Name) and part.id == "why")
        for part in ast.walk(node)
    )


def without_a_reason(source):
    return [
        words
        for kind, node in explanations_of(source)
        if len((words := words_of(node)).split()) >= LEAST_WORDS[kind]
        and not REASON.search(words)
        and not words.startswith(tuple(SOURCES))
    ]


@pytest.mark.parametrize(
    "path",
    sorted(PAGES.glob("**/*.py")),
    ids=lambda path: str(path.relative_to(PAGES).with_suffix("")),
)
def test_what_explains_says_why(path):
    assert without_a_reason(path.read_text(encoding="utf-8")) == []


CLAIM = "The loss falls with the size of the model and of the text that it has read in training"


@pytest.mark.parametrize(
    "call",
    [
        'note_beside(screen, "{}.")',
        'page_header("ladder", "{}.")',
        'page.ask(screen, "which", reason="{}.")',
        'st.slider("Size", help="{} of the one that is chosen here, and of each of the others.")',
    ],
)
def test_an_explanation_without_a_reason_is_found(call):
    assert len(without_a_reason(call.format(CLAIM))) == 1
    assert len(without_a_reason(call.format(f"{CLAIM}, the lowest so far"))) == 1
    assert without_a_reason(call.format(f"{CLAIM}, because it sees more")) == []
