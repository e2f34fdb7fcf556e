"""Learning to count: the published figures, unseen prompts, and prompts that cannot be read."""

from itertools import islice, pairwise

import pytest
import torch
from torch import nn
from torch.nn import functional

from lm_core.__main__ import main
from lm_core.analysis.spectra import spectra
from lm_core.errors import ResultError, SettingError, ShapeError, TextError
from lm_core.experiments.counting.inference import (
    MOST_NUMBERS,
    accuracy_by_length,
    continue_counting,
    parse_numbers,
)
from lm_core.experiments.counting.results import CONFIG, CountingResults
from lm_core.experiments.counting.training import (
    CountingConfig,
    counting_runs,
    save_counting,
    train_counting,
)
from lm_core.models.counting_network import CountingNetwork, CountingNetworkConfig
from lm_core.rng import generator
from lm_core.training.checkpoints import load_checkpoint

PUBLISHED_LOSSES = {1: 5.032, 2: 4.265, 21: 0.109, 25: 0.0879}


@pytest.fixture(scope="module", params=range(3))
def epochs(request):
    """With the published settings, which are the defaults."""
    return list(train_counting(CountingConfig(seed=request.param)))


def answers(model, prompt, n=1):
    return [step.number for step in continue_counting(model, prompt, n)]


# The published experiment ---------------------------------------------------------------------


def test_the_runs_are_the_published_ones_and_never_wrap_around():
    inputs, targets = counting_runs(128, 6)
    assert inputs.shape == targets.shape == (122, 6)
    assert inputs[0].tolist() == [0, 1, 2, 3, 4, 5]
    assert targets[0].tolist() == [1, 2, 3, 4, 5, 6]
    assert (inputs.max(), targets.max(), targets.min()) == (126, 127, 1)


def test_the_published_losses_are_met_within_the_spread_of_seeds(epochs):
    losses = {epoch.epoch: epoch.loss for epoch in epochs}
    assert list(losses) == list(range(26))
    for epoch, published in PUBLISHED_LOSSES.items():
        assert published / 1.7 < losses[epoch] < published * 1.7, epoch
    assert losses[11] < 1.5


def test_the_rate_falls_linearly_from_a_tenth(epochs):
    rates = [epoch.learning_rate for epoch in epochs[1:]]
    assert rates == pytest.approx([0.1 * (25 - i) / 25 for i in range(25)])


def test_after_7_8_9_10_comes_11_and_12_from_the_carried_state(epochs):
    assert answers(epochs[-1].model, (7, 8, 9, 10), 2) == [11, 12]


def test_prompts_as_long_as_in_training_are_all_right_and_longer_ones_are_not(epochs):
    accuracy = {a.length: a.accuracy for a in accuracy_by_length(epochs[-1].model, 12)}
    assert accuracy[6] == 1.0
    assert accuracy[12] < 0.8


@pytest.mark.parametrize("seed", range(2))
def test_small_initial_weights_carry_the_count_beyond_the_training_length(seed):
    config = CountingConfig(CountingNetworkConfig(initialisation="uniform"), seed=seed)
    model = list(train_counting(config))[-1].model
    assert accuracy_by_length(model, 24)[-1].accuracy > 0.98
    assert answers(model, (7, 8, 9, 10), 20) == list(range(11, 31))


def test_the_untrained_network_knows_nothing(epochs):
    assert accuracy_by_length(epochs[0].model, 6)[-1].accuracy < 0.1


# The records ----------------------------------------------------------------------------------


def test_the_same_settings_give_the_same_epochs_and_another_seed_others():
    config = CountingConfig(epochs=2)
    first, again = (list(train_counting(config))[-1] for _ in range(2))
    other = list(train_counting(CountingConfig(epochs=2, seed=1)))[-1]
    assert first.loss == again.loss != other.loss


def test_a_seed_gives_the_losses_that_it_always_gave():
    losses = [epoch.loss for epoch in islice(train_counting(CountingConfig(seed=3)), 4)]
    assert losses[:2] == pytest.approx([4.966919, 4.937914], rel=1e-5)
    assert losses[2:] == pytest.approx([3.958249, 3.212464], rel=1e-2)  # processors round otherwise


def test_an_epoch_has_its_own_weights(epochs):
    weights = [epoch.model.cell.weight_hh for epoch in epochs]
    assert not any(weight.requires_grad for weight in weights)
    assert all(not torch.equal(a, b) for a, b in pairwise(weights))


