"""The ablations: one change each, evaluated as they are and under the causal mask."""

from dataclasses import fields, replace

import numpy as np
import pytest
import torch

from lm_core.__main__ import main
from lm_core.experiments.ablations import results as stored
from lm_core.experiments.ablations import training, variants
from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.variants import DEEP, FULL, VARIANTS, Variant
from lm_core.models.registry import build, config_from_dict
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import TrainingText
from lm_core.training import checkpoints
from lm_core.training.language_modelling import TrainingConfig

SMALL = replace(FULL, width=16, heads=2, layers=2, context=8)
SHORT = TrainingConfig(steps=20, batch=4, window=8, learning_rate=1e-2, held_out=0.1)


@pytest.fixture
def text():
    ids = torch.randint(1, 70, (4_000,), generator=generator(0)).numpy()
    return TrainingText(ids, SOURCE, "invented", "0" * 64)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(variants, "TRAINING", SHORT)
    monkeypatch.setattr(stored, "TRAINING", SHORT)
    monkeypatch.setattr(training, "SNAPSHOT_EVERY", 10)


def small(**changes):
    return Variant("small", "small", replace(SMALL, **changes), learning_rate=1e-2)


# The variants ---------------------------------------------------------------------------------


def changes_of(config, full):
    names = [field.name for field in fields(config)]
    return {n for n in names if getattr(config, n) != getattr(full, n)}


CHANGED = {
    "grouped-queries": {"key_value_heads", "feed_forward"},
    "modern": {"key_value_heads", "feed_forward", "normalisation", "activation"},
}
"""Fields of variants that differ in more than one: what shared keys spare is spent on wider networks."""


def test_modern_parts_have_the_full_models_weights():
    full = build(FULL).parameter_count
    for name in variants.MODERN:
        assert build(VARIANTS[name].model).parameter_count == pytest.approx(full, rel=2e-3)


@torch.no_grad()
@pytest.mark.parametrize("name", ["full", *variants.MODERN])
def test_the_numbers_of_the_cache_are_those_that_a_model_remembers(name):
    model = build(VARIANTS[name].model)
    _, state = model(torch.ones(1, 3, dtype=torch.int64), model.initial_state(1))
    assert sum(tensor.numel() for tensor in state) == 3 * model.config.cached_numbers


def test_steps_are_timed_in_processor_time_for_each_variant(text, short):
    found = training.step_seconds([small(), replace(small(heads=1), name="other")], text, rounds=2)
    assert list(found) == ["small", "other"]
    assert all(seconds > 0.0 for seconds in found.values())


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_each_variant_lacks_what_its_name_says_and_nothing_else(variant):
    is_deep = variant.model.layers == DEEP.layers
    changed = changes_of(variant.model, DEEP if is_deep else FULL)
    expected = (
        {"residual", "norm"} if variant.name.endswith("neither") else CHANGED.get(variant.name)
    )
    assert changed == expected if expected else len(changed) <= 1
    assert variant.name.startswith("deep") == is_deep


def test_the_variants_are_trained_alike_and_have_names_of_their_own():
    trainings = {replace(v.training, seed=0, learning_rate=1.0) for v in VARIANTS.values()}
    assert len(trainings) == 1
    assert len({v.title for v in VARIANTS.values()}) == len(VARIANTS)
    seeds = {v.training.seed for v in VARIANTS.values() if v.model == FULL}
    assert seeds == {1, 2, 3}


# Evaluation -----------------------------------------------------------------------------------


def sees_ahead(model):
    """Whether a prediction changes when a later symbol does."""
    tokens = torch.arange(1, 9)[None]
    edited = tokens.clone()
    edited[0, -1] = 60
    state = model.initial_state(1)
    with torch.no_grad():
        before, after = (model(t, state)[0][0, :-1] for t in (tokens, edited))
    return not torch.equal(before, after)


def drawn(**changes):
    model = build(replace(SMALL, **changes))
    model.initialise(generator(0))
    return model.eval()


