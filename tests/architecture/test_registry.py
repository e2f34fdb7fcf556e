"""The list of pages is sound, and complete."""

from pathlib import Path

import pytest

from pages.shared.registry import PAGES, PageSpec, chapters

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.title)
def test_each_page_is_described(spec):
    assert (ROOT / spec.path).is_file()
    assert spec.icon.startswith(":material/")
    assert "/" not in spec.address
    assert 0 < len(spec.help) < 200
    assert (ROOT / spec.path).read_text(encoding="utf-8").startswith('"""')


@pytest.mark.parametrize("field", ["path", "title", "address"])
def test_no_two_pages_share(field):
    values = [getattr(spec, field) for spec in PAGES]
    assert len(set(values)) == len(values)


def test_the_home_page_comes_first_and_alone_has_no_address():
    assert [spec.address == "" for spec in PAGES] == [True] + [False] * (len(PAGES) - 1)


def test_every_folder_of_a_page_is_registered():
    files = {p.relative_to(ROOT).as_posix() for p in ROOT.glob("pages/*/page.py")}
    assert files == {spec.path for spec in PAGES}


def test_no_former_address_is_one_of_today():
    former = [address for spec in PAGES for address in spec.former]
    assert len(set(former)) == len(former)
    assert not set(former) & {spec.address for spec in PAGES}


def test_chapters_keep_the_order_and_lose_no_page():
    a, b, c = (PageSpec(chapter, title, title, "", "", "") for chapter, title in ("xa", "xb", "yc"))
    assert chapters((a, b, c)) == {"x": [a, b], "y": [c]}
    assert sum(map(len, chapters(PAGES).values())) == len(PAGES), "a chapter stands in two places"
