"""What each page suggests to try, with the answers for those who teach: `try_this.toml` beside the page.

A table a part, in the order of the page; a page of one part may do without::

    [Jacobian]
    "Move the spectral radius to 1.1. What becomes of a gradient?" = "It grows with every step, because ..."
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import parse_qsl

from pages.shared.registry import page_at

_ROOT = Path(__file__).parents[2]


class Suggestion(NamedTuple):
    """Something to try, and what happens then and why; both in Markdown."""

    text: str
    answer: str


@cache
def suggestions_of(address: str) -> Mapping[str, tuple[Suggestion, ...]]:
    """Return the suggestions of a page by its parts, one part that needs no name included."""
    file = (_ROOT / page_at(address).path).with_name("try_this.toml")
    read = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    tables = read if all(isinstance(part, dict) for part in read.values()) else {"": read}
    found = {name: tuple(map(Suggestion, part, part.values())) for name, part in tables.items()}
    return MappingProxyType(found)


def suggestions_on(link: str) -> tuple[Suggestion, ...]:
    """Return the suggestions of what a link opens: the part that it names, or else the page's first."""
    address, _, query = link.partition("?")
    parts, named = suggestions_of(address), [value for _, value in parse_qsl(query)]
    return next((parts[name] for name in (*named, *parts) if name in parts), ())
