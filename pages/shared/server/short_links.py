"""Short links: a page's settings kept on this server under a few letters."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from lm_core.errors import LimitError
from lm_core.jobs.run_folder import home
from pages.shared.allowances import Allowances
from pages.shared.registry import PAGES
from pages.shared.server.kept_files import MONTH_S, KeptFiles

PARAMETER = "go"
"""Of the home page's address."""
MOST_CHARACTERS, MOST_LINKS = 8_000, 20_000

LINKS_OF_VISITOR, LINKS_OF_ADDRESS = Allowances(200, MONTH_S), Allowances(4_000, MONTH_S)
"""A class behind one router has one address."""


class Target(NamedTuple):
    """Where a short link leads: a page and what its link asks for."""

    address: str
    parameters: dict[str, list[str]]


_TARGET = TypeAdapter(Target)


class ShortLinks:
    """The short links of a server, one small file each; unopened ones make room for new ones.

    `most`: int, links that are kept.
    """

    def __init__(self, folder: Path, most: int = MOST_LINKS) -> None:
        self._files = KeptFiles(folder, most, "short links")

    def shorten(self, target: Target, owners: Mapping[str, Allowances] | None = None) -> str:
        """Return the letters that stand for a target; the same ones for the same target.

        Raises LimitError if the settings are too long to be kept, or no more links are kept now.

        `owners`: mapping of str to Allowances, who asks, as for `KeptFiles.keep`.
        """
        content = json.dumps(target, sort_keys=True).encode()
        if len(content) > MOST_CHARACTERS:
            raise LimitError(
                f"a short link keeps at most {MOST_CHARACTERS:,} characters of settings, these are"
                f" {len(content):,}: shorten the texts, or use the long link"
            )
        return self._files.keep(content, owners)

    def resolve(self, name: str) -> Target | None:
        """Return where a short link leads; None where it is not known."""
        try:
            target = _TARGET.validate_json(self._files.read(name) or b"")
        except ValueError:
            return None
        return target if any(spec.address == target.address for spec in PAGES) else None


def short_links() -> ShortLinks:
    """Return this server's."""
    return ShortLinks(home() / "links")
