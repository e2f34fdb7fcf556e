"""What is shipped of the networks on names: it holds together, and is as good as what others report."""

import math

import pytest

from lm_core.experiments.neural_language_model import study
from lm_core.experiments.neural_language_model.names import new_names
from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.experiments.neural_language_model.training import loss_on_names
from lm_core.experiments.published import MAKEMORE_MLP, MAKEMORE_STARTS
from lm_core.models.mlp import NORMAL, SCALED, SMALL_OUTPUT
from lm_core.text.catalogue import NAMES
from lm_core.text.corpora import locate
from lm_core.text.names import load_names, split_names


@pytest.fixture(scope="module")
def split():
    if locate(NAMES.name) is None:
        pytest.skip("the names are not on this machine")
    return split_names(load_names())


def test_every_training_of_the_study_is_there_with_its_settings():
    results = NeuralLanguageModelResults.load()
    assert tuple(t.config for t in results.starts) == study.starts()
    assert tuple(t.config for t in results.maps) == study.letter_maps()
    assert tuple(t.config for t in results.grid) == study.sizes_of_the_grid()


@pytest.mark.parametrize("embedding_size", study.EMBEDDING_SIZES)
@pytest.mark.parametrize("hidden_size", study.HIDDEN_SIZES)
def test_a_network_s_weights_are_those_of_its_losses(embedding_size, hidden_size, split):
    results = NeuralLanguageModelResults.load()
    for context_size in study.CONTEXT_SIZES:
        sizes = (context_size, embedding_size, hidden_size)
        trained, model = results.trained(*sizes), results.network(*sizes)
        assert loss_on_names(model, split.test) == pytest.approx(trained.test, abs=1e-3)
        assert trained.train < trained.validation + 0.02
        assert trained.validation == pytest.approx(trained.snapshots[-1].loss, abs=1e-4)


def test_the_losses_are_no_worse_than_those_that_others_report():
    results = NeuralLanguageModelResults.load()
    for context_size, (_, validation) in MAKEMORE_MLP.items():
        ours = results.trained(
            context_size, study.PUBLISHED.embedding_size, study.PUBLISHED.hidden_size
        )
        assert ours.validation < validation + 0.02
    for trained in results.starts:
        _, validation = MAKEMORE_STARTS[trained.config.network.initialisation]
        assert trained.validation == pytest.approx(validation, abs=0.02)


def test_the_starts_are_as_the_page_says():
    normal, small, scaled = (
        next(
            t
            for t in NeuralLanguageModelResults.load().starts
            if t.config.network.initialisation == start
        )
        for start in (NORMAL, SMALL_OUTPUT, SCALED)
    )
    assert normal.snapshots[0].loss > 15
    for careful in (small, scaled):
        assert careful.snapshots[0].loss == pytest.approx(math.log(27), abs=0.02)
    assert scaled.snapshots[0].saturation.saturated < 0.2 < small.snapshots[0].saturation.saturated
    assert scaled.validation < normal.validation
    for trained in (normal, small, scaled):
        assert tuple(s.step for s in trained.snapshots) == study.steps_of_snapshots(200_000)


def test_new_names_are_held_out(split):
    results, names = NeuralLanguageModelResults.load(), new_names(split)
    assert all(results.known.are_held_out(names))
    assert not any(results.known.are_trained_on(names))
    assert len(set(names)) == len(names) > 2_000
    assert not set(results.known.held_out.tolist()) & set(results.known.trained_on.tolist())
