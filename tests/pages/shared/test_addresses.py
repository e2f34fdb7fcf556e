"""Links to the lab's pages, made in one way, lead there from everywhere."""

from urllib.parse import parse_qs, urlsplit

import pytest

from pages.shared.registry import PAGES
from pages.shared.ui import addresses
from pages.shared.ui.addresses import for_others, link_to, server_of
from tests.pages.visits import arrive

SERVERS = ("http://lab.example.org", "https://school.example.org:8443/lm", "http://192.0.2.7:8501")
ADDRESSES = [address for spec in PAGES for address in (spec.address, *spec.former)]
SHORT = "/?go="


def browser_at(monkeypatch, url):
    """Let this visit's browser say where it is."""
    monkeypatch.setattr(addresses.visit, "url", lambda: url)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("server", SERVERS)
def test_the_server_is_read_off_the_url_of_every_page(server, address):
    for ending in ("", "/", "?room=KRTP&query=a/b", "#top"):
        assert server_of(f"{server}/{address}{ending}") == server


def test_a_name_that_ends_with_another_page_s_is_among_them():
    assert any(a != b and b and a.endswith(b) for a in ADDRESSES for b in ADDRESSES)


@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.address or "home")
def test_the_links_that_a_page_shows_lead_to_pages_of_this_server(spec, monkeypatch, tmp_path):
    """The class's, the long and the short one, with every fold open."""
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    browser_at(monkeypatch, f"http://lab.example.org/{spec.address}")
    app = arrive(spec.path)
    assert not app.exception
    links = [code.value for code in app.code if code.value.startswith("http")]
    for link in links:
        parts = urlsplit(link)
        assert parts.netloc == "lab.example.org"
        assert parts.path.removeprefix("/") in ("", spec.address), link
    if app.get("popover") and any(SHORT in link for link in links):
        (long,) = [link for link in links if SHORT not in link]
        assert urlsplit(long).path == f"/{spec.address}"


def test_parameters_come_back_as_they_were_given():
    asked = {"text": "a & b = ü?", "kinds": ["x", "y"], "n": 3}
    read = parse_qs(urlsplit(link_to("join?code=KRTP", asked)).query)
    assert read == {"code": ["KRTP"], "text": ["a & b = ü?"], "kinds": ["x", "y"], "n": ["3"]}


def test_a_link_for_others_has_the_server_of_this_visit(monkeypatch):
    browser_at(monkeypatch, "http://lab.example.org/number-of-clusters?seed=1")
    assert for_others(link_to("join", {"code": "KRTP"})) == "http://lab.example.org/join?code=KRTP"
