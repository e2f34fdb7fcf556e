"""The glossary: each term has a meaning and a page that shows it, and each page has its terms at hand."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from pages.shared.glossary import terms, terms_in, terms_of
from pages.shared.registry import LESSONS, page_at
from tests.pages.drawn_words import words_on
from tests.pages.visits import text, visit

PAGE = page_at("glossary").path
BY_NAME = {term.name: term for term in terms()}


def names(found):
    return [term.name for term in found]


def test_each_search_term_of_the_home_page_has_a_meaning():
    forms = {form.casefold() for term in terms() for form in term.forms}
    assert [word for spec in LESSONS for word in spec.words if word.casefold() not in forms] == []


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_a_page_has_the_terms_at_hand_by_which_it_is_found(spec):
    forms = {form.casefold() for term in terms_of(spec.address) for form in term.forms}
    assert {word.casefold() for word in spec.words} <= forms


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_a_page_has_the_terms_at_hand_that_are_drawn_on_it(spec):
    """In each part, whoever wrote it: labels of shared controls and titles of models, too."""
    drawn = "\n".join(re.sub("`[^`]*`", "", words.text) for words in words_on(spec.address))
    assert names(set(terms_in(drawn, spec.chapter)) - set(terms_of(spec.address))) == []


def test_no_two_terms_share_a_name():
    forms = [form for term in terms() for form in term.forms]
    assert len(forms) == len(set(forms))


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.name)
def test_a_term_is_shown_by_a_page_whose_chapter_gives_it_this_meaning(term):
    assert term.page in LESSONS
    assert term.page.chapter in (term.only or (term.page.chapter,))
    assert term.means.endswith((".", ")"))


@pytest.mark.parametrize("link", sorted({term.link for term in terms() if "?" in term.link}))
def test_a_link_asks_for_what_its_page_has(link):
    app = visit(page_at(link.partition("?")[0]).path, **dict(parse_qsl(urlsplit(link).query)))
    assert not app.warning
    drawn = app.session_state["lab_drawn"]
    for name, value in parse_qsl(urlsplit(link).query):
        assert drawn[name].values == (value,)


def test_of_overlapping_terms_the_longer_is_meant_and_abbreviations_need_their_capitals():
    attention = "Attention"
    assert names(terms_in("Two Attention Heads, em dashes", attention)) == ["attention head"]
    assert names(terms_in("EM's steps", "Clustering and statistics")) == ["EM"]
    assert names(terms_in("unhappily, log-likelihoods", "Clustering and statistics")) == []


def test_a_word_has_a_meaning_only_in_its_chapters():
    assert names(terms_in("the value of a key", "Attention")) == ["key", "value"]
    assert names(terms_in("the value of a key", "Words")) == []


def test_a_page_explains_what_its_sentences_use_and_no_other_term():
    assert "nat" in names(terms_of("war-and-peace"))
    assert "BLEU" not in names(terms_of("clustering"))


def test_the_page_lists_a_chapter_and_finds_names_before_mentions():
    assert "**perceptron learning rule**" in text(visit(PAGE, chapter="Networks"))
    found = text(visit(PAGE, term="nat"))
    assert found.index("**nat**") < found.index("**branching factor**")
    assert "**analogy**" not in found  # which holds the three letters within a word
    assert "(/surprisal)" in found


def test_a_term_that_nobody_has_is_told():
    app = visit(PAGE, term="zzz")
    assert len(app.info) == 1
