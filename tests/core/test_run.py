import dataclasses
import json

import pytest
import torch

from lm_core.__main__ import main
from lm_core.errors import CheckpointError, SettingError
from lm_core.recurrent.language_model import LSTMLanguageModelConfig
from lm_core.rng import generator
from lm_core.training import run
from lm_core.training.checkpoints import list_checkpoints, load_checkpoint
from lm_core.training.loop import TrainingConfig, mean_loss
from lm_core.training.recipes import RECIPES, Recipe
from lm_core.training.run import run_recipe

RECIPE = Recipe(
    name="tiny",
    title="Tiny",
    about="For the tests.",
    model=LSTMLanguageModelConfig(8, 6, 12, 1, hidden_dropout=0.2),
    training=TrainingConfig(steps=60, batch=4, window=8),
    snapshot_steps=(5, 20),
)
TEXT = torch.randint(0, 8, (400,), generator=generator(0))


def start(folder, recipe=RECIPE):
    return run_recipe(
        recipe, TEXT, folder, validation=TEXT[:100], corpus="none", corpus_sha256="0" * 64
    )


def test_a_run_leaves_its_model_its_snapshots_and_its_metrics(tmp_path):
    steps = list(start(tmp_path))
    assert [step.step for step in steps] == list(range(1, 61))
    metas = {meta.name: meta for meta in list_checkpoints(tmp_path)}
    assert set(metas) == {"tiny", "tiny-step-5", "tiny-step-20"}
    assert metas["tiny"].characters_seen == 60 * 4 * 8
    assert metas["tiny-step-5"].snapshot_of == "tiny"
    assert metas["tiny-step-5"].steps == 5
    for meta in metas.values():
        model = load_checkpoint(tmp_path / meta.name).model
        assert meta.losses["validation"] == pytest.approx(mean_loss(model, TEXT[:100]), abs=5e-3)
    lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [50]


def test_an_interrupted_run_goes_on_to_the_same_weights(tmp_path, monkeypatch):
    list(start(tmp_path / "straight"))
    monkeypatch.setattr(run, "RESUME_EVERY_S", 0.0)
    interrupted = start(tmp_path / "cut")
    for _ in range(33):
        next(interrupted)
    interrupted.close()
    resumed = [step.step for step in start(tmp_path / "cut")]
    # The generator was closed while it stood at the yield of step 33, saved just before.
    assert resumed[0] == 34
    straight = load_checkpoint(tmp_path / "straight" / "tiny").model.state_dict()
    cut = load_checkpoint(tmp_path / "cut" / "tiny").model.state_dict()
    for name, weight in straight.items():
        assert torch.equal(weight, cut[name]), name


def test_a_finished_run_has_nothing_left_to_do(tmp_path):
    list(start(tmp_path))
    assert list(start(tmp_path)) == []


def test_the_folder_of_another_run_is_refused(tmp_path):
    list(start(tmp_path))
    other = Recipe(**vars(RECIPE) | {"training": TrainingConfig(steps=61, batch=4, window=8)})
    with pytest.raises(CheckpointError, match="a run of other settings"):
        next(start(tmp_path, other))


def test_recipes_go_by_their_own_name():
    assert all(name == recipe.name for name, recipe in RECIPES.items())
    assert RECIPES["source-lstm"].model.layers == 4


def test_an_unknown_recipe_is_answered_with_the_known_ones(capsys):
    assert main(["train", "gpt"]) == 1
    assert "recipe must be one of ['book-lstm'," in capsys.readouterr().err


def test_a_recipe_may_go_on_from_another_ones_snapshot(tmp_path):
    list(start(tmp_path / "first"))
    first = load_checkpoint(tmp_path / "first" / "tiny-step-20")
    second = dataclasses.replace(RECIPE, name="second", starts_from="tiny-step-20")
    run = run_recipe(
        second,
        TEXT,
        tmp_path / "second",
        validation=TEXT[:100],
        corpus="none",
        corpus_sha256="0" * 64,
        start=first,
    )
    fresh_loss = next(start(tmp_path / "fresh")).loss
    assert next(run).loss != fresh_loss
    assert len(list(run)) == 59
    meta = load_checkpoint(tmp_path / "second" / "second").meta
    assert meta.steps == 80
    assert meta.characters_seen == 80 * 4 * 8
    assert meta.recipe["starts_from"] == first.meta.recipe


def test_the_snapshots_of_a_first_half_are_moments_of_the_whole(tmp_path):
    list(start(tmp_path, dataclasses.replace(RECIPE, name="early", snapshots_of="tiny")))
    metas = {meta.name: meta.snapshot_of for meta in list_checkpoints(tmp_path)}
    assert metas == {"early": None, "tiny-step-5": "tiny", "tiny-step-20": "tiny"}


def test_the_wrong_start_is_refused(tmp_path):
    second = dataclasses.replace(RECIPE, starts_from="elsewhere")
    with pytest.raises(SettingError, match="starts from 'elsewhere', got None"):
        next(start(tmp_path, second))
