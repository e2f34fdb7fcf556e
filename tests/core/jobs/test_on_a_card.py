"""Recipes and runs on a graphics card, a pretended one: every recipe, shrunken, and recall."""

import threading
from dataclasses import replace
from itertools import islice
from unittest import mock

import pytest

from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.experiment import recall_run
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.war_and_peace import experiment as war_and_peace
from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.jobs import run as runs
from lm_core.jobs.records import Marker, RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.training import distillation
from lm_core.training.checkpoints import load_checkpoint
from lm_core.training.recipes import RECIPES
from tests.core.pretend_card import pretend_card
from tests.core.small_runs import SHA256, TEXT

N_STEPS = 4
_UNTIL_A_MARK_IS_SEEN_S = 0.2


@pytest.fixture
def card(monkeypatch):
    monkeypatch.setattr(war_and_peace, "_SAMPLE_LENGTH", 4)
    # So short a text in hundreds of parts would be read hundreds of times over.
    monkeypatch.setattr(war_and_peace, "_PARTS", (2, 32))
    monkeypatch.setattr(distillation, "_WINDOW", 12)
    monkeypatch.setattr(distillation, "_LEAD", 12)
    with pretend_card() as device:
        yield device


def shrunken(name):
    """A recipe with few and narrow layers, few steps, and all its other settings."""
    recipe = RECIPES[name]
    sizes = {"width": 8, "heads": 2, "layers": 2, "context": 12}
    if isinstance(recipe.model, LSTMLanguageModelConfig):
        sizes = {"embedding_size": 4, "hidden_size": 6, "layers": 2}
    training = replace(
        recipe.training, steps=N_STEPS, batch=4, window=8, warmup_steps=1, held_out=0.1
    )
    return replace(
        recipe, model=replace(recipe.model, **sizes), training=training, snapshot_steps=(1,)
    )


def made(name, root, card):
    """The folder of a checkpoint that another recipe needs: of a fresh model, learned from the text."""
    run = RunFolder(root / name)
    recipe = replace(shrunken(name), starts_from=None, teachers=())
    if not run.path.exists():
        for _ in train_here(run, configured(recipe), TEXT, card):
            pass
    return run.checkpoint


def configured(recipe, start=None, teachers=()):
    return run_config(
        recipe,
        corpus="own text",
        corpus_sha256=SHA256,
        vocabulary=recipe.vocabulary,
        start=start,
        teachers=teachers,
    )


def goes_through(run, config, device, text=None):
    """Train a run in two sessions, the second from what the first saved; then cancel it in a third."""
    n_steps = config.training["steps"]
    steps = train_here(run, config, text, device)
    begun = list(islice(steps, n_steps // 2))
    steps.close()
    assert run.status().state is RunState.PAUSED, run.status().message
    assert run.resume_file.exists()
    ended = list(train_here(run, config, text, device))
    assert run.status().state is RunState.FINISHED, run.status().message
    cancelled = RunFolder(run.path.with_name(f"{run.path.name}-cancelled"))
    with mock.patch.object(runs, "_MARKERS_EVERY_S", 0.001):
        steps = train_here(cancelled, config, text, device)
        next(steps)
        cancelled.mark(Marker.CANCEL)
        threading.Event().wait(_UNTIL_A_MARK_IS_SEEN_S)
        assert not list(steps)
    assert cancelled.status().state is RunState.CANCELLED
    return begun + ended


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe(card, tmp_path, name):
    recipe = shrunken(name)
    start = made(recipe.starts_from, tmp_path, card) if recipe.starts_from else None
    teachers = [made(teacher, tmp_path, card) for teacher in recipe.teachers]
    config = configured(recipe, start, teachers)
    run = RunFolder(tmp_path / "run")
    steps = goes_through(run, config, card, TEXT)
    assert [step.step for step in steps] == list(range(1, N_STEPS + 1))
    assert run.status().device == card.type
    meta = load_checkpoint(run.checkpoint).meta
    assert (meta.device, meta.losses.keys()) == (card.type, {"validation"})
    assert run.last_sample()["text"]


@pytest.mark.parametrize("backbone", BACKBONES)
def test_recall(card, tmp_path, backbone):
    settings = RecallSettings(
        backbone, lengths=(2, 3), seeds=(0, 1), vocabulary=8, width=4, epochs=4
    )
    run = RunFolder(tmp_path / "run")
    steps = goes_through(run, recall_run(settings), card)
    assert [step.step for step in steps] == list(range(1, 5))
    assert run.status().device == card.type
