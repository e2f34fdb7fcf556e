"""Repeated experiments: what they compute, and how they are kept."""

import json
from dataclasses import replace

import pytest
import torch

from lm_core.cli import experiment
from lm_core.errors import ResultError
from lm_core.experiments.counting.training import CountingConfig, train_counting
from lm_core.experiments.published_figures import command, repetitions, study
from lm_core.experiments.published_figures.results import Repetitions
from lm_core.models.recurrent import RNNCell
from lm_core.rng import generator


def test_the_worked_example_is_a_product_of_rows():
    inputs, rows = torch.arange(51.0, 55.0), torch.arange(1.0, 17.0).reshape(4, 4)
    assert repetitions.worked_queries() == (rows @ inputs).tolist() == [530, 1370, 2210, 3050]


def test_the_notebooks_seed_gives_its_probabilities():
    shares = repetitions.temperature_distribution()
    assert sum(shares) == pytest.approx(1.0)
    assert (shares.index(max(shares)), shares.index(min(shares))) == (13, 11)
    assert (round(shares[13], 4), round(shares[11], 4)) == (0.2786, 0.0102)


@pytest.mark.parametrize("seed", range(3))
def test_layers_by_hand_equal_torchs(seed):
    differences = [
        compare(generator(seed))
        for compare in (
            repetitions.rnn_difference,
            repetitions.lstm_difference,
            lambda rng: repetitions.attention_difference(3, 1, rng),
            lambda rng: repetitions.attention_difference(4, 2, rng),
        )
    ]
    assert max(differences) < 1e-6


def test_a_difference_would_be_seen():
    other = RNNCell(5, 3, activation="relu")
    layer = torch.nn.RNN(5, 3, batch_first=True)
    assert repetitions._cell_difference(other, layer, 5, generator(0)) > 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_reversed_inputs_change_nothing_but_rounding(seed):
    for compare in (
        repetitions.encoder_permutation,
        repetitions.cross_attention_permutation,
        repetitions.transformer_permutation,
    ):
        assert compare(generator(seed)).difference < 1e-5


def test_an_encoder_follows_the_order_of_its_input():
    """Without turning its output round, the difference is far beyond rounding."""
    layer = repetitions._drawn(torch.nn.TransformerEncoderLayer(8, 4, dropout=0.0), generator(0))
    x = torch.randn(4, 8, generator=generator(1))
    assert repetitions._permutation(layer, x).difference > 0.1
    assert repetitions._permutation(layer, x, is_equivariant=True).difference < 1e-5


def test_restarts_on_the_irises_are_the_same_each_time():
    first, again = repetitions.iris_restart(1), repetitions.iris_restart(1)
    assert first == again
    assert 16 <= first.k_means_errors <= 150
    assert 5 <= first.em_errors <= 150
    assert 150 < first.em_loss < 400


def test_unequal_groups_are_harder_than_equal_ones():
    equal, unequal = (
        sum(repetitions.blob_errors(name, seed) for seed in range(12))
        for name in (repetitions.BALANCED, repetitions.UNBALANCED)
    )
    assert equal <= 2
    assert unequal > 20


def test_counting_keeps_the_losses_of_the_published_epochs():
    losses = repetitions.counting_losses(3)
    trained = list(train_counting(CountingConfig(seed=3)))
    assert losses == {epoch: trained[epoch].loss for epoch in (1, 2, 21, 25)}


# Kept -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def few():
    return study.repeat(range(2), range(3), range(1, 3))


def test_what_is_saved_is_read_again(few, tmp_path):
    few.save(tmp_path / "x.json")
    found = Repetitions.load(tmp_path / "x.json")
    assert found.blobs == few.blobs
    assert found.queries == few.queries
    assert [r.em_errors for r in found.iris] == [r.em_errors for r in few.iris]
    assert found.permutations["transformer"][1].is_close == few.permutations["transformer"][1][1]
    for kept, made in zip(found.counting, few.counting, strict=True):
        assert kept == pytest.approx(made, rel=1e-5)


def test_the_shipped_file_holds_these_repetitions(few):
    shipped = Repetitions.load(Repetitions.shipped())
    for kept, made in zip(shipped.counting, few.counting, strict=False):
        # Processors round otherwise: after 21 epochs two of them differed by 23 %.
        assert kept == pytest.approx(made, rel=0.35)
    assert shipped.blobs[repetitions.BALANCED][:3] == few.blobs[repetitions.BALANCED]
    assert [r.k_means_errors for r in shipped.iris[:2]] == [r.k_means_errors for r in few.iris]
    assert shipped.temperature == pytest.approx(few.temperature, rel=1e-5)


def test_a_collapsed_component_is_kept_as_no_number(few, tmp_path):
    collapsed = few.iris[0]._replace(em_loss=float("-inf"))
    replace(few, iris=(collapsed,)).save(tmp_path / "x.json")
    assert Repetitions.load(tmp_path / "x.json").iris == (collapsed,)


@pytest.mark.parametrize("iris", [None, []], ids=["none", "empty"])
def test_a_file_without_repetitions_is_refused(few, tmp_path, iris):
    path = tmp_path / "x.json"
    few.save(path)
    document = json.loads(path.read_text())
    document["data"]["iris"] = iris
    del document["sha256"]
    path.write_text(json.dumps(document))
    with pytest.raises(ResultError, match="published-figures makes it"):
        Repetitions.load(path)


def test_the_table_is_printed_without_repeating_anything(capsys, monkeypatch):
    monkeypatch.setattr(study, "repeat", None)
    arguments = type("Arguments", (), {"table": True, "out": None})
    command.run(arguments)
    printed = capsys.readouterr().out
    assert "does not hold" in printed
    assert "RNN, 18 symbols" in printed
    assert "published_figures" in experiment.experiments_with_command()
