"""What explains says why: each longer note, lead, verdict, caption and help holds a reason.

They are read in the sources, where each branch can be seen, and on the drawn pages, as a visitor reads them.
"""

import ast
import re
from pathlib import Path

import pytest

from pages.shared.registry import LESSONS
from tests.pages.drawn_words import words_on

PAGES = Path(__file__).resolve().parents[2] / "pages"
NO_REASON = "far|many|much|few|little|small|large|long|often|high|low|called|great"
"""What *so* only measures, as in *the lowest so far*."""
REASON = re.compile(
    rf"\b(because|since|therefore|why|hence|thus|so(?! (?:{NO_REASON})\b))\b", re.IGNORECASE
)
TEXT = "any text"
LEAST_WORDS = {"note_beside": 15, "page_header": 15, "reason": 15, TEXT: 20}
"""Below this it is a label, by the function or the argument that it is given to, or wherever it stands."""
WITHOUT = {
    # A source is named, or what to write where, or what is kept.
    "Blog series, part II, and its notebook",
    "Their figure 3a aligns",
    "Published (blog series)",
    "A point's number and its new position",
    "Write the numbers of each centre",
    "Or bring vectors of your own",
    "One line for each point, as Excel",
    "Drop the `tokenizer.json`",
    "Your browser keeps a number",
    "For a computer that you share",
    "The same is true of what is trained on it",
    "The texts, files and answers that you left",
    "Every term of the lab in one to three sentences",
    "Of the notebook PositionalEmbeddings",
    "Leaving out runs of fragments",
    "Here: ",
    "On these",
    # What to do is told.
    "Drag a centre",
    "Tap the first and the last word of a span",
    "There is no connection to the server",
    "Closing ends class",
    "Several rooms were opened",
    # The marks of a picture are told, or what was written is listed.
    "● ■ ▲ a cluster",
    "□ what a criterion picks",
    "The ellipses are one and two",
    "Each row is a unit",
    "Filled: the word itself",
    "The sentence is above",
    "The first 24 of 200 words",
    "Size by the formula",
    "The stronger a character's colour",
    "**The number gives",
}
"""How texts begin that explain nothing."""
SAMPLES = {"EXAMPLE", "EXAMPLES", "LETTER", "PASSAGES", "PICTURED", "SENTENCES", "SPOKEN", "TEXT"}
"""What constants are called that hold what models read, or what is in a picture."""
MARKUP = {"DRESSED", "FULL", "STYLE"}  # what those are called that a browser reads
MADE = re.compile(r" · |\d{4}-\d\d-\d\d|\bdate\b|^Trained on|million characters: about")
"""In a text that tells how something was trained or measured."""
NO_PROSE = re.compile(r"[|<]|\*\*[^*]*\*\*$")
"""How a table begins, what is drawn, and the line above a picture."""
APART = re.compile(r"`[^`]*`|\$[^$]*\$|\\begin\{.*\}", re.DOTALL)  # what in a text is no prose


def words_of(node):
    """Return the words of a text in a source, as far as they are written there."""
    match node:
        case ast.Constant(value=str(words)):
            return words
        case ast.FormattedValue(value=value):
            return words_of(value)
        case _:
            return " ".join(filter(None, map(words_of, ast.iter_child_nodes(node))))


def explanations_of(source):
    """Yield what a source says in notes, leads and verdicts, each with what it is given to.

    A verdict may take its reason from a name or a call, by what has come out: that is not read. Then any other
    text follows, whatever holds it.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in LEAST_WORDS and len(node.args) > 1:
            yield name, node.args[1]
        for given in node.keywords:
            if given.arg in LEAST_WORDS and not takes_more(given.value):
                yield given.arg, given.value
    for node in texts_of(tree):
        if not takes_more(node):
            yield TEXT, node


def texts_of(node):
    """Yield each whole text below a node, without docstrings, samples and messages of errors."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            yield node
        case ast.Expr(value=ast.Constant()) | ast.Raise():
            return
        case ast.Call(func=func) if ast.unparse(func).endswith("Error"):
            return
        case ast.Assign(targets=[ast.Name(id=name)]) if name.strip("_") in SAMPLES | MARKUP:
            return
        case _:
            for child in ast.iter_child_nodes(node):
                yield from texts_of(child)


def takes_more(node):
    """Say whether a text is joined with what a call or a name brings, or holds what is called `why`."""
    return any(
        (isinstance(part, ast.BinOp) and not isinstance(part.right, ast.Constant | ast.JoinedStr))
        or (isinstance(part, ast.Name) and part.id in ("why", "reason", "_verdict"))
        for part in ast.walk(node)
    )


def lacks_a_reason(words, least):
    """Say whether a text is long enough to explain something, and does not say why."""
    prose = re.findall(r"[^\W\d_]+", APART.sub(" ", words))
    return (
        len(words.split()) >= least
        and (least < LEAST_WORDS[TEXT] or len(prose) >= least)
        and not (least == LEAST_WORDS[TEXT] and re.match("[a-z;,]", words))  # a message, or a piece
        and not REASON.search(words)
        and not words.startswith(tuple(WITHOUT))
        and not MADE.search(words)
        and not words.rstrip().endswith(("?", "..."))
    )


def without_a_reason(source):
    return [
        words
        for kind, node in explanations_of(source)
        if lacks_a_reason(words := words_of(node).strip(), LEAST_WORDS[kind])
    ]


@pytest.mark.parametrize(
    "path",
    sorted(PAGES.glob("**/*.py")),
    ids=lambda path: str(path.relative_to(PAGES).with_suffix("")),
)
def test_what_explains_says_why(path):
    assert without_a_reason(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_what_a_page_explains_says_why(spec):
    """But for tables and the line above a picture."""
    said = [words.text for words in words_on(spec.address) if not words.is_label]
    least = LEAST_WORDS[TEXT]
    assert not [t for t in said if not NO_PROSE.match(t) and lacks_a_reason(t, least)]


CLAIM = "The loss falls with the size of the model and of the text that it has read in training"


@pytest.mark.parametrize(
    "call",
    [
        'note_beside(screen, "{}.")',
        'page_header("ladder", "{}.")',
        'page.ask(screen, "which", reason="{}.")',
        'st.slider("Size", help="{} of all.")',
        'st.caption(f"{} of all.")',
        'said = "{} of all."',
    ],
)
def test_an_explanation_without_a_reason_is_found(call):
    assert len(set(without_a_reason(call.format(CLAIM)))) == 1
    assert len(set(without_a_reason(call.format(f"{CLAIM}, the lowest so far")))) == 1
    assert without_a_reason(call.format(f"{CLAIM}, because it sees more")) == []
