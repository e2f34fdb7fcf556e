"""The trainings on names: which there are, what is kept of each, and that none is done twice."""

import math
from dataclasses import replace

import pytest
import torch

from lm_core.errors import ResultError
from lm_core.experiments.neural_language_model import study
from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.experiments.neural_language_model.training import loss_on_names
from lm_core.models.mlp import INITIALISATIONS
from lm_core.text.names import NameSplit

SPLIT = NameSplit(("emma", "ava", "mia", "isabella", "olivia"), ("sofia", "anna"), ("mia", "ella"))


def short(config):
    network = replace(config.network, hidden_size=config.network.hidden_size // 10)
    return replace(config, network=network, steps=12, batch=8)


def test_the_grid_has_every_size_once_and_the_published_ones_with_further_seeds():
    configs = study.sizes_of_the_grid()
    assert len(set(configs)) == len(configs) == 5 * 2 * 2 + 1
    assert sorted(c.seed for c in configs if c.network == study.PUBLISHED) == [0, 1]
    networks = [c.network for c in study.starts()]
    assert [n.initialisation for n in networks] == list(INITIALISATIONS)
    assert {replace(n, initialisation=study.PUBLISHED.initialisation) for n in networks} == {
        study.PUBLISHED
    }


@pytest.mark.parametrize("steps", [1, 7, 8_000, 200_000])
def test_snapshots_begin_before_the_training_and_end_with_it(steps):
    found = study.steps_of_snapshots(steps)
    assert (found[0], found[-1]) == (0, steps)
    assert list(found) == sorted(set(found))
    assert len(found) <= 24


def test_what_is_kept_of_a_training_belongs_to_its_last_weights():
    config = short(study.starts()[0])
    trained, tensors = study.carry_out(config, SPLIT)
    embeddings = tensors.pop("embeddings")
    assert len(embeddings) == len(trained.snapshots)
    torch.testing.assert_close(embeddings[-1], tensors["embedding.weight"])
    model, _ = study.start_network(config)
    torch.testing.assert_close(embeddings[0], model.embedding.weight.detach())
    model.load_state_dict(tensors)
    for part, loss in zip(SPLIT, (trained.train, trained.validation, trained.test), strict=True):
        assert loss == pytest.approx(loss_on_names(model, part), abs=1e-4)
    assert trained.snapshots[-1].loss == pytest.approx(trained.validation, abs=1e-4)
    assert trained.snapshots[0].loss > math.log(27) + 1


def test_a_training_that_a_folder_has_is_read(tmp_path, monkeypatch):
    config = short(study.sizes_of_the_grid()[0])
    first, tensors = study.carry_out_or_read(tmp_path, config, SPLIT)
    monkeypatch.setattr(study, "carry_out", None)
    again, same = study.carry_out_or_read(tmp_path, config, SPLIT)
    assert again == first
    torch.testing.assert_close(same, tensors)
    with pytest.raises(ResultError, match="another training"):
        study.carry_out_or_read(tmp_path, replace(config, steps=13), SPLIT)


@pytest.fixture(scope="module")
def results():
    grid = [c for c in study.sizes_of_the_grid() if c.network.context_size == 3]
    configs = study.starts(), study.letter_maps(), grid
    small = [
        [study.carry_out(replace(c, steps=3, batch=4), SPLIT) for c in part] for part in configs
    ]
    return NeuralLanguageModelResults.of_study(*small, SPLIT)


def test_names_are_known_by_their_part(results):
    assert results.known.are_trained_on(["mia", "ella"]) == [True, False]


def test_the_letters_of_a_map_have_all_its_snapshots(results):
    for trained, embeddings in zip(results.maps, results.embeddings, strict=True):
        n_snapshots = len(study.steps_of_snapshots(trained.config.steps))
        assert embeddings.shape == (n_snapshots, 27, trained.config.network.embedding_size)
        assert float(embeddings[0].std()) < 0.2


def test_a_network_is_found_by_its_sizes_with_its_own_weights(results):
    model = results.network(3, 2, 50)
    assert results.trained(3, 2, 50).validation == pytest.approx(
        loss_on_names(model, SPLIT.validation), abs=1e-4
    )
    assert [t.config.seed for t in results.of_seeds()] == [0, 1]
    with pytest.raises(StopIteration):
        results.network(4, 2, 50)
