"""The small networks that name the first digit: their training, their files, what they show."""

from dataclasses import replace
from itertools import islice, pairwise

import pytest
import torch

from lm_core.__main__ import main
from lm_core.analysis.gradients import gradient_map
from lm_core.errors import DivergenceError, ResultError, SettingError, TextError
from lm_core.experiments.inside_a_cell import command as inside
from lm_core.experiments.inside_a_cell import training
from lm_core.experiments.inside_a_cell.results import TrainedNetworks
from lm_core.experiments.inside_a_cell.study import TEST_SEED, grid, train_grid
from lm_core.rng import generator

SMALL = training.FirstSymbolConfig("gru", 0.03, 1.0, updates=4, batch=8, length=3, hidden_size=4)


def trained(config):
    network = training.FirstSymbolNetwork(config)
    return network, list(training.train_first_symbol(network, config))


def share_that_gets_back(variant, seed):
    network = training.FirstSymbolNetwork(training.FirstSymbolConfig(variant, seed=seed)).double()
    digits = torch.randint(training.SYMBOLS, (20,), generator=generator(seed))
    direction = network.readout.weight[digits[0]]
    norms = gradient_map(network.cell, network.as_inputs(digits), direction).by_state[-1]
    return float(norms[0] / norms[-1])


# What the page says ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(1, 6))
def test_untrained_less_than_a_thousandth_gets_back_unless_the_forget_gate_starts_open(seed):
    assert share_that_gets_back("rnn", seed) < 1e-3
    assert share_that_gets_back("lstm", seed) < 1e-3
    assert share_that_gets_back("lstm-4", seed) > 0.05


# Training -------------------------------------------------------------------------------------


def test_a_short_sequence_is_learned_and_chance_is_where_it_starts():
    config = replace(SMALL, updates=200, batch=32, hidden_size=12)
    network, steps = trained(config)
    assert steps[0].loss == pytest.approx(2.303, abs=0.25)
    assert steps[-1].loss < 0.2
    assert training.accuracy(network, generator(5), sequences=200, length=3) > 0.97
    assert [step.step for step in steps] == list(range(1, 201))


def test_the_same_seed_gives_the_same_network_and_another_seed_another():
    one, _ = trained(SMALL)
    same, _ = trained(SMALL)
    other, _ = trained(replace(SMALL, seed=2))
    torch.testing.assert_close(one.state_dict(), same.state_dict(), rtol=0, atol=0)
    assert not torch.equal(one.readout.weight, other.readout.weight)


def test_a_seed_gives_the_losses_that_the_shipped_networks_had():
    config = training.FirstSymbolConfig("rnn", 0.01, 1.0)
    steps = islice(training.train_first_symbol(training.FirstSymbolNetwork(config), config), 30)
    losses = [step.loss for step in steps]
    means = [sum(losses[i : i + 10]) / 10 for i in (0, 10, 20)]
    recorded = TrainedNetworks.load().networks[config.name].curve.loss[:3]
    assert means == pytest.approx(recorded, abs=2e-4)


def test_the_weights_are_up_to_date_at_every_record():
    network = training.FirstSymbolNetwork(SMALL)
    weights = [network.cell.weight_hh.detach().clone()]
    for _ in training.train_first_symbol(network, SMALL):
        weights.append(network.cell.weight_hh.detach().clone())
    changes = [float((b - a).abs().max()) for a, b in pairwise(weights)]
    assert len(changes) == 4
    assert min(changes) > 0
    assert changes[-1] < 0.6 * changes[0]  # the learning rate falls


def test_the_gradient_is_clipped_and_its_own_length_recorded():
    free, unclipped = trained(replace(SMALL, clip=None, updates=1))
    short, clipped = trained(replace(SMALL, clip=1e-12, updates=1))
    start = training.FirstSymbolNetwork(SMALL).readout.weight
    assert clipped[0].gradient_norm == unclipped[0].gradient_norm > 0.01
    assert (free.readout.weight - start).abs().max() > 0.01
    assert (short.readout.weight - start).abs().max() < 1e-4


def test_numbers_that_are_none_end_the_training():
    network = training.FirstSymbolNetwork(SMALL)
    with torch.no_grad():
        network.readout.weight.fill_(torch.nan)
    with pytest.raises(DivergenceError, match="at step 1 the loss is nan"):
        next(training.train_first_symbol(network, SMALL))


@pytest.mark.parametrize("variant", training.VARIANTS)
def test_every_variety_starts_as_it_says(variant):
    cell = training.FirstSymbolNetwork(training.FirstSymbolConfig(variant)).cell
    gram = cell.weight_hh.detach()[:16] @ cell.weight_hh.detach()[:16].T
    is_orthogonal = torch.allclose(gram, torch.eye(16), atol=1e-5)
    assert is_orthogonal is (training.VARIANTS[variant].initialisation != "uniform")
    if training.VARIANTS[variant].kind == "lstm":
        forget = cell.bias_ih.detach()[16:32].mean()
        assert forget == pytest.approx(training.VARIANTS[variant].forget_bias, abs=0.2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "mlp"}, "variant must be one of .*got 'mlp'"),
        ({"hidden_size": 0}, "hidden_size must be at least 1, got 0"),
        ({"length": 0}, "length must be at least 1, got 0"),
        ({"learning_rate": 0.0}, "learning_rate must be greater than 0, got 0.0"),
        ({"clip": 0.0}, "clip must be greater than 0 or None, got 0.0"),
    ],
)
def test_impossible_settings_are_refused(change, message):
    with pytest.raises(SettingError, match=message):
        replace(SMALL, **change)


