"""What is written on the drawn pages: each part is visited once for all tests that read it."""

from functools import cache
from typing import NamedTuple

from pages.shared.glossary import terms_of
from pages.shared.registry import page_at
from pages.shared.suggestions import suggestions_of
from pages.shared.ui.terms import meanings
from tests.pages.visits import press, questions, visit

_CHOICES = ("part", "view", "shape", "ablation")
"""What a control is called that chooses what else a page draws."""


class Words(NamedTuple):
    """A paragraph, a help or a label."""

    text: str
    is_label: bool = False


@cache
def words_on(address: str) -> tuple[Words, ...]:
    """Return what a page says in each of its parts, before and after the answers are revealed.

    The meanings of its terms and the suggestions, whose answers are asked elsewhere, are left out.
    """
    suggested = {asked.text for some in suggestions_of(address).values() for asked in some}
    left_out = {meanings(terms_of(address)), page_at("glossary").help}
    found: dict[Words, None] = {}
    for part in _parts(address):
        app = visit(page_at(address).path, **part)
        found |= dict.fromkeys(_words_of(app))
        for question in questions(app):
            press(app, f"skip_{question}")
        found |= dict.fromkeys(_words_of(app))
    return tuple(
        words
        for words in found
        if words.text not in left_out
        and not {line.removeprefix("- ") for line in words.text.splitlines()} <= suggested
    )


def _parts(address):
    for group in visit(page_at(address).path).button_group:
        if group.key in _CHOICES:
            return [{group.key: part} for part in group.options]
    return [{}]


def _words_of(app):
    for element in app.main:
        if element.type in ("markdown", "caption", "info"):
            yield Words(element.value)
        if element.type == "page_link":  # its words are those of the page that it leads to
            continue
        yield Words(getattr(getattr(element, "proto", None), "help", ""))
        if element.type != "download_button":
            yield Words(getattr(element, "label", None) or "", is_label=True)
