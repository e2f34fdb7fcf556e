"""What the lab's terms mean: one record a term, and which of them a page uses."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

from pages.shared.own_source import read_source
from pages.shared.registry import PageSpec, page_at
from pages.shared.suggestions import suggestions_of
from pages.shared.ten_minutes import teaching_steps

_PAGES = Path(__file__).parents[2]
_LISTS = ("also", "only", "drawn")


@dataclass(frozen=True)
class Term:
    """A term with its meaning."""

    name: str
    means: str  # in one to three sentences, with the unit or the formula
    link: str  # to the page and the part that show it best, below the server's address
    also: tuple[str, ...] = ()  # other forms, plurals included
    only: tuple[str, ...] = ()  # chapters to which the word has this meaning; empty: all of them
    drawn: tuple[str, ...] = ()  # pages on which only shared controls or titles name it

    @property
    def page(self) -> PageSpec:
        """The page that shows it best."""
        return page_at(self.link.partition("?")[0])

    @property
    def forms(self) -> tuple[str, ...]:
        """Everything by which a page may call it."""
        return (self.name, *self.also)


@cache
def terms() -> tuple[Term, ...]:
    """Return all terms in the order of the alphabet."""
    read = tomllib.loads(files(__package__).joinpath("terms.toml").read_text(encoding="utf-8"))
    found = (
        Term(name, r["means"], r["link"], *(tuple(r.get(field, ())) for field in _LISTS))
        for name, r in read.items()
    )
    return tuple(sorted(found, key=lambda term: term.name.casefold()))


def terms_in(text: str, chapter: str) -> tuple[Term, ...]:
    """Return the terms that a text of a page of a chapter uses, the longer one where two overlap.

    Capitals of an abbreviation have to be there (*EM* is no *em*), those of other terms need not.
    """
    by_form = {form: term for term in terms() for form in term.forms}
    used = {
        by_form.get(match.group()) or by_form.get(match.group().lower())
        for match in _any_form().finditer(text)
    }
    return tuple(term for term in terms() if term in used and chapter in (term.only or (chapter,)))


@cache
def terms_of(address: str) -> tuple[Term, ...]:
    """Return the terms of a page: those by which it is found, those in its sentences, and those drawn on it."""
    spec = page_at(address)
    folder = (_PAGES.parent / spec.path).parent
    written = "\n".join(
        [*_sentences(folder), *_suggested(address), spec.title, spec.help, *spec.words]
    )
    named = terms_in(written, spec.chapter)
    return tuple(term for term in terms() if term in named or address in term.drawn)


@cache
def _any_form() -> re.Pattern[str]:
    forms = sorted((form for term in terms() for form in term.forms), key=len, reverse=True)
    spelled = "|".join(
        f"(?i:{re.escape(form)})" if form.islower() else re.escape(form) for form in forms
    )
    return re.compile(rf"(?<![\w-])(?:{spelled})(?![\w-])")


def _sentences(folder: Path) -> Iterator[str]:
    """Yield what the code of a page may write on screen: strings of several words, docstrings apart."""
    for path in sorted(folder.glob("*.py")):
        tree = read_source(partial(ast.parse, path.read_text(encoding="utf-8")))
        documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in documentation:
                continue
            if isinstance(node.value, str) and " " in node.value:
                yield node.value


def _suggested(address: str) -> Iterator[str]:
    """Yield what a page suggests to try, the answers, and how it is taught."""
    for part in suggestions_of(address).values():
        for suggestion in part:
            yield from suggestion
    for step in teaching_steps(address):
        yield from step
