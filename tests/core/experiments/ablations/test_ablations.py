"""The transformers without a part: one change each, judged as they are and as they write."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest
import torch

from lm_core.__main__ import main
from lm_core.errors import ResultError
from lm_core.experiments.ablations import results as stored
from lm_core.experiments.ablations import training as learning
from lm_core.experiments.ablations import variants
from lm_core.experiments.ablations.results import SHIPPED, WithoutResults, save_model
from lm_core.experiments.ablations.training import (
    judged,
    letter_frequency_loss,
    train_variant,
    with_mask,
)
from lm_core.experiments.ablations.variants import DEEP, VARIANTS, WHOLE, Variant
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import TrainingText
from lm_core.training.checkpoints import load_checkpoint
from lm_core.training.language_modelling import TrainingConfig

SMALL = replace(WHOLE, width=16, heads=2, layers=2, context=8)
SHORT = TrainingConfig(steps=20, batch=4, window=8, learning_rate=1e-2, held_out=0.1)


@pytest.fixture
def text():
    ids = torch.randint(1, 70, (4_000,), generator=generator(0)).numpy()
    return TrainingText(ids, SOURCE, "invented", "0" * 64)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(variants, "TRAINING", SHORT)
    monkeypatch.setattr(stored, "TRAINING", SHORT)
    monkeypatch.setattr(learning, "LOOK_EVERY", 10)


def small(**changes):
    return Variant("small", "small", replace(SMALL, **changes), learning_rate=1e-2)


# The variants ---------------------------------------------------------------------------------


def changes_of(config, whole):
    names = [field.name for field in fields(config)]
    return {n for n in names if getattr(config, n) != getattr(whole, n)}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_each_variant_lacks_what_its_name_says_and_nothing_else(variant):
    is_deep = variant.model.layers == DEEP.layers
    changed = changes_of(variant.model, DEEP if is_deep else WHOLE)
    expected = {"residual", "norm"} if variant.name.endswith("neither") else None
    assert changed == expected if expected else len(changed) <= 1
    assert variant.name.startswith("deep") == is_deep


def test_the_variants_are_trained_alike_and_have_names_of_their_own():
    trainings = {replace(v.training, seed=0, learning_rate=1.0) for v in VARIANTS.values()}
    assert len(trainings) == 1
    assert len({v.title for v in VARIANTS.values()}) == len(VARIANTS)
    seeds = {v.training.seed for v in VARIANTS.values() if v.model == WHOLE}
    assert seeds == {1, 2, 3}


# Judging --------------------------------------------------------------------------------------


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
    masked = with_mask(model)
    assert not sees_ahead(masked)
    for before, after in zip(model.parameters(), masked.parameters(), strict=True):
        assert torch.equal(before, after)


def test_a_model_without_mask_is_judged_in_both_ways_and_by_place(text):
    tokens = torch.from_numpy(text.validation)
    verdict = judged(drawn(causal=False), tokens)
    assert set(verdict) == {"loss", "by_place", "masked_loss", "masked_by_place"}
    assert verdict["masked_loss"] == judged(drawn(), tokens)["loss"] != verdict["loss"]
    assert verdict["loss"] == pytest.approx(np.mean(verdict["by_place"]), rel=1e-3)
    assert len(verdict["by_place"]) == SMALL.context
    assert set(judged(drawn(), tokens)) == {"loss", "by_place"}


def test_letter_frequencies_are_counted_in_the_training_part_only():
    ids = np.array([1] * 12 + [2] * 6 + [2, 3])
    counts = {1: 12, 2: 6, 3: 0}
    shares = [(counts[i] + 1) / (18 + 70) for i in (2, 3)]
    expected = -np.log(shares).mean()
    found = letter_frequency_loss(TrainingText(ids, SOURCE, "invented", ""))
    assert found == pytest.approx(expected, rel=1e-3)


# Training -------------------------------------------------------------------------------------


def test_without_the_mask_the_loss_falls_where_there_is_nothing_to_learn(monkeypatch):
    """Eight symbols in random order: who cannot see ahead never gets below log 8."""
    ids = torch.randint(1, 9, (4_000,), generator=generator(0)).numpy()
    noise = TrainingText(ids, SOURCE, "invented", "0" * 64)
    monkeypatch.setattr(variants, "TRAINING", replace(SHORT, steps=250, batch=16))
    _, cheat = train_variant(small(causal=False), noise)
    _, honest = train_variant(small(), noise)
    assert honest["validation"]["loss"] > np.log(8)
    assert cheat["validation"]["loss"] < 1.0
    assert cheat["validation"]["masked_loss"] > np.log(8)
    assert cheat["validation"]["by_place"][-1] > np.log(8)  # nothing lies ahead of the last


def test_a_record_holds_the_curve_and_the_looks(text, short):
    heard = []
    model, record = train_variant(small(), text, watch=heard.append)
    assert [step.step for step in heard] == list(range(1, 21))
    assert record["curve"]["step"] == [10, 20]
    losses = [step.loss for step in heard[:10]]
    assert record["curve"]["loss"][0] == pytest.approx(np.mean(losses), rel=1e-3)
    assert [look["step"] for look in record["looks"]] == [10, 20]
    assert all(len(look["text"]) == learning.SAMPLE_LENGTH for look in record["looks"])
    assert not model.training
    assert json.loads(json.dumps(record)) == record


def test_the_gradient_of_a_block_is_the_one_before_clipping(text, short, monkeypatch):
    monkeypatch.setattr(variants, "TRAINING", replace(SHORT, clip=1e-3))
    _, record = train_variant(small(), text)
    norm = record["curve"]["gradient_norm"][0]
    of_blocks = np.linalg.norm(record["looks"][0]["block_gradients"])
    assert 0.05 * norm < of_blocks <= 1.01 * norm


def test_a_model_that_leaves_the_numbers_says_so(text, short):
    variant = replace(small(norm="none"), learning_rate=1e12)
    _, record = train_variant(variant, text)
    assert "Try a third of the learning rate" in record["diverged"]
    assert len(record["looks"]) < 2


# Results on disk ------------------------------------------------------------------------------


def filled():
    results = WithoutResults("invented", "0" * 64, 2.5)
    results.add(VARIANTS["no-mask"], {"seconds": 2.0}, "CPU")
    results.add(VARIANTS["whole"], {"seconds": 1.0}, "CPU")
    return results


def test_results_come_back_as_they_were_in_the_order_of_the_variants(tmp_path):
    filled().save(tmp_path)
    read = WithoutResults.load(tmp_path)
    assert read.names == ["whole", "no-mask"]
    assert read["whole"] == {"seconds": 1.0}
    assert (read.seconds, read.letter_frequency_loss, read.device) == (3.0, 2.5, "CPU")
    assert "one-head" not in read
    with pytest.raises(ResultError, match="'one-head' has not been trained"):
        read["one-head"]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("schema", 0, "another schema"),
        ("training", {}, "other settings"),
        ("records", None, "no readable results"),
    ],
)
def test_other_results_are_refused(tmp_path, field, value, message):
    filled().save(tmp_path)
    path = tmp_path / stored.RESULTS_FILE
    document = json.loads(path.read_text()) | {field: value}
    path.write_text(json.dumps(document))
    with pytest.raises(ResultError, match=message):
        WithoutResults.load(tmp_path)


def test_missing_results_are_named(tmp_path):
    with pytest.raises(ResultError, match="no readable results"):
        WithoutResults.load(tmp_path)


def test_a_kept_model_reads_back_and_names_its_training(tmp_path, text, short):
    model, record = train_variant(small(), text)
    folder = save_model(tmp_path, small(), model, record, text, "CPU")
    checkpoint = load_checkpoint(folder)
    assert checkpoint.meta.steps == SHORT.steps
    assert checkpoint.meta.losses == {"validation": record["validation"]["loss"]}
    tokens = torch.from_numpy(text.validation)
    assert judged(checkpoint.model, tokens)["loss"] == pytest.approx(
        record["validation"]["loss"], abs=0.02
    )


def test_the_command_trains_what_is_missing_and_goes_on(tmp_path, monkeypatch, text, short, capsys):
    from lm_core.cli import without as command

    monkeypatch.setattr(command, "load_book", lambda vocabulary: text)
    known = {"whole": replace(small(), name="whole"), "one-head": replace(small(heads=1))}
    known["one-head"] = replace(known["one-head"], name="one-head")
    monkeypatch.setattr(command, "VARIANTS", known)
    assert main(["without", "one-head", "--out", str(tmp_path)]) == 0
    first = WithoutResults.load(tmp_path)
    assert first.names == ["one-head"]
    assert main(["without", "--out", str(tmp_path)]) == 0
    both = WithoutResults.load(tmp_path)
    assert both.names == ["whole", "one-head"]
    assert both["one-head"] == first["one-head"]
    assert capsys.readouterr().out.count("validation") == 3
    assert main(["without", "no-brain", "--out", str(tmp_path)]) == 1


# What comes with the project ------------------------------------------------------------------


def test_the_shipped_trainings_show_what_the_page_tells():
    results = WithoutResults.load()
    whole, cheat = (results[name]["validation"] for name in ("whole", "no-mask"))
    assert cheat["loss"] < 0.1 < 1.0 < whole["loss"] < results.letter_frequency_loss
    assert cheat["masked_loss"] > whole["loss"] + 1.0
    assert cheat["by_place"][-1] > whole["by_place"][-1]
    for name in results.names:
        assert results[name]["config"] | {"vocabulary_size": 70} == results[name]["config"]
    for name in ("whole", "no-mask"):
        meta = load_checkpoint(SHIPPED / name).meta
        assert meta.losses["validation"] == results[name]["validation"]["loss"]
