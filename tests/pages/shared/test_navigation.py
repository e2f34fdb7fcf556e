"""The menu is the registry's, and every former address still arrives."""

from types import SimpleNamespace

from pages.shared import navigation, registry
from pages.shared.registry import PAGES as ALL_PAGES
from pages.shared.registry import page_at
from tests.pages.visits import visit

PAGES = ALL_PAGES[:-1]  # another menu than the one that runs of pages have made already


def test_every_page_and_every_former_address_is_in_the_menu(monkeypatch):
    monkeypatch.setattr(registry, "PAGES", PAGES)
    monkeypatch.setattr(
        navigation.st,
        "Page",
        lambda page, visibility="visible", **values: SimpleNamespace(
            visibility=visibility, **values
        ),
    )
    pages = [page for of_chapter in navigation.menu().values() for page in of_chapter]
    shown = [page.url_path for page in pages if page.visibility == "visible"]
    hidden = [page.url_path for page in pages if page.visibility == "hidden"]
    assert shown == [spec.address for spec in PAGES]
    assert hidden == [address for spec in PAGES for address in spec.former]


def test_a_card_of_the_home_page_links_as_its_path_would():
    links = [link.proto for link in visit(page_at("").path).get("page_link")]
    card = next(link for link in links if link.label == "**Perceptron**")
    spec = page_at("perceptron")
    assert (card.page, card.icon, card.help) == (spec.address, "", spec.help)