def test_the_network_is_torchs_rnn_with_a_linear_layer():
    model = CountingNetwork(CountingNetworkConfig(numbers=9, hidden_size=5)).double()
    model.initialise(generator(3))
    layer = nn.RNN(9, 5, batch_first=True).double()
    layer.load_state_dict({f"{n}_l0": p.detach() for n, p in model.cell.named_parameters()})
    numbers = torch.tensor([[1, 8, 0], [4, 4, 2]])
    hidden, _ = layer(functional.one_hot(numbers, 9).double())
    logits, (state,) = model(numbers, model.initial_state(2))
    torch.testing.assert_close(logits, model.output(hidden))
    torch.testing.assert_close(state, hidden[:, -1])


def test_a_carried_state_gives_what_the_whole_prompt_gives(epochs):
    model = epochs[-1].model
    written = continue_counting(model, (7, 8, 9, 10), 3)
    at_once = continue_counting(model, (7, 8, 9, 10, *(step.number for step in written[:2])), 1)
    assert written[2].probabilities == pytest.approx(at_once[0].probabilities, abs=1e-5)
    assert sum(written[0].probabilities) == pytest.approx(1.0, abs=1e-5)


def test_accuracy_counts_every_start_once(epochs):
    """By hand: one prompt after another."""
    model = epochs[8].model  # half trained: neither all right nor all wrong
    for entry in accuracy_by_length(model, 9)[6:]:
        starts = range(128 - entry.length)
        prompts = [tuple(range(s, s + entry.length)) for s in starts]
        right = [answers(model, p) == [p[-1] + 1] for p in prompts]
        assert entry.n_prompts == len(right)
        assert entry.accuracy == pytest.approx(sum(right) / len(right))


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("7 8 9 10", (7, 8, 9, 10)), (" 0,127;\n5 ", (0, 127, 5)), ("007", (7,)), ("3", (3,))],
)
def test_prompts_that_can_be_read(text, numbers):
    assert parse_numbers(text, 128) == numbers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the prompt is empty: write numbers from 0 to 127"),
        (" , ; ", "the prompt is empty"),
        ("7 8 128", r"got '128': write numbers from 0 to 127"),
        ("7 -1", r"got '-1': write numbers from 0 to 127"),
        ("seven", r"got 'seven': write numbers from 0 to 127"),
        ("7.5", r"got '7.5'"),
        ("٣", "got '٣'"),
        ("9" * 5000, r"got '9{20}\.\.\.'"),
        ("1 " * 3000, r"at most 100 numbers, got 3,000: leave out 2,900"),
    ],
)
def test_prompts_that_cannot(text, message):
    with pytest.raises(TextError, match=message):
        parse_numbers(text, 128)


@pytest.mark.parametrize(("numbers", "longest"), [(12, 10), (66, 64), (128, 64)])
def test_runs_are_as_long_as_two_fewer_than_there_are_numbers_and_never_above_64(numbers, longest):
    network = CountingNetworkConfig(numbers, 4)
    assert CountingConfig(network, length=longest).runs >= 2
    with pytest.raises(SettingError, match=rf"1\.\.{longest}, got {longest + 1}"):
        CountingConfig(network, length=longest + 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"length": 0}, r"length must lie in 1\.\.64, got 0"),
        ({"length": 10_000}, r"length must lie in 1\.\.64, got 10000"),
        ({"epochs": 0}, r"epochs must lie in 1\.\.200, got 0"),
        ({"learning_rate": 0.0}, r"learning_rate must lie in \(0, 1\], got 0.0"),
        ({"learning_rate": float("nan")}, r"learning_rate must lie in \(0, 1\], got nan"),
    ],
)
def test_impossible_trainings_are_refused(change, message):
    with pytest.raises(SettingError, match=message):
        CountingConfig(**change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden_size": 0}, r"hidden_size must lie in 1\.\.256, got 0"),
        ({"numbers": 1}, "numbers must be at least 2, got 1"),
        ({"initialisation": "zero"}, r"initialisation must be one of .* got 'zero'"),
    ],
)
def test_impossible_networks_are_refused(change, message):
    with pytest.raises(SettingError, match=message):
        CountingNetworkConfig(**change)