def test_with_the_mask_on_the_same_weights_see_nothing_ahead():
    model = drawn(causal=False)
    assert sees_ahead(model)
    masked = training.with_causal_mask(model)
    assert not sees_ahead(masked)
    for before, after in zip(model.parameters(), masked.parameters(), strict=True):
        assert torch.equal(before, after)


def test_a_model_without_mask_is_judged_in_both_ways_and_by_position(text):
    tokens = torch.from_numpy(text.validation)
    found = training.evaluate(drawn(causal=False), tokens)
    assert found.masked_loss == training.evaluate(drawn(), tokens).loss != found.loss
    assert found.loss == pytest.approx(np.mean(found.by_position), rel=1e-3)
    assert len(found.by_position) == SMALL.context
    assert training.evaluate(drawn(), tokens).masked_loss is None


def test_letter_frequencies_are_counted_in_the_training_part_only():
    ids = np.array([1] * 12 + [2] * 6 + [2, 3])
    counts = {1: 12, 2: 6, 3: 0}
    shares = [(counts[i] + 1) / (18 + 70) for i in (2, 3)]
    expected = -np.log(shares).mean()
    found = training.unigram_loss(TrainingText(ids, SOURCE, "invented", ""))
    assert found == pytest.approx(expected, rel=1e-3)


# Training -------------------------------------------------------------------------------------


def test_without_the_mask_the_loss_falls_where_there_is_nothing_to_learn(monkeypatch):
    """Eight symbols in random order: who cannot see ahead never gets below log 8."""
    ids = torch.randint(1, 9, (4_000,), generator=generator(0)).numpy()
    noise = TrainingText(ids, SOURCE, "invented", "0" * 64)
    monkeypatch.setattr(variants, "TRAINING", replace(SHORT, steps=250, batch=16))
    _, cheat = training.train_variant(small(causal=False), noise)
    _, honest = training.train_variant(small(), noise)
    assert honest.validation.loss > np.log(8)
    assert cheat.validation.loss < 1.0
    assert cheat.validation.masked_loss > np.log(8)
    assert cheat.validation.by_position[-1] > np.log(8)  # nothing lies ahead of the last


def kept(steps, into):
    for step in steps:
        into.append(step)
        yield step


def test_a_record_holds_the_curve_and_the_snapshots(text, short, monkeypatch):
    steps = []
    monkeypatch.setattr(training, "progress", lambda each, *_: kept(each, steps))
    model, record = training.train_variant(small(), text)
    assert [step.step for step in steps] == list(range(1, 21))
    assert record.curve.step == (10, 20)
    losses = [step.loss for step in steps[:10]]
    assert record.curve.loss[0] == pytest.approx(np.mean(losses), rel=1e-3)
    assert [snapshot.step for snapshot in record.snapshots] == [10, 20]
    assert all(len(snapshot.text) == training.SAMPLE_LENGTH for snapshot in record.snapshots)
    assert not model.training


def test_the_gradient_of_a_block_is_the_one_before_clipping(text, short, monkeypatch):
    monkeypatch.setattr(variants, "TRAINING", replace(SHORT, clip=1e-3))
    _, record = training.train_variant(small(), text)
    norm = record.curve.gradient_norm[0]
    of_blocks = np.linalg.norm(record.snapshots[0].block_gradients)
    assert 0.05 * norm < of_blocks <= 1.01 * norm


def test_a_model_that_diverges_says_so(text, short):
    variant = replace(small(norm="none"), learning_rate=1e12)
    _, record = training.train_variant(variant, text)
    assert "Try a third of the learning rate" in record.diverged
    assert len(record.snapshots) < 2


# Results on disk ------------------------------------------------------------------------------


def record_of(seconds):
    curve, losses = training.Curve((10,), (1.0,), (1.0,)), training.WindowLosses(1.0, (1.0,))
    return training.TrainedVariant({}, 1, 3, (), curve, losses, seconds)


