"""The taggers' record: what is saved is read again, and what is shipped holds together."""

import json

import numpy as np
import pytest
import torch

from lm_core.errors import ResultError
from lm_core.experiments.part_of_speech_tagging.inference import tag_probabilities
from lm_core.experiments.part_of_speech_tagging.results import (
    COUNTING,
    SHIPPED,
    load_results,
    load_scores,
    save_results,
)
from lm_core.experiments.part_of_speech_tagging.settings import (
    EXPERIMENT,
    RECIPES,
    RECURRENT,
    SEEDS,
    TRANSFORMER,
    WINDOWS,
    window_name,
)
from lm_core.models.tagger import AVERAGED, CONCATENATED
from lm_core.results import Results
from lm_core.text.tagged_sentences import TAGS

SENTENCE = ("Please", "increase", "the", "volume", ".")


@pytest.fixture(scope="module")
def shipped():
    return load_results()


def test_what_is_saved_is_read_again(shipped, tmp_path):
    save_results(tmp_path / "tags.json", shipped)
    found = load_results(tmp_path / "tags.json")
    assert found.scores == shipped.scores
    assert found.baseline == shipped.baseline
    assert found.sizes == shipped.sizes
    assert found.vocabulary.names == shipped.vocabulary.names
    for name, mistakes in shipped.mistakes.items():
        np.testing.assert_array_equal(found.mistakes[name].counts, mistakes.counts)
        assert found.mistakes[name].confusions == mistakes.confusions
    for word in ("the", "increase", "blorfing"):
        np.testing.assert_array_equal(
            found.tag_counts.shares(word), shipped.tag_counts.shares(word)
        )
    for name in (window_name(AVERAGED, 2), RECURRENT, TRANSFORMER):
        one, other = (
            tag_probabilities(of.models[name], of.vocabulary, SENTENCE) for of in (found, shipped)
        )
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("missing", ["scores", "configs", "baseline", "mistakes", "sizes"])
def test_a_file_without_a_part_is_an_error(shipped, tmp_path, missing):
    path = tmp_path / "tags.json"
    save_results(path, shipped)
    document = json.loads(path.read_text())
    del document["data"][missing], document["sha256"]
    path.write_text(json.dumps(document))
    with pytest.raises(ResultError):
        load_results(path)


def test_the_scores_alone_are_those_of_the_whole(shipped, tmp_path):
    assert load_scores() == (shipped.baseline, shipped.scores)
    path = tmp_path / "x.json"
    Results(EXPERIMENT, {}, {"baseline": {}, "scores": []}).save(path)
    with pytest.raises(ResultError, match="taggers and their scores"):
        load_scores(path)


def test_every_recipe_is_shipped_with_all_seeds(shipped):
    for name in RECIPES:
        assert tuple(score.seed for score in shipped.scores_of(name)) == SEEDS
        assert shipped.models[name].parameter_count == shipped.scores_of(name)[0].parameters
        assert not shipped.models[name].training
    assert set(shipped.mistakes) == {*RECIPES, COUNTING}
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
    best = max(RECIPES, key=lambda name: shipped.mean(name, "every"))
    assert shipped.mean(best, "every") >= 0.965
    assert shipped.mean(best, "unseen") >= 0.85


def test_neighbours_help_concatenated_and_hurt_averaged(shipped):
    alone = shipped.mean(window_name(CONCATENATED, 0), "ambiguous")
    assert shipped.mean(window_name(CONCATENATED, 1), "ambiguous") > alone + 0.05
    averaged = [shipped.mean(window_name(AVERAGED, w), "every") for w in WINDOWS]
    assert averaged == sorted(averaged, reverse=True)
    assert averaged[-1] < shipped.baseline.every


def test_only_single_words_of_the_corpus_are_shipped(shipped):
    assert all(len(word.split()) == 1 for word in shipped.vocabulary.words)
    for mistakes in shipped.mistakes.values():
        for confusion in mistakes.confusions:
            assert all(len(word.split()) == 1 for word, _ in confusion.words)


def test_the_files_are_small():
    assert SHIPPED.with_suffix(".safetensors").stat().st_size < 4_000_000
    assert SHIPPED.stat().st_size < 500_000


def test_the_shipped_taggers_tell_a_verb_from_a_noun(shipped):
    for name in (window_name(CONCATENATED, 2), RECURRENT, TRANSFORMER):
        with torch.no_grad():
            found = tag_probabilities(shipped.models[name], shipped.vocabulary, SENTENCE)
        assert [TAGS[i] for i in found.argmax(1)][1:] == ["VERB", "DET", "NOUN", "."]
