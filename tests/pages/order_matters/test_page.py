"""The page on the order of words: what waits for the guess, what is drawn, and sentences of one's own."""

import pytest

from lm_core.experiments.order_matters import models
from lm_core.experiments.order_matters import sentences as texts
from lm_core.experiments.order_matters.models import MODELS
from tests.pages.order_matters.probabilities import probability_after
from tests.pages.visits import data, drawn_rows, guess, shows, text, visit

PAGE = "pages/order_matters/page.py"
MEMORY = {"part": "Bag, window, memory"}
OWN = MEMORY | {"order_sentences": "your own two"}


def answered(app, option=0):
    (question,) = [radio.key.removeprefix("guess_") for radio in app.radio]
    return guess(app, question, option)


def shares(app):
    rows = data(app, "order_probabilities")
    return dict(zip(MODELS, zip(rows["first"], rows["second"], strict=True), strict=True))


def test_inputs_wait_for_the_guess_and_targets_are_shifted_by_one():
    app = visit(PAGE)
    assert data(app, "shifted_probabilities")["input"].tolist() == [".", *"?????"]
    assert not drawn_rows(app, "shifted_probabilities")["is_joined"].any()
    app = answered(app)
    rows = drawn_rows(app, "shifted_probabilities")
    assert rows["input"].tolist() == [".", "i", "love", "my", "cute", "dog"]
    assert rows["target"].tolist() == ["i", "love", "my", "cute", "dog", "."]
    assert rows["is_joined"].tolist() == [True] * 5 + [False]


def test_what_the_network_gives_each_target_is_drawn():
    app = visit(PAGE, shifted_steps=5, shifted_sentence="mice are small")
    corpus = texts.corpus_of("mice are small")
    given = models.expected(models.learn(models.RNN, corpus, steps=5), corpus.sentences[0])
    right = [float(given[i, target]) for i, target in enumerate(texts.shifted(corpus).targets[0])]
    rows = data(app, "shifted_probabilities")
    assert rows["probability"].tolist() == pytest.approx(right, abs=1e-3)
    assert rows["expected"].tolist() == [corpus.words[i] for i in given.argmax(1)]


def test_five_untrained_models_are_drawn_until_a_guess_is_made():
    app = visit(PAGE, **MEMORY)
    untrained = shares(app)
    for name in MODELS:
        assert untrained[name][0] == pytest.approx(probability_after(name, texts.SIZES, steps=0))
    app = answered(app, 1)
    reads = data(app, "order_probabilities")["model"].tolist()
    assert reads[:3] == ["bag of words\n{are, mice}", "bigram\nare", "window of 2\nmice are"]
    found = shares(app)
    for name in MODELS:
        assert found[name] == pytest.approx((probability_after(name, texts.SIZES),) * 2, abs=1e-6)
    assert "The *bigram* fails" in text(app)
    assert "The *RNN*" not in text(app)


def test_a_bag_of_foxes_does_not_change_when_it_is_shuffled():
    app = answered(visit(PAGE, **MEMORY, order_sentences=texts.FOXES, order=texts.SHUFFLED))
    found = shares(app)
    assert found[models.BAG][0] == found[models.BAG][1]
    assert found[models.BIGRAM][0] == found[models.BIGRAM][1]  # the last word is kept
    assert abs(found[models.RNN][0] - found[models.RNN][1]) > 0.001
    assert shows(app, "exactly")


def test_words_in_between_and_a_longer_window():
    app = answered(visit(PAGE, **MEMORY, between=3))
    assert shares(app)[models.WINDOW][0] == pytest.approx(0.5, abs=0.02)
    app = answered(visit(PAGE, **MEMORY, between=3, window=5))
    assert shares(app)[models.WINDOW][0] > 0.9


def test_own_sentences_are_learned():
    app = visit(PAGE, **OWN)
    app.text_input(key="order_sentence_1").set_value("Cats climb trees.").run()
    app = answered(app.text_input(key="order_sentence_2").set_value("Cats chase mice!").run())
    assert not app.exception
    assert shows(app, "mice", "cats chase")
    assert shares(app)[models.RNN][0] > 0.9


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("Cats sleep.", "Dogs run.", "has the words as written"),
        ("a b c", "b a d", "the other sentence begins so"),
        ("a b c", "a e d f", "never read the words in this order"),
    ],
)
def test_a_new_order_is_only_called_new_if_no_sentence_begins_so(first, second, said):
    app = visit(PAGE, **OWN, order=texts.REVERSED)
    app.text_input(key="order_sentence_1").set_value(first).run()
    app = answered(app.text_input(key="order_sentence_2").set_value(second).run())
    assert not app.exception
    assert said in text(app)


@pytest.mark.parametrize("typed", ["word", "   ", "one " * 13])
def test_what_is_no_sentence_is_said_and_the_last_two_stay(typed):
    app = visit(PAGE, **OWN)
    app.text_input(key="order_sentence_2").set_value(typed).run()
    assert not app.exception
    assert app.error
    assert "mice are" in text(app)