def test_questions_out_of_range_are_refused(epochs):
    model = epochs[0].model
    with pytest.raises(SettingError, match=r"n must lie in 1\.\.100, got 101"):
        continue_counting(model, (1,), MOST_NUMBERS + 1)
    for prompt in ((), (128,), (-1,)):
        with pytest.raises(SettingError, match=r"the prompt must be numbers in 0\.\.127"):
            continue_counting(model, prompt, 1)
    with pytest.raises(SettingError, match=r"longest must lie in 1\.\.127, got 128"):
        accuracy_by_length(model, 128)
    with pytest.raises(ShapeError, match=r"tokens must have shape \(B, T\), got \(4,\)"):
        model(torch.arange(4), model.initial_state(1))


def test_standard_normal_weights_stretch_a_state_and_pytorchs_do_not():
    """Random matrices with entries of variance s^2 have a radius near s sqrt(H)."""
    radius = {}
    for initialisation in ("normal", "uniform"):
        model = CountingNetwork(CountingNetworkConfig(initialisation=initialisation))
        model.initialise(generator(0))
        radius[initialisation] = spectra(model.cell)[0].radius
    assert radius["normal"] == pytest.approx(32**0.5, rel=0.2)
    assert radius["uniform"] == pytest.approx(3**-0.5, rel=0.2)


# The checkpoint -------------------------------------------------------------------------------


def test_the_checkpoint_of_a_trained_network_has_its_weights_and_settings(tmp_path):
    config = CountingConfig(CountingNetworkConfig(12, 4, "uniform"), length=3, epochs=2, seed=7)
    *_, last = train_counting(config)
    model, meta = load_checkpoint(save_counting(tmp_path, config, last, 0.123))
    for name, weight in last.model.state_dict().items():
        torch.testing.assert_close(model.state_dict()[name], weight, rtol=0, atol=0)
    assert continue_counting(model, (3, 4), 5) == continue_counting(last.model, (3, 4), 5)
    assert meta.name == "counting-uniform-seed-7-epoch-2"
    assert (meta.steps, meta.characters_seen, meta.seconds) == (4, 2 * 9 * 3, 0.12)
    assert meta.losses == {"last epoch": last.loss}
    assert meta.recipe == {"length": 3, "epochs": 2, "learning_rate": 0.1, "seed": 7}
    assert meta.corpus == "runs of 3 numbers from 0 to 11"


def test_an_untrained_network_has_no_checkpoint(tmp_path):
    config = CountingConfig(CountingNetworkConfig(12, 4), length=3, epochs=2)
    untrained = next(train_counting(config))
    with pytest.raises(SettingError, match="epoch must be at least 1, got 0: train"):
        save_counting(tmp_path, config, untrained, 0.0)
    assert not list(tmp_path.iterdir())


# The shipped training ---------------------------------------------------------------------------


def test_the_shipped_epochs_are_those_of_the_training():
    shipped = CountingResults.load().epochs
    again = list(islice(train_counting(CONFIG), 4))
    assert [epoch.epoch for epoch in shipped] == list(range(26))
    assert shipped[25].loss < 0.1
    for one, other in zip(shipped, again, strict=False):
        assert one.loss == pytest.approx(other.loss, rel=1e-2)
        assert one.learning_rate == other.learning_rate
    # Processors round otherwise, and each epoch multiplies the difference by about a hundred.
    for one, other in zip(shipped[:2], again, strict=False):
        torch.testing.assert_close(
            one.model.state_dict(), other.model.state_dict(), rtol=1e-2, atol=1e-3
        )


def test_the_command_writes_epochs_that_can_be_read(tmp_path, capsys):
    main(["experiment", "counting", "--out", str(tmp_path / "x.json")])
    made, shipped = CountingResults.load(tmp_path / "x.json"), CountingResults.load()
    assert made.epochs[25].loss == pytest.approx(shipped.epochs[25].loss, rel=0.2)
    assert f"{made.epochs[25].loss:.4f}" in capsys.readouterr().out


def test_a_training_that_is_not_whole_is_refused():
    epochs = CountingResults.load().epochs
    with pytest.raises(ValueError, match="must be 26 epochs, got 9"):
        CountingResults.of(epochs[:9], 0.1)
    other = next(train_counting(CountingConfig(CountingNetworkConfig(hidden_size=4))))
    with pytest.raises(ResultError, match="weights must be of"):
        _ = CountingResults.of((other,) * 26, 0.1).epochs
