"""A visitor's own documents: asked for, read, kept for the visit, and forgotten."""

from collections.abc import Sequence
from typing import Any

from lm_core.experiments.n_grams.documents import (
    MOST_CHARACTERS,
    MOST_DOCUMENTS,
    Document,
    Documents,
)
from lm_core.text.file_limits import LIMITS
from pages.shared.ui.own_texts import Handed, OwnTexts


def _counted(handed: Sequence[Handed]) -> dict[str, Any]:
    """Return documents, if they can be counted, and what was noted about them."""
    documents, notes = [], []
    for text in handed:
        documents.append(Document(text.name, text.own.text))
        changes = [f"In {text.name} {change}." for change in text.own.changes]
        notes += [*text.read_as(text.name), *changes, *text.own.doubts]
    Documents.read(documents, of_words=False)
    return {"documents": list(map(list, documents)), "notes": notes}


OWN_DOCUMENTS = OwnTexts(
    key="documents",
    kept="n-grams.documents",
    title="Your own documents",
    about=f"1 to {MOST_DOCUMENTS} texts or lists of names in any alphabet, {MOST_CHARACTERS:,}"
    " characters in all.",
    files="Text files",
    paste="or paste a text",
    use="Count them",
    most_bytes=LIMITS.document,
    understood=_counted,
    nothing={"documents": [], "notes": []},
    together="Your documents",
)
