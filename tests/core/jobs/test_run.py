import dataclasses
import json

import pytest
import torch

from lm_core.__main__ import main
from lm_core.errors import CheckpointError, DivergenceError, RunError, SettingError
from lm_core.experiments.war_and_peace import shipping
from lm_core.experiments.war_and_peace.shipping import ship
from lm_core.jobs import run as run_module
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.jobs.records import Marker, RunState, RunStatus
from lm_core.jobs.resume import ResumeFile
from lm_core.jobs.run import carry_out, train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.training_text import TrainingText
from lm_core.text.vocabularies import SOURCE_SUBWORDS, SOURCE_SUBWORDS_SIZE
from lm_core.training import checkpoints
from lm_core.training.checkpoints import list_checkpoints, load_checkpoint
from lm_core.training.language_modelling import mean_loss
from lm_core.training.recipes import RECIPES
from tests.core.small_runs import (
    NEVER_DONE,
    RECIPE,
    TEXT,
    assert_same_weights,
    small_config,
    wait_until,
)

CONFIG = small_config(dataclasses.replace(RECIPE, snapshot_steps=(5, 20)))


def train(folder, config=CONFIG):
    return train_here(RunFolder(folder), config, TEXT)


@pytest.fixture
def saving_every_step(monkeypatch):
    monkeypatch.setattr(ResumeFile, "is_due", lambda *_: True)


def test_a_run_leaves_its_model_its_snapshots_its_metrics_and_a_sample(tmp_path):
    steps = list(train(tmp_path / "run"))
    assert [step.step for step in steps] == list(range(1, 61))
    run = RunFolder(tmp_path / "run")
    metas = {meta.name: meta for meta in list_checkpoints(run.checkpoints)}
    assert set(metas) == {"tiny", "tiny-step-5", "tiny-step-20"}
    assert metas["tiny"].characters_seen == 60 * 4 * 8
    assert metas["tiny-step-5"].snapshot_of == "tiny"
    assert metas["tiny-step-5"].steps == 5
    validation = torch.from_numpy(SOURCE.encode(TEXT))[2700:]
    for meta in metas.values():
        model = load_checkpoint(run.checkpoints / meta.name).model
        assert meta.losses["validation"] == pytest.approx(mean_loss(model, validation), abs=5e-3)
    rows = [json.loads(line) for line in run.metrics_file.read_text().splitlines()]
    assert rows[0]["step"] == 1
    assert rows[-1]["step"] == 60
    assert rows[-1]["validation_loss"] == pytest.approx(metas["tiny"].losses["validation"])
    assert len(run.last_sample()["text"]) > 100
    assert run.held_out_loss() == rows[-1]["validation_loss"]


@pytest.fixture
def finished(tmp_path, monkeypatch):
    """A run that came to its end, of a text that stands in for the book."""
    list(train(tmp_path / "run"))
    text = TrainingText(SOURCE.encode(TEXT), SOURCE, "a tale", "f" * 64)
    monkeypatch.setattr(shipping, "load_book", lambda of: {SOURCE: text}[of])
    return RunFolder(tmp_path / "run")


def test_what_a_run_has_trained_is_shipped_in_8_bit_rows(finished, tmp_path):
    run = finished
    rises = {meta.name: rise for meta, rise in ship(run, tmp_path / "assets")}
    trained, shipped = (list_checkpoints(f) for f in (run.checkpoints, tmp_path / "assets"))
    assert {meta.storage for meta in shipped} == {"int8_rows"}
    assert [as_trained(meta) for meta in shipped] == [as_trained(m) for m in trained]
    for meta in trained:
        ours, theirs = (
            load_checkpoint(f / meta.name).model.output.weight
            for f in (run.checkpoints, tmp_path / "assets")
        )
        torch.testing.assert_close(theirs, ours, atol=ours.abs().max().item() / 127, rtol=0.0)
    judged_by = torch.from_numpy(SOURCE.encode(TEXT))[:2700]  # the last tenth decides nothing
    before, after = (
        mean_loss(load_checkpoint(f / "tiny").model, judged_by)
        for f in (run.checkpoints, tmp_path / "assets")
    )
    assert set(rises) == {meta.name for meta in trained}
    assert rises["tiny"] == pytest.approx(after - before)


def test_a_model_that_loses_by_8_bit_rows_is_shipped_as_the_run_stored_it(
    finished, tmp_path, monkeypatch
):
    monkeypatch.setattr(shipping, "LARGEST_RISE", -1.0)
    storages = {meta.name: meta.storage for meta, _ in ship(finished, tmp_path / "assets")}
    assert storages.pop("tiny") == "float16"
    assert set(storages.values()) == {"int8_rows"}  # snapshots are looked at, not quoted
    ours, theirs = (
        load_checkpoint(f / "tiny").model.output.weight
        for f in (finished.checkpoints, tmp_path / "assets")
    )
    assert torch.equal(theirs, ours)


