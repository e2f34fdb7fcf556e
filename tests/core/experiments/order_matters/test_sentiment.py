"""Reviews and their sentiment: how they are divided and read, what is learned, and what is shipped."""

import pytest
import torch

from lm_core.errors import CorpusUnavailableError
from lm_core.experiments.order_matters import reviews
from lm_core.experiments.order_matters import reviews as reviews_module
from lm_core.experiments.order_matters.models import BAG, WINDOW
from lm_core.experiments.order_matters.pretrained_sentiment import tune
from lm_core.experiments.order_matters.results import CLASSIFIERS, PRETRAINED, SentimentResults
from lm_core.experiments.order_matters.sentiment import (
    LSTM,
    RECIPES,
    log_odds_of,
    train_on_words,
    vocabulary_of,
)
from lm_core.experiments.order_matters.sentiment_scores import SEEDS, score_words
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named
from lm_core.training.checkpoints import load_shipped

GOOD, BAD = "a good film , it moves", "a dull film , it bores"


def made_up(n=80):
    texts = tuple(f"{GOOD if i % 2 else BAD} x{'yz'[i % 3 == 0]}" for i in range(n))
    return reviews.Reviews(texts, torch.arange(n) % 2 * 1.0)


@pytest.fixture(scope="module")
def shipped():
    return SentimentResults.load()


def test_each_review_is_in_one_tenth(monkeypatch):
    found = made_up(43)._replace(texts=tuple(map(str, range(43))))
    tenths = [reviews.divide(found, tenth) for tenth in range(10)]
    assert sorted(text for each in tenths for text in each.held_out.texts) == sorted(found.texts)
    for training, held_out in tenths:
        assert not {*training.texts} & {*held_out.texts}
        assert len(training.texts) + len(held_out.texts) == 43
        for part in (training, held_out):
            assert part.is_positive.tolist() == [int(text) % 2 for text in part.texts]


def test_reviews_are_read_from_two_files(tmp_path, monkeypatch):
    monkeypatch.setattr(reviews_module, "search_folders", lambda: [tmp_path / "no", tmp_path])
    with pytest.raises(CorpusUnavailableError, match=r"rt-polarity\.neg is in none"):
        reviews.load_reviews()
    folder = tmp_path / "sentence-polarity"
    folder.mkdir()
    (folder / "rt-polarity.neg").write_bytes("dull . \nclich\xe9 ridden\n".encode("cp1252"))
    (folder / "rt-polarity.pos").write_bytes(b"good \n\n")
    found = reviews.load_reviews()
    assert found.texts == ("dull .", "clich\xe9 ridden", "good")
    assert found.is_positive.tolist() == [0.0, 0.0, 1.0]


def test_words_that_are_not_known_are_left_out():
    vocabulary = vocabulary_of(made_up())
    rows = reviews.encode(vocabulary, ["A good, unheard-of film", "Unheard"])
    words, lengths = reviews.side_by_side(rows)
    known = [vocabulary.words[i - 1] for i in words[0].tolist()]
    assert known == ["a", "good", "film"]
    assert (words[1].tolist(), lengths.tolist()) == ([0, 0, 0], [3, 1])


def test_shuffled_reviews_have_the_same_words_in_another_order():
    found = made_up()
    shuffled = reviews.with_shuffled_words(found, 0)
    assert shuffled.texts != found.texts
    assert [sorted(t.split()) for t in shuffled.texts] == [sorted(t.split()) for t in found.texts]
    assert reviews.with_shuffled_words(found, 1).texts != shuffled.texts


def test_all_three_learn_from_words_and_a_shuffled_bag_turns_no_verdict():
    divided = reviews.divide(made_up(600), 0)
    vocabulary = vocabulary_of(divided.training)
    for name, trained in train_on_words(divided.training, vocabulary, 0).items():
        score = score_words(name, trained, vocabulary, divided.held_out, 0)
        assert score.as_written > 0.95, name
        if name == BAG:
            assert (score.shuffled, score.turned) == (score.as_written, 0.0)


def test_a_score_counts_what_turns_round():
    divided = reviews.divide(made_up(60), 0)
    vocabulary = vocabulary_of(divided.training)

    class FirstWord(torch.nn.Module):
        parameter_count = 1

        def forward(self, words, lengths):
            return torch.where(words[:, 0] == vocabulary.ids["a"] + 1, 1.0, -1.0)

    trained = train_on_words(divided.training, vocabulary, 0)[BAG]._replace(model=FirstWord())
    score = score_words(BAG, trained, vocabulary, divided.held_out, 0)
    again = reviews.with_shuffled_words(divided.held_out, 0)
    begins = [text.split()[0] == "a" for text in again.texts]
    assert score.turned == pytest.approx(1 - sum(begins) / len(begins), abs=1e-4)
    right = [b == bool(y) for b, y in zip(begins, again.is_positive, strict=True)]
    assert score.shuffled == pytest.approx(sum(right) / len(right), abs=1e-4)


def test_the_encoder_is_tuned_and_asked():
    encoder = load_shipped("book-masked-transformer").model
    found = made_up(24)
    tuned = tune(encoder, vocabulary_named(FULL_SUBWORDS), found, seed=0, steps=6)
    said = tuned.is_positive(found)
    assert float((said == found.is_positive.bool()).double().mean()) > 0.9


def test_what_is_shipped(shipped):
    assert {score.name for score in shipped.scores} == {*CLASSIFIERS}
    for name in CLASSIFIERS:
        assert tuple(score.seed for score in shipped.scores_of(name)) == SEEDS
    assert all(score.as_written > 0.6 for score in shipped.scores)
    assert all(score.turned == 0.0 for score in shipped.scores_of(BAG))
    assert all(score.turned > 0.0 for score in shipped.scores_of(LSTM))
    assert {*shipped.stored} == {*RECIPES}
    assert PRETRAINED not in shipped.stored


def test_the_weights_of_words_and_the_bias_are_the_log_odds(shipped):
    words = ("a", "wonderful", "qwxz", "film")
    shares = shipped.word_shares(words)
    assert [share.word for share in shares] == ["a", "wonderful", "film"]
    log_odds = shipped.bias + sum(share.weight for share in shares)
    given = shipped.positive(" ".join(words))
    assert given[BAG] == pytest.approx(float(torch.tensor(log_odds).sigmoid()), abs=1e-6)
    assert {*given} == {BAG, WINDOW, LSTM}


@pytest.mark.skipif(
    not any((f / "sentence-polarity").is_dir() for f in reviews_module.search_folders()),
    reason="the reviews are not on this machine",
)
def test_the_shipped_bag_scores_as_it_is_recorded(shipped):
    held_out = reviews.divide(reviews.load_reviews(), SEEDS[0]).held_out
    assert len(held_out.texts) == shipped.held_out
    said = log_odds_of(shipped.models[BAG], reviews.encode(shipped.vocabulary, held_out.texts)) > 0
    right = float((said == held_out.is_positive.bool()).double().mean())
    assert right == pytest.approx(shipped.scores_of(BAG)[0].as_written, abs=2e-3)  # in 16 bits
