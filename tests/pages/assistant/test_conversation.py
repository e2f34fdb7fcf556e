"""The conversation: turns one after another, what waits for a guess, and what is typed."""

import pytest

from lm_core.experiments.conversation.dialogues import MOST_CHARACTERS
from lm_core.experiments.conversation.results import ConversationResults
from pages.assistant.conversation import NEXT
from pages.assistant.talker import FIRST
from pages.shared.numbers import percent
from tests.pages.visits import guess, press, shows, text, visit

PAGE, PART = "pages/assistant/page.py", "Conversation"


@pytest.fixture
def shipped():
    return ConversationResults.load()


def test_the_share_that_is_found_waits_for_the_guess(shipped):
    app = visit(PAGE, part=PART)
    assert [len(table.value.columns) for table in app.dataframe] == [4]
    assert not shows(app, percent(shipped.tuned.found))
    app = guess(app, "tuned_listens")
    rows = app.dataframe[0].value
    for name, scores in {"untuned": shipped.untuned, "tuned": shipped.tuned}.items():
        losses = (round(loss, 3) for loss in (scores.answered, scores.other, scores.nothing))
        assert [name, *losses, percent(scores.found)] in rows.to_numpy().tolist()
    assert shows(app, percent(shipped.tuned.found))


def test_it_begins_with_an_exchange_that_each_model_draws_anew():
    first = {talker: said(visit(PAGE, part=PART, talker=talker)) for talker in ("tuned", "untuned")}
    for talker, (asked, replied) in first.items():
        assert asked == f"You: {FIRST}"
        assert replied.startswith(f"The books, {talker}: ")
    assert first["tuned"][1].split(": ")[1] != first["untuned"][1].split(": ")[1]
    assert said(visit(PAGE, part=PART)) == first["tuned"]


def test_turns_follow_each_other_and_begin_anew():
    app = visit(PAGE, part=PART)
    begun = said(app)
    first = said(app := press(app, "say_it"))
    assert first[:2] == begun
    assert NEXT in first[2]
    assert len(first) == 4
    app.text_input(key="say").set_value("It is raining.").run()
    app = press(app, "say_it")
    assert said(app)[:4] == first
    assert "raining" in said(app)[4]
    assert len(said(app)) == 6
    assert said(press(app, "talk_anew")) == begun


def test_presented_the_last_exchanges_fill_the_screen():
    app = press(visit(PAGE, part=PART, present="1"), "say_it")
    app.text_input(key="say").set_value("It is raining.").run()
    app = press(app, "say_it")
    assert [FIRST in said(app)[0], NEXT in said(app)[0], len(said(app))] == [False, True, 4]
    assert not app.dataframe


def said(app):
    """Return what both have said."""
    return [t.value for t in app.get("text") if t.value.startswith(("You: ", "The books, "))]


def test_a_seed_draws_the_same_reply_again_and_another_one_another():
    replies = [
        said(press(visit(PAGE, part=PART, talk_seed=seed), "say_it"))[3] for seed in ("1", "1", "7")
    ]
    assert replies[0] == replies[1] != replies[2]


def test_markup_and_quotes_of_a_visitor_are_text():
    app = visit(PAGE, part=PART, say='<b>"Tea"</b> *now*')
    app = press(app, "say_it")
    assert not app.exception
    assert said(app)[2] == "You: b'Tea'b now"
    assert "<b>" not in text(app)


def test_an_empty_turn_is_not_said_and_a_long_one_is_cut():
    app = press(visit(PAGE, part=PART, say="  "), "say_it")
    assert len(said(app)) == 2
    app = visit(PAGE, part=PART, say="a" * (MOST_CHARACTERS + 1))
    assert len(app.text_input(key="say").value) <= MOST_CHARACTERS