def as_trained(meta):
    return dataclasses.replace(meta, weights_sha256="", storage="float32")


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        ([2.5, 2.25, None], 2.25),
        ([], None),
        ([None], None),
        ([float("nan")], None),
        ([float("inf")], None),
        (["2.5"], None),
    ],
)
def test_the_held_out_loss_is_the_newest_that_is_a_number(tmp_path, looks, expected):
    run = RunFolder(tmp_path)
    rows = [{"step": i, "loss": 1.0, "validation_loss": look} for i, look in enumerate(looks)]
    run.metrics_file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run.held_out_loss() == expected


def test_lines_of_the_metrics_speak_for_all_steps_since_the_last(tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "_METRICS_EVERY_S", 1e9)
    monkeypatch.setattr(run_module, "_FIRST_S", 1e9)
    steps = list(train(tmp_path / "run"))
    reader = MetricsLogReader(tmp_path / "run" / "metrics.jsonl")
    assert [row["step"] for row in reader.read()] == [1, 60]
    assert reader.rows[0]["loss"] == steps[0].loss
    mean = sum(step.loss for step in steps[1:]) / 59
    assert reader.rows[1]["loss"] == pytest.approx(mean)


def test_an_interrupted_run_goes_on_to_the_same_weights(tmp_path):
    list(train(tmp_path / "straight"))
    interrupted = train(tmp_path / "cut")
    for _ in range(33):
        next(interrupted)
    interrupted.close()
    run = RunFolder(tmp_path / "cut")
    assert run.status().state is RunState.PAUSED
    assert run.status().step == 33
    assert [step.step for step in train(tmp_path / "cut")] == list(range(34, 61))
    assert_same_weights(RunFolder(tmp_path / "straight").checkpoint, run.checkpoint)


def test_a_paused_run_leaves_a_model_that_can_be_used(tmp_path):
    interrupted = train(tmp_path / "cut")
    for _ in range(7):
        next(interrupted)
    interrupted.close()
    meta = load_checkpoint(RunFolder(tmp_path / "cut").checkpoint).meta
    assert (meta.name, meta.steps) == ("tiny", 7)


def test_a_finished_run_has_nothing_left_to_do_and_keeps_neither_state_nor_text(tmp_path):
    list(train(tmp_path / "run"))
    run = RunFolder(tmp_path / "run")
    assert run.status().state is RunState.FINISHED
    assert not run.text_file.exists()
    assert not run.resume_file.exists()
    assert list(train(tmp_path / "run")) == []


def test_the_folder_of_another_run_is_refused(tmp_path):
    list(train(tmp_path / "run"))
    with pytest.raises(RunError, match="a run of other settings"):
        next(train(tmp_path / "run", small_config(steps=61)))


def test_two_cannot_train_in_one_folder(tmp_path):
    first = train(tmp_path / "run")
    next(first)
    with pytest.raises(RunError, match=r"is being trained by process \d+ on"):
        next(train(tmp_path / "run"))
    assert next(first).step == 2
    first.close()


@pytest.mark.parametrize(
    ("marker", "state"),
    [
        (Marker.PAUSE, RunState.PAUSED),
        (Marker.CANCEL, RunState.CANCELLED),
        (Marker.REQUEUE, RunState.QUEUED),
    ],
)
def test_a_marker_stops_the_run_between_two_steps(tmp_path, marker, state):
    run = RunFolder(tmp_path / "run")
    steps = train(run.path, small_config(steps=NEVER_DONE))
    next(steps)
    run.mark(marker)
    last = wait_until(lambda: _last_of(steps, 200))
    assert run.status().state is state
    assert run.status().step == last.step
    assert run.marker() is None


def _last_of(steps, at_most):
    """Return the last step if the run ends within so many; None if it goes on."""
    last = None
    for _ in range(at_most):
        step = next(steps, None)
        if step is None:
            return last
        last = step
    return None


def test_a_run_stops_when_its_time_is_up_and_says_so(tmp_path):
    config = dataclasses.replace(small_config(steps=NEVER_DONE), max_seconds=1e-3)
    steps = list(train(tmp_path / "run", config))
    run = RunFolder(tmp_path / "run")
    assert len(steps) < 10
    assert run.status().state is RunState.CANCELLED
    assert "the most that a run may take here" in run.status().message
    meta = load_checkpoint(run.checkpoint).meta
    assert meta.steps == len(steps)
    assert "validation" not in meta.losses, "who stops it does not wait for an evaluation"


