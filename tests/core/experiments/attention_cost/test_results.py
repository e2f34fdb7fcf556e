"""What attention costs: measured record by record, and what approximations lose in a trained model."""

from dataclasses import replace

import pytest
import torch

from lm_core.__main__ import main
from lm_core.errors import SettingError
from lm_core.experiments.attention_cost import measurement, study
from lm_core.experiments.attention_cost.results import CostResults
from lm_core.experiments.attention_cost.study import mean_loss, measure_all, measure_approximations
from lm_core.models.registry import build
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.checkpoints import SHIPPED, read_meta

SMALL = TransformerLanguageModelConfig(20, 16, 2, 2, context=12)


def drawn(**changes):
    model = build(replace(SMALL, **changes))
    model.initialise(generator(1))
    return model.eval()


# Approximations in a model --------------------------------------------------------------------


def test_each_approximation_is_timed_and_evaluated(monkeypatch):
    monkeypatch.setattr(study, "COMPARED_LENGTH", 64)
    monkeypatch.setattr(
        study, "SIZES", {measurement.METHODS[2]: (2, 12), measurement.METHODS[3]: (8,)}
    )
    tokens = torch.randint(0, 20, (200,), generator=generator(0))
    found = list(measure_approximations(drawn(), tokens, rounds=1))
    assert [(record.method, record.size) for record in found] == [
        ("local window", 2),
        ("local window", 12),
        ("linear kernel", 8),
    ]
    assert all(record.seconds > 0.0 for record in found)
    assert found[1].loss == pytest.approx(mean_loss(drawn(), tokens), abs=1e-5)
    assert found[0].loss != pytest.approx(found[1].loss, abs=1e-5)


# One more character ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lengths", "rounds", "message"), [((1,), 3, "at least 2"), ((4,), 0, "at least 1")]
)
def test_too_short_a_text_or_no_round_is_refused(lengths, rounds, message):
    with pytest.raises(SettingError, match=message):
        next(measurement.measure_generation(SMALL, lengths, generator(0), rounds=rounds))


def test_the_cache_holds_keys_and_values_of_all_before():
    records = list(measurement.measure_generation(SMALL, (4, 16), generator(0), rounds=1))
    assert [record.length for record in records] == [4, 16]
    numbers = [2 * 2 * (length - 1) * 16 for length in (4, 16)]
    assert [record.cache_bytes for record in records] == [4 * n for n in numbers]
    assert all(min(record.cached_seconds, record.uncached_seconds) > 0.0 for record in records)


def test_reading_a_long_text_anew_takes_longer_than_its_last_character():
    (record,) = measurement.measure_generation(replace(SMALL, width=64), (1024,), generator(0))
    assert record.uncached_seconds > record.cached_seconds


def test_the_plan_measures_attention_and_then_the_next_character():
    kinds = [type(record) for record in measure_all((64,), (8,), rounds=1)]
    assert kinds == [measurement.AttentionCost] * 4 + [measurement.GenerationCost]


# The command ----------------------------------------------------------------------------------


def test_the_command_writes_what_it_measures(tmp_path, monkeypatch, capsys):
    from lm_core.experiments.attention_cost import command

    class Book:
        validation = torch.randint(1, 70, (300,), generator=generator(0)).numpy()

    monkeypatch.setattr(command, "load_book", Book)
    monkeypatch.setattr(study, "measure_all", lambda **limits: measure_all((64,), (8,), rounds=1))
    monkeypatch.setattr(study, "COMPARED_LENGTH", 64)
    monkeypatch.setattr(
        study, "SIZES", {measurement.METHODS[2]: (4,), measurement.METHODS[3]: (8,)}
    )
    out = tmp_path / "cost.json"
    assert main(["experiment", "attention-cost", "--out", str(out), "--rounds", "1"]) == 0
    results = CostResults.load(out)
    assert (len(results.costs), len(results.generation), len(results.approximations)) == (4, 1, 2)
    assert results.model == read_meta(SHIPPED / "ablations-full").title
    assert results.provenance["device"]
    assert len(capsys.readouterr().out.splitlines()) == 7


def test_the_shipped_measurements_show_what_the_page_tells():
    results = CostResults.load()
    at_1024 = {cost.method: cost for cost in results.costs if cost.length == 1024}
    assert at_1024["fused kernel"].peak_bytes < at_1024["naive matrix"].peak_bytes / 20
    local = [r.loss for r in results.approximations if r.method == measurement.METHODS[2]]
    linear = [r.loss for r in results.approximations if r.method == measurement.METHODS[3]]
    assert min(local) == pytest.approx(results.exact_loss, abs=0.01)
    assert min(linear) > results.exact_loss + 1.0
