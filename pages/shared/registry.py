"""The pages of the lab, in the order in which they are taught, as `registry.toml` lists them."""

import tomllib
from collections.abc import Collection
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

HOME = "pages/home/page.py"


class FormerOpening(NamedTuple):
    """What a page opened on before it opened on another part, which links without a part still mean."""

    choice: str  # the control that chooses the part
    part: str
    # names of controls, today's and former, that it has and the part which opens now has not: by
    # them a link is told that means it
    settings: tuple[str, ...]

    def is_meant(self, asked: Collection[str]) -> bool:
        """Return whether a link with these names means it."""
        return self.choice not in asked and not set(self.settings).isdisjoint(asked)


class PageSpec(NamedTuple):
    """One page."""

    chapter: str  # heading under which the menu lists it
    # Its URL below the server's, unique, without a slash; the home page's is empty. Its folder in
    # `pages`, its experiment and its results carry the same name.
    address: str
    term: str  # the field's word for what it shows
    question: str  # what it answers, in plain words
    icon: str  # ``:material/name:``
    help: str  # what a visitor can do there, in fewer than 200 characters
    minutes: int = 0  # that a class spends there, about
    words: tuple[str, ...] = ()  # terms that it explains, by which it is found
    former: tuple[str, ...] = ()  # addresses that it had before; links to them still arrive
    # names that controls had before in its links, and today's
    renamed: tuple[tuple[str, str], ...] = ()
    # tuple of three str: the same for one part alone: the part as links name it (empty where they
    # need not), before, today
    renamed_in_part: tuple[tuple[str, str, str], ...] = ()
    # which part links meant that name none, if it is not the one that opens today
    opened_on: FormerOpening | None = None

    @property
    def path(self) -> str:
        """Its file, from the project's root."""
        return f"pages/{self.address.replace('-', '_')}/page.py" if self.address else HOME

    @property
    def title(self) -> str:
        """Term and question, as the menu and the page's heading have them."""
        return f"{self.term}: {self.question}" if self.question else self.term


def chapters(pages: tuple[PageSpec, ...]) -> dict[str, list[PageSpec]]:
    """Return the pages by chapter; both keep their order."""
    return {name: list(specs) for name, specs in groupby(pages, key=lambda spec: spec.chapter)}


ROUTES = {
    20: ("tokenization", "embeddings", "attention", "war-and-peace"),
    45: (
        "clustering",
        "tokenization",
        "embeddings",
        "rnn-vs-lstm",
        "attention",
        "ablations",
        "war-and-peace",
    ),
}
"""Ways through the lab by their minutes: addresses of pages."""


def page_at(address: str) -> PageSpec:
    """Return the page of an address; KeyError if there is none."""
    return {spec.address: spec for spec in PAGES}[address]


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _read() -> tuple[PageSpec, ...]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    rows = [{name: _frozen(v) for name, v in row.items()} for row in tomllib.loads(text)["page"]]
    for row in rows:
        if opened_on := row.get("opened_on"):
            frozen = {name: _frozen(v) for name, v in opened_on.items()}
            row["opened_on"] = FormerOpening(**frozen)
    return tuple(PageSpec(**row) for row in rows)


PAGES = _read()

LESSONS = tuple(spec for spec in PAGES if spec.minutes)
"""The pages that teach something: all but the home page and what it leads to beside them."""
