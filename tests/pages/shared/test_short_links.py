"""Short links: kept, found again, bounded, and never more than a page's settings."""

import json

import pytest

from lm_core.errors import LimitError
from pages.shared.server.short_links import MOST_CHARACTERS, ShortLinks, Target
from pages.shared.ui import addresses
from pages.shared.ui.addresses import reachable

TARGET = Target("estimation", {"animals": ["20"], "shown": ["a", "b"]})


def test_a_target_is_found_under_the_same_letters_each_time(tmp_path):
    links = ShortLinks(tmp_path)
    name = links.shorten(TARGET)
    assert links.shorten(TARGET) == name
    assert ShortLinks(tmp_path).resolve(name) == TARGET
    assert links.shorten(TARGET._replace(parameters={})) != name


@pytest.mark.parametrize(
    "content",
    [b"", b"[", b'["nowhere", {}]', b'["estimation", {"animals": 20}]', b'["estimation"]', b"{}"],
)
def test_what_is_no_target_leads_nowhere(tmp_path, content):
    links = ShortLinks(tmp_path)
    name = links.shorten(TARGET)
    (tmp_path / name).write_bytes(content)
    assert links.resolve(name) is None


def test_a_name_never_leaves_the_folder(tmp_path):
    (tmp_path / "secret").write_text(json.dumps(TARGET))
    (tmp_path / "links").mkdir()
    assert ShortLinks(tmp_path / "links").resolve("../secret") is None


def test_settings_that_are_too_long_are_refused(tmp_path):
    with pytest.raises(LimitError, match="8,000"):
        ShortLinks(tmp_path).shorten(Target("estimation", {"text": ["x" * MOST_CHARACTERS]}))


def test_a_phone_is_given_an_address_that_it_can_reach(monkeypatch):
    monkeypatch.setattr(addresses, "own_address", lambda: "192.0.2.7")
    assert reachable("http://localhost:8501") == "http://192.0.2.7:8501"
    assert reachable("https://lab.example.org") == "https://lab.example.org"