def test_a_run_that_has_had_its_turn_makes_way_only_if_somebody_waits(tmp_path, monkeypatch):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    monkeypatch.setattr(run_module, "_WAITING_EVERY_S", 0.0)
    run, other = RunFolder(tmp_path / "runs" / "first"), RunFolder(tmp_path / "runs" / "second")
    config = small_config(steps=NEVER_DONE)
    run.create(config, RunStatus(RunState.PAUSED, NEVER_DONE, pause_at=1e-3), TEXT)
    steps = train(run.path, config)
    for _ in range(20):
        next(steps)
    other.create(CONFIG, RunStatus(RunState.QUEUED, 60))
    assert next(steps, None) is None
    status = run.status()
    assert (status.state, status.step) == (RunState.PAUSED, 20)
    assert run.text_file.read_text() == TEXT
    assert status.message


def test_a_loss_that_is_no_number_fails_the_run_with_advice(tmp_path, saving_every_step):
    config = small_config(learning_rate=3e37, warmup_steps=0)
    with pytest.raises(DivergenceError, match="Try a third of the learning rate"):
        list(train(tmp_path / "run", config))
    status = RunFolder(tmp_path / "run").status()
    assert status.state is RunState.FAILED
    assert "Try a third of the learning rate" in status.message
    state = ResumeFile(RunFolder(tmp_path / "run").resume_file).load()
    assert all(weight.isfinite().all() for weight in state["model"].values())


def test_what_went_wrong_first_is_told_and_a_save_that_failed_then_noted(tmp_path, monkeypatch):
    def full(self):
        raise CheckpointError("No space left")

    monkeypatch.setattr(ResumeFile, "wait", full)
    with pytest.raises(DivergenceError) as told:
        list(train(tmp_path / "run", small_config(learning_rate=3e37, warmup_steps=0)))
    assert told.value.__notes__ == ["A checkpoint could not be saved either: No space left"]


def test_a_damaged_state_is_refused_by_name(tmp_path, saving_every_step):
    interrupted = train(tmp_path / "cut")
    next(interrupted)
    interrupted.close()
    path = RunFolder(tmp_path / "cut").resume_file
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(CheckpointError, match=r"state.safetensors is damaged"):
        next(train(tmp_path / "cut"))


def test_a_run_of_a_damaged_config_has_failed(tmp_path):
    run = RunFolder(tmp_path / "run")
    run.create(CONFIG, RunStatus(RunState.STARTING, 60))
    (run.path / "config.json").write_text("{")
    with pytest.raises(RunError, match=r"config.json is damaged"):
        next(carry_out(run))
    assert run.status().state is RunState.FAILED


def test_recipes_go_by_their_own_name():
    assert all(name == recipe.name for name, recipe in RECIPES.items())
    assert RECIPES["source-lstm"].model.layers == 4


def test_an_unknown_recipe_is_answered_with_the_known_ones(capsys):
    assert main(["train", "gpt"]) == 1
    assert "recipe must be one of ['book-lstm'," in capsys.readouterr().err


def test_a_recipe_may_go_on_from_another_ones_snapshot(tmp_path):
    list(train(tmp_path / "first"))
    folder = RunFolder(tmp_path / "first").checkpoints / "tiny-step-20"
    second = dataclasses.replace(RECIPE, name="second", starts_from="tiny-step-20")
    run = train(tmp_path / "second", small_config(second, start=folder))
    fresh_loss = next(train(tmp_path / "fresh", small_config(seed=1))).loss
    assert next(run).loss != fresh_loss
    assert len(list(run)) == 59
    meta = load_checkpoint(RunFolder(tmp_path / "second").checkpoint).meta
    assert meta.steps == 80
    assert meta.characters_seen == 80 * 4 * 8
    assert meta.recipe["starts_from"] == load_checkpoint(folder).meta.recipe


def test_the_snapshots_of_a_first_half_are_moments_of_the_whole(tmp_path):
    early = dataclasses.replace(RECIPE, name="early", snapshots_of="tiny", snapshot_steps=(5, 20))
    list(train(tmp_path / "run", small_config(early)))
    checkpoints = list_checkpoints(RunFolder(tmp_path / "run").checkpoints)
    names = {meta.name: meta.snapshot_of for meta in checkpoints}
    assert names == {"early": None, "tiny-step-5": "tiny", "tiny-step-20": "tiny"}


