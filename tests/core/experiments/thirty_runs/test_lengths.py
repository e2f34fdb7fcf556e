"""One small network a run, by cell, length and seed."""

import pytest
import torch

from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.rnn_vs_lstm.training import train_batch
from lm_core.experiments.thirty_runs import lengths
from lm_core.experiments.thirty_runs.scaling import ScalingResults


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(lengths, "VOCABULARY", 16)
    monkeypatch.setattr(lengths, "EPOCHS", 20)


def test_a_run_is_the_training_of_the_recall_experiment(quick):
    settings = RecallSettings("rnn", (6,), (0, 3), vocabulary=16, epochs=20)
    trained = {r.seed: r.accuracy for r in train_batch(settings, torch.device("cpu"))}
    found = {seed: lengths.accuracy_at_length("rnn", 6, seed) for seed in trained}
    assert found == pytest.approx(trained, abs=1e-5)
    assert len({*found.values()}) == 2  # so that the seed is the run's own


def test_turns_are_taken_for_a_few_epochs_each(quick, turns):
    lengths.accuracy_at_length("lstm", 3, 0, model_turn=turns)
    assert turns.taken == 5  # the start, and four pieces of five epochs


def test_what_was_measured_is_of_each_cell_at_each_length():
    measured = ScalingResults.load(ScalingResults.shipped()).recalled
    assert tuple((found.cell, found.length) for found in measured) == lengths.NETWORKS
    assert {len(found.accuracies) for found in measured} == {lengths.SEEDS}
    first = measured[0]
    assert lengths.accuracy_at_length(first.cell, first.length, 0) == pytest.approx(
        first.accuracies[0], abs=0.02
    )
