"""Many recall networks at once: each equals the same network made of torch's own parts."""

import math

import pytest
import torch
from torch.nn import functional

from lm_core.errors import CheckpointError
from lm_core.experiments.rnn_vs_lstm.models import MODELS, draw
from lm_core.experiments.rnn_vs_lstm.networks import RecallNetworks
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.rnn_vs_lstm.training import RecallTraining
from lm_core.rng import generator

SYMBOLS, WIDTH = 20, 6
TORCH = {
    "rnn": lambda: torch.nn.RNN(SYMBOLS, WIDTH),
    "irnn": lambda: torch.nn.RNN(SYMBOLS, WIDTH, nonlinearity="relu"),
    "gru": lambda: torch.nn.GRU(SYMBOLS, WIDTH),
    "lstm": lambda: torch.nn.LSTM(SYMBOLS, WIDTH),
}
SMALL = {"vocabulary": SYMBOLS, "width": WIDTH}


class Plain(torch.nn.Module):
    """One network as the source builds it, with weights copied from a batch."""

    def __init__(self, model, weights):
        super().__init__()
        self.recurrent = TORCH[model]().to(weights["output_bias"].dtype)
        self.weight = torch.nn.Parameter(weights["output_weight"].clone())
        self.bias = torch.nn.Parameter(weights["output_bias"].clone())
        with torch.no_grad():
            for name, weight in as_torch(weights).items():
                getattr(self.recurrent, name).copy_(weight)

    def forward(self, symbols):
        shown = functional.one_hot(symbols.T, SYMBOLS).to(self.bias.dtype)
        return self.recurrent(shown)[0] @ self.weight + self.bias  # (T, N, V)

    def gradients(self):
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        found = {name: getattr(self.recurrent, name).grad for name in names}
        return found | {"weight": self.weight.grad, "bias": self.bias.grad}


def as_torch(weights):
    """Return a batch's recurrent weights of one network in torch's names and shapes."""
    return {
        "weight_ih_l0": weights["input_weight"].mT.reshape(-1, SYMBOLS),
        "weight_hh_l0": weights["recurrent_weight"].mT.reshape(-1, WIDTH),
        "bias_ih_l0": weights["input_bias"].reshape(-1),
        "bias_hh_l0": weights["recurrent_bias"].reshape(-1),
    }


def of_network(tensors, k):
    return {name: tensor.detach()[k] for name, tensor in tensors.items()}


def consecutive(length):
    return torch.arange(SYMBOLS - length)[:, None] + torch.arange(length)


def loss_of(logits):
    steps, n, _ = logits.shape
    return functional.cross_entropy(logits.flatten(0, 1), torch.arange(n).repeat(steps))


def share_right(logits):
    return (logits[-1].argmax(1) == torch.arange(logits.shape[1])).double().mean()


@pytest.fixture(params=sorted(TORCH))
def batch(request):
    settings = RecallSettings(request.param, (5, 9, 3), (1, 2), **SMALL)
    return RecallNetworks(settings, dtype=torch.float64)


def test_losses_gradients_and_accuracies_are_those_of_torch(batch):
    batch.learn()
    losses = batch.learn()  # a second time: nothing may be left over from the first
    accuracies = batch.accuracies()
    gradients = {name: weight.grad for name, weight in batch.parameters.items()}
    for k, (length, _) in enumerate(batch.settings.networks):
        plain = Plain(batch.settings.model, of_network(batch.parameters, k))
        logits = plain(consecutive(length))
        loss = loss_of(logits)
        loss.backward()
        ours = of_network(gradients, k)
        ours = as_torch(ours) | {"weight": ours["output_weight"], "bias": ours["output_bias"]}
        torch.testing.assert_close(losses[k], loss.detach())
        torch.testing.assert_close(accuracies[k], share_right(logits))
        for name, gradient in plain.gradients().items():
            torch.testing.assert_close(ours[name], gradient)