def test_the_wrong_start_is_refused():
    second = dataclasses.replace(RECIPE, starts_from="elsewhere")
    with pytest.raises(SettingError, match="starts from 'elsewhere', got None"):
        small_config(second)


def test_another_checkpoint_of_the_same_name_is_no_start(tmp_path):
    list(train(tmp_path / "first"))
    folder = RunFolder(tmp_path / "first").checkpoint
    config = small_config(dataclasses.replace(RECIPE, starts_from="tiny"), start=folder)
    other = dataclasses.replace(config, start_sha256="0" * 64)
    with pytest.raises(CheckpointError, match="the run is of 000000000000"):
        next(train(tmp_path / "second", other))


def teach(tmp_path, monkeypatch, vocabulary="source", **model):
    """Ship a trained teacher, and return the config of a pupil."""
    shipped = RunFolder(tmp_path / "teacher").checkpoints
    teacher = dataclasses.replace(RECIPE, model=dataclasses.replace(RECIPE.model, **model))
    config = dataclasses.replace(small_config(teacher), vocabulary=vocabulary)
    list(train(tmp_path / "teacher", config))
    monkeypatch.setattr(checkpoints, "SHIPPED", shipped)
    return small_config(dataclasses.replace(RECIPE, name="pupil", teachers=("tiny",)))


def test_a_pupil_learns_what_its_teacher_expects(tmp_path, monkeypatch):
    config = teach(tmp_path, monkeypatch, embedding_size=7)
    taught = [step.loss for step in train(tmp_path / "taught", config)]
    alone = dataclasses.replace(config, teachers=(), teachers_sha256=())
    assert [step.loss for step in train(tmp_path / "alone", alone)] != taught
    meta = load_checkpoint(RunFolder(tmp_path / "taught").checkpoint).meta
    assert meta.recipe["teachers"] == ["tiny"]
    other = dataclasses.replace(config, teachers_sha256=("0" * 64,))
    with pytest.raises(CheckpointError, match="the run is of 000000000000"):
        next(train(tmp_path / "other", other))


def test_an_averaged_model_lies_halfway_between_where_it_began_and_where_it_came_to(tmp_path):
    list(train(tmp_path / "first", small_config()))
    start = RunFolder(tmp_path / "first").checkpoint
    recipe = dataclasses.replace(RECIPE, name="second", starts_from="tiny")
    weights = {}
    for averaged in (False, True):
        run = tmp_path / str(averaged)
        list(train(run, small_config(dataclasses.replace(recipe, averaged=averaged), start=start)))
        model, meta = load_checkpoint(RunFolder(run).checkpoint)
        assert meta.recipe.get("averaged", False) == averaged
        weights[averaged] = model.state_dict()
    for name, weight in load_checkpoint(start).model.state_dict().items():
        assert not torch.equal(weight, weights[False][name]), name
        mean = (weight + weights[False][name]) / 2
        torch.testing.assert_close(weights[True][name], mean, atol=1e-3, rtol=1e-3)


def test_a_mean_needs_a_start():
    with pytest.raises(SettingError, match="averaged must be False where no start is given"):
        small_config(dataclasses.replace(RECIPE, averaged=True))


def test_a_teacher_may_read_subwords_of_the_same_alphabet(tmp_path, monkeypatch):
    pupil = teach(
        tmp_path, monkeypatch, vocabulary=SOURCE_SUBWORDS, vocabulary_size=SOURCE_SUBWORDS_SIZE
    )
    taught = [step.loss for step in train(tmp_path / "taught", pupil)]
    alone = dataclasses.replace(pupil, teachers=(), teachers_sha256=())
    assert [step.loss for step in train(tmp_path / "alone", alone)] != taught
    assert taught[-1] < taught[0]


def test_a_teacher_of_another_alphabet_is_refused(tmp_path, monkeypatch):
    config = teach(tmp_path, monkeypatch)
    model = {**config.model, "vocabulary_size": len(FULL)}
    other = dataclasses.replace(config, model=model, vocabulary=FULL.name)
    with pytest.raises(SettingError, match="tiny must read 'full' as their pupil does"):
        next(train(tmp_path / "pupil", other))


def test_a_teacher_needs_one_device(tmp_path, monkeypatch):
    config = teach(tmp_path, monkeypatch)
    with pytest.raises(SettingError, match="devices must be 1 where a teacher is given, got 2"):
        dataclasses.replace(config, devices=2)


def test_a_run_whose_text_is_gone_says_so(tmp_path):
    with pytest.raises(RunError, match="the text of this run, 'own text', is gone"):
        next(train_here(RunFolder(tmp_path / "run"), CONFIG))
