"""The conversation: turns one after another, what waits for a guess, and what is typed."""

import pytest

from lm_core.experiments.conversation.dialogues import MOST_CHARACTERS
from lm_core.experiments.conversation.results import ConversationResults
from pages.assistant.conversation import FIRST
from pages.shared.numbers import percent
from tests.pages.visits import guess, press, shows, text, visit

PAGE, PART = "pages/assistant/page.py", "Conversation"


@pytest.fixture
def shipped():
    return ConversationResults.load().scores


def test_the_share_that_is_found_waits_for_the_guess(shipped):
    app = visit(PAGE, part=PART)
    assert [len(table.value.columns) for table in app.dataframe] == [3]
    assert not shows(app, percent(shipped.found))
    app = guess(app, "listens")
    assert app.dataframe[0].value.iloc[0].tolist() == [
        *(round(loss, 3) for loss in (shipped.answered, shipped.other, shipped.nothing)),
        percent(shipped.found),
    ]
    assert shows(app, percent(shipped.found))


def test_turns_follow_each_other_and_begin_anew():
    app = press(visit(PAGE, part=PART), "say_it")
    first = said(app)
    assert FIRST[:4] in first[0]
    assert len(first) == 2
    app.text_input(key="say").set_value("It is raining.").run()
    app = press(app, "say_it")
    assert said(app)[:2] == first
    assert "raining" in said(app)[2]
    assert len(said(app)) == 4
    assert said(press(app, "talk_anew")) == []


def said(app):
    """Return what both have said."""
    return [m.value for m in app.markdown if m.value.startswith(("**You**", "**The books**"))]


def test_a_seed_draws_the_same_reply_again_and_another_one_another():
    replies = [
        said(press(visit(PAGE, part=PART, talk_seed=seed), "say_it"))[1] for seed in ("1", "1", "7")
    ]
    assert replies[0] == replies[1] != replies[2]


def test_markup_and_quotes_of_a_visitor_are_text():
    app = visit(PAGE, part=PART, say='<b>"Tea"</b> *now*')
    app = press(app, "say_it")
    assert not app.exception
    assert "<b>" not in text(app)


def test_an_empty_turn_is_not_said_and_a_long_one_is_cut():
    app = press(visit(PAGE, part=PART, say="  "), "say_it")
    assert said(app) == []
    app = visit(PAGE, part=PART, say="a" * (MOST_CHARACTERS + 1))
    assert len(app.text_input(key="say").value) <= MOST_CHARACTERS