def test_shuffled_sequences_keep_their_first_symbol_only(batch):
    shuffled = batch.accuracies(4)
    longest = max(length for length, _ in batch.settings.networks)
    shape = SYMBOLS - 3, longest
    fillers = torch.randint(SYMBOLS, shape, generator=generator(4))
    fillers[:, 0] = torch.arange(len(fillers))
    for k, (length, _) in enumerate(batch.settings.networks):
        plain = Plain(batch.settings.model, of_network(batch.parameters, k))
        logits = plain(fillers[: SYMBOLS - length, :length])
        torch.testing.assert_close(shuffled[k], share_right(logits))


def attention_logits(weights, length):
    """One network of attention, written with an explicit mask and softmax."""
    x = weights["symbols"][consecutive(length)] + weights["positions"][:length]
    n, heads = len(x), 2
    queries, keys, values = (
        (x @ weights[name]).view(n, length, heads, -1).transpose(1, 2)
        for name in ("query", "key", "value")
    )
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    allowed = torch.ones(length, length, dtype=torch.bool).tril()
    weighed = scores.masked_fill(~allowed, -torch.inf).softmax(-1) @ values
    mixed = weighed.transpose(1, 2).reshape(n, length, -1) @ weights["mix"]
    return (mixed @ weights["output_weight"] + weights["output_bias"]).transpose(0, 1)


def test_attention_equals_its_formula():
    settings = RecallSettings("attention", (5, 3), (1, 2), **SMALL)
    batch = RecallNetworks(settings, dtype=torch.float64)
    losses, accuracies = batch.learn(), batch.accuracies()
    for k, (length, _) in enumerate(settings.networks):
        weights = of_network(batch.parameters, k)
        weights = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
        logits = attention_logits(weights, length)
        loss = loss_of(logits)
        loss.backward()
        torch.testing.assert_close(losses[k], loss.detach())
        torch.testing.assert_close(accuracies[k], share_right(logits))
        for name, weight in weights.items():
            torch.testing.assert_close(batch.parameters[name].grad[k], weight.grad)


