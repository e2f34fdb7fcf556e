"""N-grams of a visitor's own documents: a text is continued, and each token says from which document it is."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.n_grams.documents import (
    Continuation,
    Document,
    Documents,
    beginning_as_read,
    spaced,
    split,
    what_was_read,
)
from lm_core.rng import generator
from pages.n_grams.documents_kept import OWN_DOCUMENTS
from pages.shared import page
from pages.shared.components import texts
from pages.shared.numbers import percent

_WORDS, _CHARACTERS = "words", "characters"
_ROLES = (texts.FIRST, texts.SECOND, texts.ON, texts.AGAINST, texts.SUPPORTED, texts.SURPRISING)
_STRENGTH = 60
_LENGTH = {_WORDS: 80, _CHARACTERS: 300}
_LONGEST_BEGINNING = 60
_EXAMPLE = (
    Document(
        "weather",
        "The morning will be cold and clear. In the afternoon the wind will turn to the west, and clouds"
        " will come in from the sea. In the evening it will rain in the mountains. The night will be cold"
        " and clear in the east, and it will rain in the west.",
    ),
    Document(
        "recipe",
        "Cut the bread and put it in the pan. In the meantime the soup will be hot. Put the cheese on the"
        " bread, and the pan in the oven. In the end the cheese will be brown. Put the bread in the soup,"
        " and it will be soft in the middle and brown on top.",
    ),
)
"""Ours, until a visitor brings documents."""


class Chosen(NamedTuple):
    """How documents are counted and continued."""

    unit: str
    n: int
    seed: int


def _choose() -> Chosen:
    """Draw what is counted, how long the n-grams are, and the seed of the draws."""
    units = (_WORDS, _CHARACTERS)
    unit = page.segments("document_unit", "Count", units, _WORDS)
    n = page.slider("document_n", f"n: {unit} together", 1, 8, 3, width=200)
    seed = page.number("document_seed", "Seed", 0, 9_999, 1, width=120)
    return Chosen(str(unit), int(n), int(seed))


def own_documents(screen: page.FirstScreen) -> None:
    """Draw a text that continues the visitor's beginning by the n-grams of their documents."""
    with screen.controls:
        chosen = _choose()
    with screen.picture:
        kept = _documents()
        documents = _counted(kept or _EXAMPLE, chosen.unit)
        beginning = _choose_beginning(chosen.unit)
        page.show_what_was_changed(beginning_as_read(documents, beginning), "beginning")
        steps = _continued(documents, beginning, chosen)
        st.markdown(f"**{_finding(steps, chosen.unit)}**")
        _draw(documents, beginning, steps, chosen.unit)
        if kept:
            page.show_what_was_read(
                what_was_read(documents, OWN_DOCUMENTS.state()["notes"]), "documents"
            )
    with screen.beside:
        OWN_DOCUMENTS.ask(has_own=bool(kept))
    page.note_beside(screen, _explained(steps, chosen))


def _documents() -> tuple[Document, ...]:
    return tuple(Document(name, text) for name, text in OWN_DOCUMENTS.state()["documents"])


def _counted(documents: Sequence[Document], unit: str) -> Documents:
    """Return documents as tokens; what cannot be counted so is said, and ours stand in."""
    try:
        with page.page_turns.lent():
            return Documents.read(documents, of_words=unit == _WORDS)
    except LMCoreError as error:
        page.show_error(error, icon=":material/text_fields:")
        return Documents.read(_EXAMPLE, of_words=unit == _WORDS)


def _choose_beginning(unit: str) -> str:
    typed = page.text(
        "document_beginning",
        "Begin with",
        "In the",
        max_chars=_LONGEST_BEGINNING,
        in_link=False,
        placeholder=f"some {unit} of the documents, or nothing",
    )
    page.say_limits({"document_beginning": _LONGEST_BEGINNING})
    return str(typed)[:_LONGEST_BEGINNING]


def _continued(documents: Documents, beginning: str, chosen: Chosen) -> list[Continuation]:
    with page.page_turns.lent():
        drawn = documents.continued(
            beginning, chosen.n, _LENGTH[chosen.unit], generator(chosen.seed)
        )
        return list(drawn)


# Words and picture ----------------------------------------------------------------------------


def _draw(documents: Documents, beginning: str, steps: Sequence[Continuation], unit: str) -> None:
    of_words = unit == _WORDS
    symbols = [*split(beginning, of_words=of_words), *(step.symbol for step in steps)]
    pieces = spaced(symbols) if of_words else symbols
    tints = [texts.PLAIN] * (len(symbols) - len(steps)) + [_tint(step, documents) for step in steps]
    texts.tinted_text(
        pieces,
        tints,
        key="documents_text",
        legend=[(_ROLES[i], name) for i, name in enumerate(documents.names)],
        unit=unit.removesuffix("s"),
        label="A text continued from the documents",
        click_hint="A tint marks an n-gram that one document alone holds. Point at it to see its length.",
    )


def _tint(step: Continuation, documents: Documents) -> texts.Tint:
    """Return the colour of the only document that holds an n-gram; none where several do."""
    where = ", ".join(documents.names[i] for i in step.documents)
    others = "nothing else came there" if step.n_choices == 1 else f"{step.n_choices} came there"
    reading = f"“{step.symbol.strip()}” ends an n-gram of {step.n} in {where}; {others}"
    if len(step.documents) > 1:
        return texts.Tint((), 0, reading)
    return texts.Tint((_ROLES[step.documents[0]],), _STRENGTH, reading)


def _finding(steps: Sequence[Continuation], unit: str) -> str:
    forced = sum(step.n_choices == 1 for step in steps) / len(steps)
    return f"In {percent(forced)} of the steps only one of the {unit} ever came next"


def _explained(steps: Sequence[Continuation], chosen: Chosen) -> str:
    alone = sum(len(step.documents) == 1 for step in steps) / len(steps)
    shorter = sum(step.n < chosen.n for step in steps) / len(steps)
    kind = chosen.unit.removesuffix("s")
    return (
        f"Each {kind} is drawn from all that came after the last {chosen.n - 1} {chosen.unit} in the documents,"
        f" as often as it came. {percent(alone)} of these n-grams are in one document alone, whose colour"
        " they have. The longer the n-grams, the smaller is the share of them that occurs twice. So the text"
        f" copies more, and probably sounds better for that. In {percent(shorter)} of the steps a shorter context was"
        " taken, because nothing came after the whole one in the documents, or the text was not yet as long."
    )
