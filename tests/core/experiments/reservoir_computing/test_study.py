"""Trained networks beside reservoirs, the grid, read-outs of letters, and what is shipped."""

import argparse
from dataclasses import replace

import numpy as np
import pytest
import torch

from lm_core.errors import ResultError
from lm_core.experiments.reservoir_computing import command, learned, letters, rnn, series, study
from lm_core.experiments.reservoir_computing.letters import learn_letters, letter_draws
from lm_core.experiments.reservoir_computing.memory import memory_task
from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.study import (
    CHOSEN,
    HORIZON,
    LETTERS,
    RADII,
    GridPoint,
    score,
    study_grid,
)
from lm_core.models.reservoir import (
    KINDS,
    SPARSE,
    ReservoirSettings,
    draw_reservoir,
    run_reservoir,
    scale_reservoir,
)
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE

FEW = rnn.RNNTraining(units=10, steps=60, batch=8, window=60, skipped=20, learning_rate=1e-2)


# Trained networks -----------------------------------------------------------------------------


def test_a_trained_network_says_the_same_as_torch_when_it_takes_a_reservoirs_place():
    network = rnn.TrainableRNN(6, 2, generator(1))
    inputs = torch.randn((1, 8, 1), generator=generator(2))
    states = run_reservoir(network.as_reservoir(), inputs[0].double().numpy())
    expected = network(inputs)[0].detach().numpy()
    np.testing.assert_allclose(network.readout()(states), expected, atol=1e-5)
    assert np.abs(network.recurrent.layer.bias_hh_l0.detach().numpy()).max() > 0.01


def test_training_lowers_the_error_and_starts_with_an_orthogonal_matrix():
    network = rnn.TrainableRNN(10, 1, generator(1))
    w = network.as_reservoir().weight_hh
    np.testing.assert_allclose(w @ w.T, np.eye(10), atol=1e-5)
    task = series.series_task(series.TWO_SINES)
    trained = rnn.train_on_series(task, FEW, seed=1)
    assert trained.losses[-1] < 0.2 * trained.losses[0]
    assert len(trained.losses) == 10
    own, solved = rnn.score_on_series(trained.network, task, 1e-8)
    assert solved.errors[0] < own.errors[0] < 1.0


def test_windows_pair_each_input_with_its_target():
    seen = []

    class Spy(rnn.TrainableRNN):
        def forward(self, inputs):
            seen.append(inputs[..., 0])
            return super().forward(inputs) * 0.0

    inputs = np.arange(30.0)
    training = replace(FEW, units=2, steps=1, window=5, skipped=2)
    losses = [
        step.loss
        for step in rnn.train_rnn(
            Spy(2, 1, generator(0)), inputs, -inputs[:, None], training, generator(1)
        )
    ]
    expected = seen[0][:, 2:].square().mean()
    assert losses == pytest.approx([float(expected)])


def test_memory_beyond_what_was_trained_counts_for_the_solved_read_out_alone():
    task = memory_task(delays=30)
    own, solved = rnn.score_on_memory(rnn.TrainableRNN(10, 4, generator(1)), task, 1e-8)
    assert own.shape == solved.shape == (30,)
    assert own[4:].max() == 0.0
    assert solved[:3].min() > own[:3].max()


# The grid -------------------------------------------------------------------------------------


def test_a_score_is_that_of_the_task_at_the_published_horizon():
    leak, _, penalty = CHOSEN[series.MACKEY_GLASS]
    draws = draw_reservoir(study.UNITS, 1, study.DENSITY, generator(4))
    reservoir = scale_reservoir(draws, ReservoirSettings(0.9, leak, 0.1))
    expected = series.study_series(
        reservoir, series.series_task(series.MACKEY_GLASS), penalty
    ).errors
    assert score(series.MACKEY_GLASS, SPARSE, 0.1, 0.9, 4) == expected[HORIZON - 1] != expected[0]


def test_the_grid_holds_every_combination(monkeypatch):
    monkeypatch.setattr(study, "score", lambda *_: 1.0)
    points = list(study_grid(2))
    assert len(points) == len(set(points)) == 3 * len(KINDS) * 3 * len(RADII) * 2
    monkeypatch.setattr(study, "learn_letters", lambda *_: None)
    monkeypatch.setattr(study, "loss_on_letters", lambda *_: 2.0)
    assert len(list(study.study_letters(np.zeros(1), np.zeros(1), 1))) == len(KINDS) * len(RADII)


# What is shipped ------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(letters, "UNITS", 8)


def test_the_command_keeps_what_is_done_and_saves_what_is_read_back(tmp_path, monkeypatch, small):
    text = torch.randint(1, len(SOURCE), (4_000,), generator=generator(1)).numpy()
    book = type("Book", (), {"train": text, "validation": text, "corpus": "", "sha256": ""})()
    monkeypatch.setattr(command, "load_book", lambda: book)
    monkeypatch.setattr(study, "study_grid", lambda _: [GridPoint("", "", 0.1, 1.0, 1, 2.0)])
    points = [
        GridPoint(LETTERS, kind, 1.0, radius, 1, radius + (kind == SPARSE))
        for kind in reversed(KINDS)
        for radius in RADII
    ]
    others = [point._replace(seed=2, score=9.0) for point in points]
    monkeypatch.setattr(study, "study_letters", lambda *_: points + others)
    monkeypatch.setattr(learned, "loss_of_rnn", lambda _: 1.5)
    monkeypatch.setattr(learned, "TRAINING", replace(FEW, steps=2))
    monkeypatch.setattr(
        learned, "MEMORY_TRAINING", replace(FEW, steps=2, outputs=5, window=20, skipped=5)
    )
    path = tmp_path / "found.json"
    asked = argparse.Namespace(runs=tmp_path / "runs", rnn_seeds=1, seeds=1, out=path)
    command.run(asked)
    found = ReservoirResults.load(path)
    assert [row.loss for row in found.letters] == [radius + 1 for radius in RADII]
    assert len(found.series) == 3
    assert found.quartiles(LETTERS, SPARSE, 1.0)[0.5].tolist() == [3.375, 5.25, 7.125]
    with pytest.raises(ResultError, match="the grid must hold"):
        found.quartiles(LETTERS, SPARSE, 0.1)
    shipped = found.letter_model(0.5).readout
    solved = learn_letters(letter_draws(1), 0.5, text).readout
    np.testing.assert_allclose(shipped.weights, solved.weights, atol=1e-6)
    np.testing.assert_allclose(shipped.constant, solved.constant, atol=1e-6)
    np.testing.assert_array_equal(found.draws.recurrent, letter_draws(1).recurrent)
    before = (tmp_path / "runs" / "memory-1.json").stat().st_mtime_ns
    command.run(asked)
    assert (tmp_path / "runs" / "memory-1.json").stat().st_mtime_ns == before
