"""Every registered page runs from the lab's entry, without an exception, under its own title."""

import pytest
import torch

from lm_core.text.corpora import CORPORA
from pages.shared.registry import LESSONS, PAGES, ROUTES, page_at
from pages.shared.server import start
from pages.shared.server.short_links import Target, short_links
from pages.shared.server.visitor_store import KEPT_DAYS
from tests.pages.visits import arrive, visit


@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.title)
def test_page_runs(spec):
    start.boot()
    app = visit(spec.path)
    assert [title.value for title in app.title] == [spec.title]
    keys = [button.proto.shortcut for button in app.button if button.proto.shortcut]
    assert len(set(keys)) == len(keys), "a key presses two buttons"


def home(**asked):
    return arrive(PAGES[0].path, **asked)


def labels(app):
    return [link.proto.label.strip("*") for link in app.get("page_link")]


def test_home_leads_to_every_page_and_shows_a_picture_of_each_lesson():
    app = home()
    assert sorted(labels(app)) == sorted(spec.term for spec in PAGES[1:])
    assert len(app.get("image")) == len(LESSONS)


@pytest.mark.parametrize(
    ("route", "first"), [("", ROUTES[20][0]), *((f"{m} minutes", ROUTES[m][0]) for m in ROUTES)]
)
def test_the_way_in_leads_to_the_first_page_of_the_chosen_route_or_else_of_the_shorter(
    route, first
):
    app = home(**{"route": route} if route else {})
    app.button(key="start").click().run()
    assert not app.exception
    assert [title.value for title in app.title] == [page_at(first).title]


@pytest.mark.parametrize("minutes", ROUTES)
def test_a_route_names_its_pages_in_its_order_and_fits_its_time(minutes):
    pages = [page_at(address) for address in ROUTES[minutes]]
    beside = [page_at(address).term for address in ("lessons", "join", "glossary")]
    assert labels(home(route=f"{minutes} minutes")) == [*beside, *(spec.term for spec in pages)]
    assert 0.8 * minutes <= sum(spec.minutes for spec in pages) <= minutes


@pytest.mark.parametrize(
    ("term", "address"),
    [
        ("LSTM", "rnn-vs-lstm"),
        ("perplexity", "war-and-peace"),
        ("overfitting", "overfitting"),  # its own page, though others explain it
        ("LoRA", "fine-tuning"),  # the first page that does
    ],
)
@pytest.mark.parametrize("route", ["every page", "45 minutes"])
def test_a_term_leads_to_the_page_that_explains_it(term, address, route):
    app = home(route=route)
    app.selectbox(key="term").set_value(term.casefold()).run()
    assert not app.exception
    assert [title.value for title in app.title] == [page_at(address).title]


def test_a_term_is_offered_once_and_says_where_it_leads():
    offered = home().selectbox(key="term").options
    terms = [label.split(" → ")[0].casefold() for label in offered]
    known = {word.casefold() for spec in LESSONS for word in (spec.term, *spec.words)}
    assert sorted(terms) == sorted(known)
    assert "LoRA → Fine-tuning" in offered
    assert "Fine-tuning" in offered


def test_a_short_link_leads_to_its_page_with_its_settings(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    name = short_links().shorten(Target("estimation", {"animals": ["20"], "length": ["10 cm"]}))
    app = home(go=name)
    assert not app.exception
    assert app.select_slider(key="animals").value == 20
    assert app.select_slider(key="length").value == 10


@pytest.mark.parametrize("name", ["aaaaaaa", "../../x", "a" * 9_000])
def test_an_unknown_short_link_leaves_the_visitor_at_home(name):
    app = home(go=name)
    assert len(app.warning) == 1
    assert len(app.get("image")) == len(LESSONS)


def test_about_says_what_pages_and_what_trainings_run_on(monkeypatch):
    page = page_at("about").path
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda *_: "A Card")
    said = [value.value for value in visit(page).markdown]
    assert any(value.startswith("**CPU, ") for value in said)
    assert "**cuda (A Card)**" in said
    monkeypatch.setenv("LM_LAB_DEVICE", "cpu")
    assert "**cuda (A Card)**" not in [value.value for value in visit(page).markdown]


def test_about_opens_where_the_device_that_is_asked_for_is_missing(monkeypatch):
    monkeypatch.setenv("LM_LAB_DEVICE", "cuda")
    app = visit(page_at("about").path)
    assert not app.exception
    assert "no 'cuda' device" in app.error[0].value
    assert app.dataframe


def test_the_server_says_what_it_can_do():
    app = visit(page_at("about").path)
    text = " ".join(markdown.value for markdown in app.markdown)
    assert "MB of" in text or "GB of" in text
    assert list(app.dataframe[-1].value["Text"]) == [text.title for text in CORPORA.values()]


def test_the_server_says_how_long_it_keeps_what_a_visitor_leaves_and_for_whom():
    (said,) = [c.value for c in visit(page_at("about").path).caption if "My work" in c.value]
    assert f"{KEPT_DAYS} days" in said
    assert "for you alone" in said
