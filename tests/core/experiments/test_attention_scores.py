"""Translators that differ in their scores alone: the same weights elsewhere, and what is kept of each."""

import pytest

from lm_core.experiments.attention_scores import results, training
from lm_core.experiments.translation.batches import encode_pairs
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import shipped_vocabulary

CAPTIONS = (
    SentencePair("A dog runs.", "Un chien court."),
    SentencePair("A man sleeps.", "Un homme dort."),
)


@pytest.fixture(scope="module")
def pairs():
    return encode_pairs(CAPTIONS * 60, shipped_vocabulary())


@pytest.mark.parametrize("attention", results.SCORES)
def test_a_training_is_measured_on_its_way(pairs, attention, monkeypatch):
    monkeypatch.setattr(training, "_MEASURED_AT", (1, 6))
    found = training.train_scored(attention, 2, pairs, pairs[:4], steps=6, width=8)
    assert [step for step, _ in found.losses] == [1, 6]
    assert found.losses[1][1] < found.losses[0][1]
    assert (found.attention, found.seed) == (attention, 2)


def test_a_band_holds_mean_lowest_and_highest_of_the_seeds():
    trainings = [
        results.ScoredTraining("dot", seed, 9, 1.0, ((10, 4.0 + seed), (20, 2.0 * seed)))
        for seed in (1, 3)
    ]
    found = results.AttentionScoreResults({}, tuple(trainings))
    assert found.band("dot") == [(10, 6.0, 5.0, 7.0), (20, 4.0, 2.0, 6.0)]
    assert found.of("none") == ()


def test_what_is_shipped_has_every_kind_from_every_seed():
    found = results.AttentionScoreResults.load()
    assert {(t.attention, t.seed) for t in found.trainings} == {
        (attention, seed) for attention in results.SCORES for seed in results.SEEDS
    }
    assert {t.losses[-1][0] for t in found.trainings} == {results.STEPS}
    of_none, additive, dot = (found.of(kind)[0].parameters for kind in results.SCORES)
    assert of_none < dot < additive
