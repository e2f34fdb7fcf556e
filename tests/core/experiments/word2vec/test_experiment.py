"""A short text learned from as a run: the same vectors as in one go, its snapshots on the way, its end."""

import json
from dataclasses import asdict, replace
from itertools import islice

import pytest
import torch

from lm_core.errors import DivergenceError, RunError, SettingError, TextError
from lm_core.experiments.word2vec import short_text
from lm_core.experiments.word2vec.experiment import read_record, short_text_run, vector_config
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.jobs.records import Marker, RunConfig, RunState
from lm_core.jobs.registry import kind_of
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.rng import generator

CONFIG = FullSoftmaxConfig(width=4, window=2, batch=64, epochs=2, max_norm=None)
TEXT = short_text.synthetic_text(120, generator(1))
SHORT = short_text.short_text(TEXT, 3)


def a_run(text=TEXT, minimum_count=3, config=CONFIG):
    short = short_text.short_text(text, minimum_count)
    return short_text_run(text, short, minimum_count, config, corpus="a tale")


@pytest.fixture
def run(tmp_path):
    return RunFolder(tmp_path / "run")


def test_a_run_learns_what_is_learned_in_one_go(run):
    alone = short_text.RecordedTraining(SHORT, CONFIG)
    list(alone)
    steps = list(train_here(run, a_run(), TEXT))
    found = read_record(run)
    assert run.status().state is RunState.FINISHED
    assert found.is_done
    assert found.losses == alone.losses == [step.loss for step in steps]
    assert found.seconds == steps[-1].seconds
    assert len(found.snapshots) == short_text.SNAPSHOTS + 1
    for snapshot, expected in zip(found.snapshots, alone.snapshots, strict=True):
        assert (snapshot.share, snapshot.step) == (expected.share, expected.step)
        assert torch.equal(snapshot.input, expected.input)
        assert torch.equal(snapshot.output, expected.output)


def test_each_snapshot_can_be_seen_as_soon_as_it_is_taken(run):
    config = a_run()
    seen = {}
    for step in train_here(run, config, TEXT):
        seen[step.step] = len(read_record(run).snapshots)
    first, *_ = config.snapshot_steps
    assert seen[first - 1] == 0
    assert [seen[step] for step in config.snapshot_steps] == list(
        range(2, short_text.SNAPSHOTS + 1)
    )


def test_what_is_cancelled_keeps_what_it_has_learned_but_not_the_text(run):
    # Hundreds of steps: the mark is looked for ten times a second.
    steps = train_here(run, a_run(config=replace(CONFIG, epochs=100)), TEXT)
    n = len(list(islice(steps, 10)))
    run.mark(Marker.CANCEL)
    n += len(list(steps))
    found = read_record(run)
    assert run.status().state is RunState.CANCELLED
    assert len(found.losses) == n < found.n_steps
    assert not found.is_done
    assert found.snapshots[-1].step == n, "what was learned up to the stop"
    assert not any(b"soldiers" in path.read_bytes() for path in run.path.rglob("*.*"))


def test_a_short_training_takes_no_snapshot_twice(run):
    config = a_run(config=replace(CONFIG, batch=100_000, epochs=5))
    list(train_here(run, config, TEXT))
    assert config.snapshot_steps == (1, 2, 3, 4)
    assert [snapshot.step for snapshot in read_record(run).snapshots] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "other",
    [
        {"text": TEXT + " more"},
        {"minimum_count": 4},
        {"config": replace(CONFIG, seed=2)},
        {"config": replace(CONFIG, width=5)},
    ],
)
def test_another_text_or_setting_is_another_run(other):
    assert a_run(**other).fingerprint() != a_run().fingerprint()


def test_a_run_is_settled_as_it_is():
    config = a_run()
    assert kind_of(config).settled(config) == config
    assert vector_config(config) == CONFIG


def test_skip_gram_is_a_run_too_and_learns_what_is_learned_in_one_go(run):
    skip_gram = replace(short_text.SKIP_GRAM, width=4, window=2, epochs=2, seed=3)
    config = RunConfig(**json.loads(json.dumps(asdict(a_run(config=skip_gram)))))
    assert vector_config(config) == skip_gram
    assert config.fingerprint() == a_run(config=skip_gram).fingerprint() != a_run().fingerprint()
    alone = short_text.RecordedTraining(SHORT, skip_gram)
    list(alone)
    list(train_here(run, config, TEXT))
    found = read_record(run)
    assert found.is_done
    assert found.losses == alone.losses
    assert torch.equal(found.snapshots[-1].input, alone.snapshots[-1].input)


def test_a_run_of_cbow_keeps_the_key_that_it_always_had():
    assert a_run().fingerprint() == "072872299cb8f201"


def test_rare_words_as_one_word_are_another_run_which_learns_what_is_learned_in_one_go(run):
    text = f"{TEXT} zebra"
    short = short_text.short_text(text, 3, maps_rare=True)
    given = short_text_run(text, short, 3, CONFIG, corpus="a tale")
    config = RunConfig(**json.loads(json.dumps(asdict(given))))
    assert config.fingerprint() == given.fingerprint() != a_run(text).fingerprint()
    assert vector_config(config) == CONFIG
    alone = short_text.RecordedTraining(short, CONFIG)
    list(alone)
    list(train_here(run, config, text))
    assert torch.equal(read_record(run).snapshots[-1].input, alone.snapshots[-1].input)
    assert len(alone.snapshots[-1].input) == len(SHORT.vocabulary) + 1


def test_the_text_must_be_there_and_the_one_that_was_meant(run, tmp_path):
    with pytest.raises(RunError, match="deleted"):
        list(train_here(run, a_run()))
    with pytest.raises(TextError, match="another text"):
        list(train_here(RunFolder(tmp_path / "other"), a_run(), TEXT * 2))


@pytest.mark.parametrize("field", ["minimum_count", "window", "unknown"])
def test_a_config_with_a_field_missing_or_surplus_is_refused(field):
    config = a_run()
    training = dict(config.training)
    if training.pop(field, None) is None:
        training[field] = 1
    with pytest.raises(SettingError, match=field):
        kind_of(config).settled(replace(config, training=training))


def test_a_loss_that_is_no_number_fails_the_run(run, monkeypatch):
    def diverge(self):
        raise DivergenceError("the loss of step 1 is nan")

    name = "lm_core.experiments.word2vec.full_softmax.FullSoftmaxTraining._next_loss"
    monkeypatch.setattr(name, diverge)
    with pytest.raises(DivergenceError):
        list(train_here(run, a_run(), TEXT))
    assert run.status().state is RunState.FAILED
    assert "nan" in run.status().message


def test_a_damaged_file_of_snapshots_is_named(run):
    list(train_here(run, a_run(), TEXT))
    path = run.checkpoint / "snapshots.safetensors"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(RunError, match=r"snapshots\.safetensors is damaged"):
        read_record(run)
