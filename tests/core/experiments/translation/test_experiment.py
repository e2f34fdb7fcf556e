"""A translation run from its first step to scores and 8-bit rows, with a handful of made-up pairs."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from lm_core.errors import CheckpointError, ResultError, RunError, SettingError
from lm_core.experiments.translation import evaluation, experiment, shipping
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.results import ModelScore, TranslationResults
from lm_core.experiments.translation.settings import TranslationRecipe, TranslationTrainingConfig
from lm_core.experiments.translation.shipping import finished_runs, scored, ship
from lm_core.experiments.translation.training import mean_loss
from lm_core.jobs.records import RunState
from lm_core.jobs.registry import kind_of
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import SIZE
from lm_core.training.checkpoints import load_checkpoint

PAIRS = tuple(
    SentencePair(f"A {noun} is {verb}.", f"Un {nom} {verbe}.")
    for noun, nom in (("man", "homme"), ("dog", "chien"), ("boy", "garçon"))
    for verb, verbe in (("running", "court"), ("sleeping", "dort"))
)
RECIPE = TranslationRecipe(
    "translation-tiny",
    "Tiny",
    EncoderDecoderConfig(SIZE, "additive", 6, 5, 7, 4, 3),
    TranslationTrainingConfig(steps=6, batch_tokens=40, warmup_steps=1),
    snapshot_steps=(2,),
)


@pytest.fixture(autouse=True)
def made_up_pairs(monkeypatch):
    for module in (experiment, shipping):
        monkeypatch.setattr(module, "load_pairs", lambda part: PAIRS)
    monkeypatch.setattr(experiment, "pairs_sha256", lambda: "made up")


@pytest.fixture
def finished(tmp_path):
    run = RunFolder(tmp_path / "runs" / RECIPE.name)
    for _ in train_here(run, translation_run(RECIPE)):
        pass
    return run


def test_a_run_leaves_its_model_with_its_provenance(finished):
    assert finished.status().state is RunState.FINISHED
    model, meta = load_checkpoint(finished.checkpoint)
    assert model.config == RECIPE.model
    assert (meta.steps, meta.seed, meta.experiment) == (6, 1, "translation")
    assert meta.corpus_sha256 == "made up"
    assert meta.recipe["batch_tokens"] == 40
    assert meta.characters_seen > 0
    assert meta.losses["validation, nats per token"] > 0.0
    snapshot = load_checkpoint(finished.snapshot(2)).meta
    assert (snapshot.steps, snapshot.snapshot_of) == (2, RECIPE.name)
    assert (snapshot.storage, meta.storage) == ("int8_rows", "float32")


def test_a_quick_look_reads_some_of_the_validation_pairs(monkeypatch):
    config = translation_run(RECIPE)
    begun = kind_of(config).prepare(config, None, "cpu")
    whole = begun.validation_loss()
    monkeypatch.setattr(experiment, "_N_ESTIMATED", 2)
    model, pairs = begun.training.model, begun.training.validation
    assert begun.validation_loss() == pytest.approx(mean_loss(model, pairs[:2]))
    assert begun.validation_loss() != pytest.approx(whole)


def test_a_run_of_other_pairs_is_refused(monkeypatch):
    config = translation_run(RECIPE)
    monkeypatch.setattr(experiment, "pairs_sha256", lambda: "others")
    with pytest.raises(RunError, match="others"):
        kind_of(config).prepare(config, None, "cpu")


def test_a_run_that_was_stopped_goes_on(tmp_path, finished):
    run, steps = RunFolder(tmp_path / "stopped"), []
    for step in train_here(run, translation_run(RECIPE)):
        steps.append(step.step)
        if step.step == 3:
            break
    steps += [step.step for step in train_here(run, translation_run(RECIPE))]
    assert steps == [1, 2, 3, 4, 5, 6]
    whole, resumed = (load_checkpoint(each.checkpoint).meta for each in (finished, run))
    assert whole.weights_sha256 == resumed.weights_sha256


def test_a_run_is_known_by_its_settings():
    config = translation_run(RECIPE)
    assert kind_of(config).settled(config) == config
    assert translation_run(RECIPE.with_seed(2)).fingerprint() != config.fingerprint()
    with pytest.raises(SettingError, match="smoothing"):
        kind_of(config).settled(replace(config, training={**config.training, "smoothing": 1}))


def test_a_run_begins_with_the_weights_of_another(tmp_path, finished):
    later = replace(RECIPE, name="translation-later", starts_from=RECIPE.name)
    with pytest.raises(SettingError, match=RECIPE.name):
        translation_run(later)
    config = translation_run(later, finished.checkpoint)
    begun = kind_of(config).prepare(config, None, "cpu")
    before = load_checkpoint(finished.checkpoint)
    for name, weight in begun.state_dict()["model"].items():
        assert torch.equal(weight, before.model.state_dict()[name])
    run = RunFolder(tmp_path / "later")
    for _ in train_here(run, config):
        pass
    meta = load_checkpoint(run.checkpoint).meta
    assert meta.steps == 12
    assert meta.characters_seen == 2 * before.meta.characters_seen
    assert meta.recipe["starts_from"] == before.meta.recipe
    with pytest.raises(CheckpointError, match="other weights"):
        kind_of(config).prepare(replace(config, start_sha256="0"), None, "cpu")


def test_a_run_goes_on_from_another_seed_of_its_start(tmp_path):
    other = RunFolder(tmp_path / "other")
    for _ in train_here(other, translation_run(RECIPE.with_seed(2))):
        pass
    later = replace(RECIPE, name="translation-later", starts_from=RECIPE.name)
    assert translation_run(later, other.checkpoint).start_sha256
    with pytest.raises(SettingError, match="make that one first"):
        translation_run(replace(later, starts_from="translation-other"), other.checkpoint)


def test_the_size_of_a_model_is_known_without_building_it(finished):
    config = translation_run(RECIPE)
    model = load_checkpoint(finished.checkpoint).model
    assert kind_of(config).parameter_count(config) == model.parameter_count


def test_finished_runs_are_scored_and_shipped(tmp_path, finished):
    RunFolder(tmp_path / "runs" / "other").create(
        translation_run(RECIPE.with_seed(2)), finished.status().__class__(RunState.PAUSED, 6)
    )
    (checkpoint,) = finished_runs(tmp_path / "runs")
    lines = []
    score = scored(checkpoint, lines.append)
    assert (score.attention, score.context_size, score.seed) == ("additive", 4, 1)
    assert score.beam.n_sentences == len(PAIRS)
    assert score.ablated is not None
    assert score.ablated_heads == ()  # the only head is all of the attention
    assert score.passes == pytest.approx(6, abs=5)
    assert [band.bleu.n_sentences for band in score.by_length] == [len(PAIRS)]
    folder, rise = ship(checkpoint, tmp_path / "shipped")
    shipped = load_checkpoint(folder)
    assert shipped.meta.storage == "int8_rows"
    assert abs(rise) < shipping.LARGEST_RISE
    before = checkpoint.meta.losses["validation, nats per token"]
    after = shipped.meta.losses["validation, nats per token"]
    assert after == pytest.approx(before + rise, abs=1e-3)


def test_a_model_that_loses_by_its_storage_is_not_shipped(tmp_path, finished, monkeypatch):
    monkeypatch.setattr(shipping, "LARGEST_RISE", -1.0)
    (checkpoint,) = finished_runs(finished.path.parent)
    with pytest.raises(CheckpointError, match="8-bit"):
        ship(checkpoint, tmp_path / "shipped")


# Scores ---------------------------------------------------------------------------------------

sacrebleu = pytest.importorskip("sacrebleu")
REFERENCES = [pair.target for pair in PAIRS]


def test_bleu_is_sacrebleus_and_lies_in_its_interval():
    translations = [*REFERENCES[:3], "Un chat dort.", "Une femme court vite.", REFERENCES[5]]
    found = evaluation.bleu(translations, REFERENCES)
    expected = sacrebleu.corpus_bleu(translations, [REFERENCES]).score
    assert found.score == pytest.approx(expected, abs=0.01)
    assert found.low < found.score < found.high
    assert "bs:1000" in found.signature
    assert "tok:13a" in found.signature
    assert evaluation.bleu(REFERENCES, REFERENCES).score == 100.0


def test_scores_by_length_share_out_all_sentences():
    pairs = [SentencePair("word " * n, "mot " * n) for n in (2, 8, 9, 30)]
    found = evaluation.bleu_by_length(pairs, [pair.target for pair in pairs], samples=10)
    assert [band.bleu.n_sentences for band in found] == [2, 1, 1]
    assert [(band.fewest, band.most) for band in found] == [(1, 8), (9, 11), (19, 60)]
    assert all(a[1] + 1 == b[0] for a, b in pairwise(evaluation.LENGTH_BANDS))


def test_a_model_is_found_by_its_name_and_by_its_recipe():
    score = evaluation.Bleu(52.5, 51.0, 54.0, 1000, "signature")
    model = ModelScore(
        name="a",
        title="A",
        attention="none",
        context_size=32,
        parameters=7,
        steps=6,
        seed=1,
        passes=2.5,
        seconds=9.0,
        validation_loss=1.5,
        validation=score,
        greedy=score,
        beam=score._replace(score=53.0),
        by_length=(evaluation.LengthBleu(1, 8, score),),
        ablated=None,
        ablated_heads=(evaluation.HeadBleu(1, 0, 51.5),),
    )
    other = replace(model, name="b", ablated=score)
    again = replace(model, name="a-seed-2", seed=2)
    results = TranslationResults({"beam_width": 5}, (again, model, other))
    assert results.named("b").ablated == score
    assert results.seeds_of("a") == [model, again]
    assert results.seeds_of("c") == []
    with pytest.raises(ResultError, match="'c'"):
        results.named("c")
