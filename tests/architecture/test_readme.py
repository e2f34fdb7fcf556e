"""The README is short, and its table of pages is the registry's."""

import re
from pathlib import Path

from pages.shared.registry import PAGES

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_table_of_pages_is_the_registry():
    rows = re.findall(r"^\| (.+?) \| `/(.*?)` \| (.+?) \|$", README, flags=re.MULTILINE)
    assert rows == [(spec.title, spec.address, spec.help) for spec in PAGES[1:]]


def test_it_can_be_read_in_one_sitting():
    assert README.count("\n") <= 250
