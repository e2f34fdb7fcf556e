"""Bengio's model by every rule: the same batches and start, Muon's share, and what is shipped."""

import math

import pytest
import torch

from lm_core.errors import ResultError
from lm_core.experiments.optimisers import study
from lm_core.experiments.optimisers.study import EVERY, RULES, STEPS, OptimiserResults, train
from lm_core.results import provenance
from lm_core.training.update_rules import Adam, Muon

PERIOD = torch.tensor([3, 1, 4, 1, 5, 9, 2, 6])


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(study, "BATCH", 32)
    return PERIOD.repeat(50)


def test_a_text_that_repeats_itself_is_learned_and_the_same_way_each_time(small):
    losses = train("Adam", 0.01, small, 3 * EVERY).losses
    assert losses[-1] < 0.1
    assert losses == train("Adam", 0.01, small, 3 * EVERY).losses


def test_what_nothing_before_it_tells_is_not_learned(small):
    """A network that saw the character it is asked for would learn it at once."""
    chance = torch.randint(0, 8, (50_000,), generator=study.generator(3))
    assert train("Adam", 0.003, chance, 4 * EVERY).losses[-1] > 0.95 * math.log(8)


def test_the_first_context_is_the_eight_characters_before(small, monkeypatch):
    seen = []
    trace = study.MLPLanguageModel.trace

    def noted(model, contexts):
        seen.append(contexts)
        return trace(model, contexts)

    monkeypatch.setattr(study.MLPLanguageModel, "trace", noted)
    study._loss(study.MLPLanguageModel(study.NETWORK), torch.arange(9) % 70, study.generator(0))
    assert seen[0].tolist() == [[*range(8)]] * 32


@pytest.mark.parametrize("name", RULES)
def test_every_rule_starts_alike_and_gets_lower(name, small):
    curve = train(name, study.RATES[name][1], small, 2 * EVERY)
    assert len(curve.losses) == len(curve.seconds) == 2
    assert curve.losses[1] < curve.losses[0]
    assert curve.seconds[0] < curve.seconds[1]


def test_muon_is_for_the_matrix_between_layers_alone():
    assert isinstance(study._rule_of("Muon", "hidden.weight"), Muon)
    for key in ("hidden.bias", "embedding.weight", "output.weight"):
        assert isinstance(study._rule_of("Muon", key), Adam)


def test_what_is_shipped_has_every_rule_at_one_of_its_rates():
    results = OptimiserResults.load()
    assert [curve.name for curve in results.curves] == list(RULES)
    for curve in results.curves:
        assert curve.rate in study.RATES[curve.name]
        assert len(curve.losses) == STEPS // EVERY
        assert curve.losses[-1] < curve.losses[0]


def test_results_are_read_as_they_were_written(tmp_path, small):
    path = tmp_path / "optimisers.json"
    curves = (train("momentum", 0.1, small, EVERY),)
    OptimiserResults(provenance(device="cpu", seconds=1.0), curves).save(path)
    assert OptimiserResults.load(path).curves == curves
    with pytest.raises(ResultError, match="missing"):
        OptimiserResults.load(tmp_path / "none.json")
