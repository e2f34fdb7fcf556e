"""The published schedule: every window once a pass, each begun without memory, and a run that goes on."""

from dataclasses import replace

import pytest
import torch
from torch.nn import functional

from lm_core.experiments.published_schedule.results import PUBLISHED_STEPS, ScheduleResults
from lm_core.experiments.published_schedule.training import (
    EVERY,
    MODEL,
    WINDOW,
    WindowTraining,
    kept_points,
    points,
)
from lm_core.rng import generator

SMALL = replace(MODEL, vocabulary_size=9, embedding_size=4, hidden_size=6, layers=2)
TEXT = torch.randint(9, (WINDOW + 12,), generator=generator(1))


def test_a_pass_reads_each_window_once_from_an_empty_state():
    training = WindowTraining(TEXT, replace(SMALL, hidden_dropout=0.0), steps=3, batch=4)
    read = []
    original = training.model.training_logits

    def listening(tokens, state, **options):
        assert all(not tensor.any() for tensor in state)
        read.extend(tokens[:, 0].tolist())
        return original(tokens, state, **options)

    training.model.training_logits = listening
    for _ in training.loop:
        pass
    assert sorted(read) == sorted(TEXT[:12].tolist())


def test_the_loss_is_of_all_places_of_the_windows():
    training = WindowTraining(TEXT, replace(SMALL, hidden_dropout=0.0), steps=1, batch=12)
    model = training.model
    windows = TEXT.unfold(0, WINDOW + 1, 1)
    with torch.no_grad():
        for weight in model.parameters():
            # So certain, and of each place otherwise, that another target has another loss.
            weight.mul_(6.0)
        logits, _ = model(windows[:, :-1], model.initial_state(len(windows)))
    expected = functional.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())
    assert training.loop.take_step().loss == pytest.approx(expected.item(), rel=0.01)  # in bfloat16


def test_a_run_that_is_resumed_goes_on_as_if_nothing_had_happened():
    whole = WindowTraining(TEXT, SMALL, steps=6, batch=5)
    losses = [step.loss for step in whole.loop]
    half = WindowTraining(TEXT, SMALL, steps=6, batch=5)
    for _ in range(3):
        half.loop.take_step()
    rest = WindowTraining(TEXT, SMALL, steps=6, batch=5, seed=8)
    rest.load_state_dict(half.state_dict())
    assert [step.loss for step in rest.loop] == losses[3:]


def test_points_are_means_of_the_steps_since_the_point_before():
    training = WindowTraining(TEXT, SMALL, steps=2 * EVERY, batch=4)
    losses = [step.loss for step in WindowTraining(TEXT, SMALL, steps=2 * EVERY, batch=4).loop]
    found = list(points(training, training.loop, TEXT))
    assert [point.step for point in found] == [EVERY, 2 * EVERY]
    assert found[1].loss == pytest.approx(sum(losses[EVERY:]) / EVERY, abs=1e-4)


def test_a_run_that_was_stopped_goes_on_behind_its_last_kept_point(tmp_path, monkeypatch):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    n_steps = 3 * EVERY

    def training():
        return WindowTraining(TEXT, SMALL, steps=n_steps, batch=4)

    alone = training()
    whole = [*points(alone, alone.loop, TEXT)]
    stopped = kept_points(training(), n_steps, TEXT)
    assert [next(stopped) for _ in whole] == whole
    stopped.close()
    # The disk may lack the state of the second point.
    rest = [*kept_points(training(), n_steps, TEXT)]
    assert 1 <= len(rest) < len(whole)
    assert rest == whole[-len(rest) :]


def test_what_is_shipped_says_how_far_it_came():
    found = ScheduleResults.load()
    assert [point.step for point in found.points] == list(range(EVERY, found.steps + 1, EVERY))
    assert found.steps <= PUBLISHED_STEPS
    assert found.points[-1].loss < 1.7
