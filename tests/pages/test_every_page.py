"""Every registered page runs from the lab's entry, without an exception, under its own title."""

import pytest
from altair.utils import schemapi
from streamlit.testing.v1 import AppTest

from lm_core.text.corpora import CORPORA
from pages.shared.registry import PAGES
from tests.conftest import ROOT


@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.title)
def test_page_runs(spec, monkeypatch):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    # `server.boot` leaves it out: what a page draws first is compared with Vega-Lite's schema.
    monkeypatch.setattr(schemapi, "DEBUG_MODE", True)
    app.switch_page(spec.path).run()
    assert not app.exception
    assert [title.value for title in app.title] == [spec.title]


def test_home_leads_to_every_page():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    labels = [link.proto.label for link in app.get("page_link")]
    assert labels == [f"**{spec.title}**" for spec in PAGES[1:]]


def test_home_tells_what_this_server_can_do():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    text = " ".join(markdown.value for markdown in app.markdown)
    assert "MB of" in text or "GB of" in text
    assert list(app.dataframe[-1].value["Text"]) == [text.title for text in CORPORA.values()]