def test_training_is_the_sources_loop():
    settings = RecallSettings("lstm", (4,), (3,), epochs=8, **SMALL)
    plain = Plain("lstm", of_network(RecallNetworks(settings).parameters, 0))
    adam = torch.optim.Adam(plain.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.LambdaLR(adam, lambda epoch: (8 - epoch) / 8)
    expected = []
    for _ in range(8):
        loss = loss_of(plain(consecutive(4)))
        adam.zero_grad()
        loss.backward()
        adam.step()
        schedule.step()
        expected.append(loss.item())
    found = [step.loss for step in RecallTraining(settings)]
    assert found == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("model", ["rnn", "gru", "attention"])
def test_a_network_learns_the_same_alone_and_in_a_batch(model):
    small = {**SMALL, "epochs": 6, "learning_rate": 0.02, "clip": 0.1}
    together = list(RecallTraining(RecallSettings(model, (7, 4, 3), (1, 2), **small)))
    alone = list(RecallTraining(RecallSettings(model, (4,), (2,), **small)))
    k = RecallSettings(model, (7, 4, 3), (1, 2), **small).networks.index((4, 2))
    assert [s.losses[k] for s in together] == pytest.approx([s.loss for s in alone], rel=1e-4)


def test_each_network_is_clipped_by_its_own_norm():
    batch = RecallNetworks(RecallSettings("lstm", (3, 6), (1, 2), **SMALL), dtype=torch.float64)
    batch.learn()
    norms = batch.gradient_norms()
    largest = float(norms.median())
    copies = [
        [torch.nn.Parameter(weight.detach()[k].clone()) for weight in batch.parameters.values()]
        for k in range(4)
    ]
    for k, copied in enumerate(copies):
        for own, weight in zip(copied, batch.parameters.values(), strict=True):
            own.grad = weight.grad[k].clone()
        total = torch.nn.utils.clip_grad_norm_(copied, largest)
        torch.testing.assert_close(norms[k], total)
    batch.clip_gradients(largest)
    for k, copied in enumerate(copies):
        for own, weight in zip(copied, batch.parameters.values(), strict=True):
            torch.testing.assert_close(weight.grad[k], own.grad)
    assert (batch.gradient_norms() < norms).any()


def test_a_resumed_training_goes_on_as_if_nothing_had_happened():
    settings = RecallSettings("gru", (3, 5), (1,), epochs=12, **SMALL)
    straight = list(RecallTraining(settings))
    first = RecallTraining(settings)
    steps = iter(first)
    for _ in range(5):
        next(steps)
    second = RecallTraining(settings)
    second.load_state_dict(first.state_dict())
    resumed = list(second)
    assert [step.step for step in resumed] == list(range(6, 13))
    assert [step.losses for step in resumed] == [step.losses for step in straight[5:]]
    assert resumed[-1].accuracies == straight[-1].accuracies


def test_the_state_of_other_networks_is_refused():
    other = RecallTraining(RecallSettings("gru", (3,), (1,), **SMALL)).state_dict()
    training = RecallTraining(RecallSettings("gru", (3, 5), (1,), **SMALL))
    with pytest.raises(CheckpointError, match="must be of networks"):
        training.load_state_dict(other)


def test_accuracies_come_every_tenth_epoch_and_at_the_end_and_are_news():
    steps = list(RecallTraining(RecallSettings("rnn", (3,), (1,), epochs=13, **SMALL)))
    assert [step.step for step in steps if step.is_news] == [10, 13]
    assert all((step.accuracies is not None) == step.is_news for step in steps)


@pytest.mark.parametrize("model", ["irnn", "lstm", "gru", "attention"])
def test_a_short_beginning_is_learned(model):
    settings = RecallSettings(model, (4,), (1,), vocabulary=24, width=12, clip=1.0)
    *_, last = RecallTraining(settings)
    assert last.accuracies[0] > 0.95
    assert last.loss < 0.5


def test_models_start_as_they_say():
    def start(model, *, as_torch=False):
        return draw(MODELS[model], 512, 32, 18, 7, as_torch=as_torch)

    bound = 32**-0.5
    assert torch.equal(start("irnn")["recurrent_weight"][0], torch.eye(32))
    assert float(start("irnn")["input_weight"].std()) == pytest.approx(0.001, rel=0.05)
    opened, closed = start("lstm-open")["input_bias"], start("lstm")["input_bias"]
    torch.testing.assert_close(opened[1], closed[1] + 4.0)  # gate order i, f, g, o
    torch.testing.assert_close(opened[[0, 2, 3]], closed[[0, 2, 3]])
    assert float(start("rnn")["input_bias"].abs().max()) > 1.0
    assert float(start("rnn", as_torch=True)["input_bias"].abs().max()) <= bound
    assert float(start("rnn")["recurrent_weight"].abs().max()) <= bound


def test_the_start_hangs_on_seed_and_length_alone():
    def start(length, seed):
        return draw(MODELS["rnn"], 40, 8, length, seed, as_torch=False)["input_weight"]

    assert torch.equal(start(5, 1), start(5, 1))
    assert not torch.equal(start(5, 1), start(5, 2))
    assert not torch.equal(start(5, 1), start(6, 1))


def test_sizes_are_those_of_torch_and_the_wide_rnn_is_as_large_as_the_lstm():
    def size(model, length=18):
        return RecallSettings(model, (length,), (0,)).parameter_counts[0]

    lstm = torch.nn.LSTM(512, 32), torch.nn.Linear(32, 512)
    assert size("lstm") == sum(p.numel() for part in lstm for p in part.parameters()) == 86_784
    assert size("rnn") == size("irnn") == 34_368
    assert size("rnn-wide") == pytest.approx(size("lstm"), rel=0.01)
    assert size("attention") == pytest.approx(size("lstm"), rel=0.05)
    assert size("attention", 50) == size("attention") + 32 * 64