# Digits ---------------------------------------------------------------------------------------


def test_digits_are_read_with_or_without_commas():
    assert training.read_digits("7,3 1 2") == (7, 3, 1, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "2 to 40 digits, got 0: add some"),
        ("7", "2 to 40 digits, got 1: add some"),
        ("1" * 41, "2 to 40 digits, got 41: shorten it"),
        ("12a", "digits 0 to 9, got 'a': leave it out"),
        ("1 -2", "digits 0 to 9, got '-'"),
        ("1²", "digits 0 to 9, got '²'"),
        ("٣٤", "digits 0 to 9, got '٣'"),
    ],
)
def test_what_is_no_sequence_of_digits_is_refused(text, message):
    with pytest.raises(TextError, match=message):
        training.read_digits(text)


# Files ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small_results():
    return train_grid([SMALL, replace(SMALL, variant="rnn", clip=None)], snapshots=(2, 4))


def test_each_snapshot_has_its_weights(small_results):
    read = small_results
    final, _ = trained(SMALL)
    torch.testing.assert_close(read.network(SMALL, 4).state_dict(), final.state_dict())
    start = training.FirstSymbolNetwork(SMALL).state_dict()
    torch.testing.assert_close(read.network(SMALL, 0).state_dict(), start)
    halfway = read.network(SMALL, 2).readout.weight
    assert not torch.equal(halfway, final.readout.weight)
    assert not torch.equal(halfway, start["readout.weight"])


def test_a_snapshot_that_was_not_stored_or_a_network_that_was_not_trained_is_refused(small_results):
    with pytest.raises(ResultError, match=r"no weights of gru/loss-last/rate-0\.03/clip-1\.0/3"):
        small_results.network(SMALL, 3)
    with pytest.raises(ResultError, match="no weights of irnn/"):
        small_results.network(replace(SMALL, variant="irnn"), 4)
    with pytest.raises(SettingError, match=r"snapshots must lie in 1 to 4, got \(5,\)"):
        train_grid([SMALL], snapshots=(5,))


def test_asked_after_every_digit_a_network_learns_what_it_cannot_when_asked_at_the_end():
    shipped = TrainedNetworks.load().networks
    after = {
        (variant, loss_steps): shipped[
            training.FirstSymbolConfig(variant, 0.01, 1.0, loss_steps).name
        ].accuracy
        for variant in training.VARIANTS
        for loss_steps in training.LOSS_STEPS
    }
    assert min(after[variant, "all"][1000] for variant in training.VARIANTS) > 0.99
    assert after["lstm", "last"][1000] < 0.2 < 0.99 < after["lstm-4", "last"][1000]
    assert after["rnn", "all"][200] < 0.5 < 0.99 < after["lstm", "all"][200]


def test_the_loss_of_all_steps_is_their_mean():
    config = replace(SMALL, loss_steps="all", batch=500, updates=1)
    network = training.FirstSymbolNetwork(config)
    (step,) = training.train_first_symbol(network, config)
    untrained = training.FirstSymbolNetwork(config)
    digits = torch.randint(10, (500, 3), generator=generator(config.seed + 1_000_000))
    probabilities = untrained.probabilities(untrained.read(digits).hidden)  # (B, T, 10)
    of_first = probabilities.gather(-1, digits[:, :1, None].expand(-1, 3, 1))
    assert step.loss == pytest.approx(float(-of_first.log().mean()), abs=1e-5)


def test_the_command_trains_and_writes(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(inside, "grid", lambda seed: (replace(SMALL, updates=1000, seed=seed),))
    assert (
        main(["experiment", "inside-a-cell", "--out", str(tmp_path / "x.json"), "--seed", "7"]) == 0
    )
    assert "gru/loss-last/rate-0.03/clip-1.0" in capsys.readouterr().out
    assert TrainedNetworks.load(tmp_path / "x.json").networks[SMALL.name].config.seed == 7


def test_the_shipped_networks_are_all_there_and_do_what_their_provenance_says():
    shipped = TrainedNetworks.load()
    assert set(shipped.networks) == {config.name for config in grid()}
    for variant in ("rnn-orthogonal", "lstm-4"):
        config = training.FirstSymbolConfig(variant, 0.01, 1.0)
        recorded = shipped.networks[config.name].accuracy
        assert set(recorded) == {0, 200, 1000}
        for updates, share in recorded.items():
            network = shipped.network(config, updates)
            assert training.accuracy(network, generator(TEST_SEED)) == pytest.approx(
                share, abs=0.005
            )
