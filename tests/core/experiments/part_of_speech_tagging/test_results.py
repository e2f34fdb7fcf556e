"""The taggers' record: what is shipped holds together."""

import numpy as np
import pytest
import torch

from lm_core.errors import ResultError
from lm_core.experiments.part_of_speech_tagging import settings
from lm_core.experiments.part_of_speech_tagging.inference import tag_probabilities
from lm_core.experiments.part_of_speech_tagging.results import COUNTING, TaggingResults
from lm_core.models.tagger import AVERAGED, CONCATENATED
from lm_core.text.tagged_sentences import TAGS

SENTENCE = ("Please", "increase", "the", "volume", ".")


@pytest.fixture(scope="module")
def shipped():
    return TaggingResults.load()


def test_every_recipe_is_shipped_with_all_seeds(shipped):
    for name in settings.RECIPES:
        assert tuple(score.seed for score in shipped.scores_of(name)) == settings.SEEDS
        model = shipped.models[name].build()
        assert model.parameter_count == shipped.scores_of(name)[0].parameters
        assert not model.training
    assert set(shipped.mistakes) == {*settings.RECIPES, COUNTING}
    with pytest.raises(ResultError):
        shipped.scores_of("hmm")


def test_confusions_and_accuracies_are_of_the_same_words(shipped):
    every = shipped.sizes["every"]
    assert shipped.sizes["seen"] + shipped.sizes["unseen"] == every
    for name, mistakes in shipped.mistakes.items():
        assert mistakes.counts.sum() == every
        test = shipped.baseline if name == COUNTING else shipped.scores_of(name)[0].test
        assert np.trace(mistakes.counts) / every == pytest.approx(test.every, abs=1e-5)
        for confusion in mistakes.confusions:
            n = mistakes.counts[confusion.tag, confusion.predicted]
            assert confusion.tag != confusion.predicted
            assert 0 < sum(count for _, count in confusion.words) <= n
        assert (
            len(mistakes.confusions)
            == (mistakes.counts > 0).sum() - (np.diag(mistakes.counts) > 0).sum()
        )


def test_the_floors_are_reached(shipped):
    best = max(settings.RECIPES, key=lambda name: shipped.mean(name, "every"))
    assert shipped.mean(best, "every") >= 0.965
    assert shipped.mean(best, "unseen") >= 0.85


def test_neighbours_help_concatenated_and_hurt_averaged(shipped):
    alone = shipped.mean(settings.window_name(CONCATENATED, 0), "ambiguous")
    assert shipped.mean(settings.window_name(CONCATENATED, 1), "ambiguous") > alone + 0.05
    averaged = [shipped.mean(settings.window_name(AVERAGED, w), "every") for w in settings.WINDOWS]
    assert averaged == sorted(averaged, reverse=True)
    assert averaged[-1] < shipped.baseline.every


def test_only_single_words_of_the_corpus_are_shipped(shipped):
    assert all(len(word.split()) == 1 for word in shipped.vocabulary.words)
    for mistakes in shipped.mistakes.values():
        for confusion in mistakes.confusions:
            assert all(len(word.split()) == 1 for word, _ in confusion.words)


def test_the_files_are_small():
    assert TaggingResults.shipped().with_suffix(".safetensors").stat().st_size < 4_000_000
    assert TaggingResults.shipped().stat().st_size < 500_000


def test_the_shipped_taggers_tell_a_verb_from_a_noun(shipped):
    for name in (settings.window_name(CONCATENATED, 2), settings.RECURRENT, settings.TRANSFORMER):
        with torch.no_grad():
            found = tag_probabilities(shipped.models[name].build(), shipped.vocabulary, SENTENCE)
        assert [TAGS[i] for i in found.argmax(1)][1:] == ["VERB", "DET", "NOUN", "."]
