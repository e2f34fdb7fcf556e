"""Reviews on the page: the weights of a sentence's words, three verdicts, and accuracies that wait for a guess."""

import pytest

from lm_core.experiments.order_matters.models import BAG, WINDOW
from lm_core.experiments.order_matters.results import CLASSIFIERS, SentimentResults
from lm_core.experiments.order_matters.sentiment import LSTM
from lm_core.experiments.published import SENTIMENT
from pages.shared.numbers import percent
from tests.pages.visits import data, guess, press, shows, text, visit

PAGE = "pages/order_matters/page.py"
PART = {"part": "Words that decide"}
REVIEWS = PART | {"review_show": "all held-out reviews"}
FIRST = "the film is not good it is wonderful"


@pytest.fixture(scope="module")
def results():
    return SentimentResults.load()


def test_weights_wait_for_the_guess_and_are_those_of_the_bag(results):
    app = visit(PAGE, **PART)
    waiting = data(app, "review_words")
    assert waiting["weight"].isna().tolist() == [word == "good" for word in FIRST.split()]
    app = guess(app, "weight_of_good")
    drawn = data(app, "review_words")
    expected = results.word_shares(tuple(FIRST.split()))
    assert drawn["weight"].tolist() == pytest.approx([share.weight for share in expected], abs=1e-3)
    assert [word.split()[1] for word in drawn["word"]] == FIRST.split()
    assert shows(app, "The same")


def test_a_button_shuffles_and_the_bag_does_not_notice(results):
    app = visit(PAGE, **PART, reveal="weight_of_good")
    assert "positive, shuffled" not in text(app)
    app = press(app, "shuffle_review")
    drawn = [word.split()[1] for word in data(app, "review_words")["word"]]
    assert drawn != FIRST.split()
    assert sorted(drawn) == sorted(FIRST.split())
    before, after = results.positive(FIRST), results.positive(" ".join(drawn))
    assert before[BAG] == after[BAG]
    for name, title in ((BAG, BAG), (WINDOW, "window of 3 words"), (LSTM, LSTM)):
        assert f"| {title} | {percent(before[name])} | {percent(after[name])} |" in text(app)
    other = press(app, "shuffle_review")
    assert [word.split()[1] for word in data(other, "review_words")["word"]] != drawn


def test_a_review_of_ones_own_is_judged_and_unknown_words_are_named(results):
    app = visit(PAGE, **PART)
    app.text_input(key="review_sentence").set_value("A dull qwertzing plot!").run()
    assert not app.exception
    assert data(app, "review_words")["weight"].tolist() == pytest.approx(
        [share.weight for share in results.word_shares(("a", "dull", "plot"))], abs=1e-3
    )
    assert "leaves out *qwertzing*" in text(app)
    assert "*dull* decides" in text(app)
    assert f"| {BAG} | {percent(results.positive('a dull plot')[BAG])} |" in text(app)


def test_a_shuffle_that_restores_the_order_is_not_said_to_move_anything():
    app = press(visit(PAGE, **PART, reveal="weight_of_good"), "shuffle_review")
    assert "so they may move" in text(app)
    app.text_input(key="review_sentence").set_value("wonderful").run()
    assert not app.exception
    assert "may move" not in text(app)
    assert "has the words as written" in text(app)


@pytest.mark.parametrize("typed", ["", "qwertz", "film " * 15])
def test_what_is_no_review_is_said_and_the_last_one_stays(typed):
    app = visit(PAGE, **PART)
    app.text_input(key="review_sentence").set_value(typed).run()
    assert not app.exception
    assert app.error
    assert f"| {BAG} | 86" in text(app)


def test_accuracies_are_drawn_beside_published_ones_and_shuffled_ones_wait(results):
    app = visit(PAGE, **REVIEWS)
    rows = data(app, "sentiment_accuracies")
    assert rows["shuffled"].isna().all()
    app = guess(app, "verdicts_turned", 1)
    rows = data(app, "sentiment_accuracies")
    for row, name in zip(rows.to_dict("records"), CLASSIFIERS, strict=False):
        scores = results.scores_of(name)
        for field, of in (("accuracy", "as_written"), ("shuffled", "shuffled")):
            mean = sum(getattr(score, of) for score in scores) / len(scores)
            assert row[field] == pytest.approx(mean, abs=1e-3)
        assert row["low"] == pytest.approx(min(s.as_written for s in scores), abs=1e-3)
    assert rows["accuracy"].tolist()[-2:] == [figure.accuracy for figure in SENTIMENT]
    assert shows(app, "of the bag of words none")