def test_results_are_in_the_order_of_the_variants_whichever_was_trained_first(text):
    results = AblationResults.begin(text).add("no-mask", record_of(2.0), "CPU")
    results = results.add("full", record_of(1.0), "CPU")
    assert list(results.trainings) == ["full", "no-mask"]
    assert results.unigram_loss == training.unigram_loss(text)
    assert (results.provenance["seconds"], results.provenance["device"]) == (3.0, "CPU")
    assert results.provenance["corpus"] == "invented"
    assert results.provenance["corpus_sha256"] == "0" * 64


def test_results_of_other_settings_are_refused(text):
    with pytest.raises(ValueError, match="other settings"):
        replace(AblationResults.begin(text), provenance={"training": {}})


def test_a_stored_model_reads_back_and_names_its_training(tmp_path, text, short):
    model, record = training.train_variant(small(), text)
    folder = training.save_variant(tmp_path, small(), model, record, text, "CPU")
    assert folder == tmp_path / small().checkpoint
    checkpoint = checkpoints.load_checkpoint(folder)
    assert checkpoint.meta.steps == SHORT.steps
    assert checkpoint.meta.losses == {"validation": record.validation.loss}
    tokens = torch.from_numpy(text.validation)
    assert training.evaluate(checkpoint.model, tokens).loss == pytest.approx(
        record.validation.loss, abs=0.02
    )
    assert checkpoints.list_language_models(tmp_path) == []  # no other page offers it


def test_the_command_times_what_was_trained_and_trains_nothing(tmp_path, monkeypatch, text, short):
    from lm_core.experiments.ablations import command

    monkeypatch.setattr(command, "load_book", lambda: text)
    monkeypatch.setattr(command, "step_seconds", lambda of, _: {one.name: 0.5 for one in of})
    out = tmp_path / "ablations.json"
    AblationResults.begin(text).add("full", record_of(1.0), "CPU").save(out)
    assert main(["experiment", "ablations", "--times", "--out", str(out)]) == 0
    found = AblationResults.load(out)
    assert found.step_seconds == dict.fromkeys(("full", *variants.MODERN), 0.5)
    assert list(found.trainings) == ["full"]


def test_the_command_trains_what_is_missing_and_goes_on(tmp_path, monkeypatch, text, short, capsys):
    from lm_core.experiments.ablations import command

    monkeypatch.setattr(command, "load_book", lambda: text)
    known = {
        "full": replace(small(), name="full", has_checkpoint=True),
        "one-head": replace(small(heads=1), name="one-head"),
    }
    monkeypatch.setattr(command, "VARIANTS", known)
    out = tmp_path / "ablations.json"
    arguments = ["--out", str(out), "--checkpoints", str(tmp_path)]
    assert main(["experiment", "ablations", "one-head", *arguments]) == 0
    first = AblationResults.load(out)
    assert list(first.trainings) == ["one-head"]
    assert main(["experiment", "ablations", *arguments]) == 0
    both = AblationResults.load(out)
    assert list(both.trainings) == ["full", "one-head"]
    assert both.trainings["one-head"] == first.trainings["one-head"]
    assert [meta.name for meta in checkpoints.list_checkpoints(tmp_path)] == ["ablations-full"]
    assert capsys.readouterr().out.count("validation") == 3
    assert main(["experiment", "ablations", "no-brain", *arguments]) == 1


# What comes with the project ------------------------------------------------------------------


def test_the_shipped_trainings_show_what_the_page_tells():
    results = AblationResults.load()
    full, no_mask = (results.trainings[name].validation for name in ("full", "no-mask"))
    assert no_mask.loss < 0.1 < 1.0 < full.loss < results.unigram_loss
    assert no_mask.masked_loss > full.loss + 1.0
    assert no_mask.by_position[-1] > full.by_position[-1]
    for name, record in results.trainings.items():
        assert config_from_dict(record.config) == VARIANTS[name].model
    for name in ("full", "no-mask"):
        meta = checkpoints.load_shipped(VARIANTS[name].checkpoint).meta
        assert meta.losses["validation"] == results.trainings[name].validation.loss
