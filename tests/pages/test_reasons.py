"""What stands beside a picture says why: each longer note holds a reason."""

import ast
import re
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[2] / "pages"
REASON = re.compile(r"\b(because|so|since|therefore|why|hence|thus)\b", re.IGNORECASE)
LEAST_WORDS = 15
"""Below this a note is a label."""


def words_of(node):
    """Return the words of a text in a source, as far as they are written there."""
    return " ".join(
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def notes_of(source):
    """Yield the texts that a source gives to `note_beside`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("note_beside"):
            yield words_of(node.args[1])


def without_a_reason(source):
    return [
        note
        for note in notes_of(source)
        if len(note.split()) >= LEAST_WORDS and not REASON.search(note)
    ]


@pytest.mark.parametrize(
    "path", sorted(PAGES.glob("*/*.py")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_a_note_beside_a_picture_says_why(path):
    assert without_a_reason(path.read_text(encoding="utf-8")) == []


def test_a_note_without_a_reason_is_found():
    claim = "The loss falls with the size of the model and of the text that it has read in training"
    assert without_a_reason(f'note_beside(screen, "{claim}.")') == [f"{claim}."]
    assert without_a_reason(f'page.note_beside(screen, "{claim}, because it sees more.")') == []
