"""Many recall networks at once: each equals the same network made of torch's own parts."""

import math

import pytest
import torch
from torch.nn import functional

from lm_core.errors import CheckpointError
from lm_core.experiments.rnn_vs_lstm.backbones import initialised_network
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.rnn_vs_lstm.training import RecallTraining, recall_results
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
    """One network as it was published, of torch's own layers, with weights copied from a batch."""

    def __init__(self, backbone, weights):
        super().__init__()
        self.recurrent = TORCH[backbone]()
        self.output = torch.nn.Linear(WIDTH, SYMBOLS)
        self.to(weights["output.bias"].dtype)
        with torch.no_grad():
            for name, parameter in self.by_name().items():
                parameter.copy_(weights[name])

    def by_name(self):
        """The parameters by the names that they have in a batch."""
        recurrent = {
            f"backbone.{name.removesuffix('_l0')}": parameter
            for name, parameter in self.recurrent.named_parameters()
        }
        return recurrent | {f"output.{n}": p for n, p in self.output.named_parameters()}

    def forward(self, symbols):
        shown = functional.one_hot(symbols.T, SYMBOLS).to(self.output.bias.dtype)
        return self.output(self.recurrent(shown)[0])  # (T, N, V)


def learn(batch):
    """Set the gradient of every weight of a batch; return the losses."""
    weights = [weight for group in batch.groups for weight in group.weights.values()]
    for weight in weights:
        weight.grad = None
    losses = batch.losses()
    losses.sum().backward()
    return losses.detach()


def weights_and_gradients(batch, k):
    """Both of network k, by name."""
    length, seed = batch.settings.networks[k]
    (group,) = (group for group in batch.groups if group.length == length)
    at = batch.settings.seeds.index(seed)
    weights = {name: weight.detach()[at] for name, weight in group.weights.items()}
    return weights, {name: weight.grad[at].clone() for name, weight in group.weights.items()}


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
    return RecallTraining(settings, dtype=torch.float64)


def test_losses_gradients_and_accuracies_are_those_of_torch(batch):
    losses, accuracies = learn(batch), batch.accuracies()
    for k, (length, _) in enumerate(batch.settings.networks):
        weights, gradients = weights_and_gradients(batch, k)
        plain = Plain(batch.settings.backbone, weights)
        logits = plain(consecutive(length))
        loss = loss_of(logits)
        loss.backward()
        torch.testing.assert_close(losses[k], loss.detach())
        torch.testing.assert_close(accuracies[k], share_right(logits))
        assert len(gradients) == 6
        for name, parameter in plain.by_name().items():
            torch.testing.assert_close(gradients[name], parameter.grad)


def test_shuffled_sequences_keep_their_first_symbol_only(batch):
    learn(batch)
    shuffled = batch.accuracies(4)
    longest = max(length for length, _ in batch.settings.networks)
    shape = SYMBOLS - 3, longest
    fillers = torch.randint(SYMBOLS, shape, generator=generator(4))
    fillers[:, 0] = torch.arange(len(fillers))
    for k, (length, _) in enumerate(batch.settings.networks):
        plain = Plain(batch.settings.backbone, weights_and_gradients(batch, k)[0])
        logits = plain(fillers[: SYMBOLS - length, :length])
        torch.testing.assert_close(shuffled[k], share_right(logits))


def attention_logits(weights, length):
    """One network of attention, written with an explicit mask and softmax."""
    x = weights["backbone.symbols"][consecutive(length)] + weights["backbone.positions"][:length]
    n, heads = len(x), 2
    queries, keys, values = (
        (x @ matrix.T).view(n, length, heads, -1).transpose(1, 2)
        for matrix in weights["backbone.attention.projections.weight"].chunk(3)
    )
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    allowed = torch.ones(length, length, dtype=torch.bool).tril()
    weighed = scores.masked_fill(~allowed, -torch.inf).softmax(-1) @ values
    joined = weighed.transpose(1, 2).reshape(n, length, -1)
    mixed = joined @ weights["backbone.attention.output.weight"].T
    return (mixed @ weights["output.weight"].T + weights["output.bias"]).transpose(0, 1)


def test_attention_equals_its_formula():
    settings = RecallSettings("attention", (5, 3), (1, 2), **SMALL)
    batch = RecallTraining(settings, dtype=torch.float64)
    losses, accuracies = learn(batch), batch.accuracies()
    for k, (length, _) in enumerate(settings.networks):
        weights, gradients = weights_and_gradients(batch, k)
        weights = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
        logits = attention_logits(weights, length)
        loss = loss_of(logits)
        loss.backward()
        torch.testing.assert_close(losses[k], loss.detach())
        torch.testing.assert_close(accuracies[k], share_right(logits))
        for name, weight in weights.items():
            torch.testing.assert_close(gradients[name], weight.grad)


def test_training_is_the_published_loop():
    settings = RecallSettings("lstm", (4,), (3,), epochs=8, **SMALL)
    untrained = RecallTraining(settings)
    learn(untrained)
    plain = Plain("lstm", weights_and_gradients(untrained, 0)[0])
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


@pytest.mark.parametrize("backbone", ["rnn", "gru", "attention"])
def test_a_network_learns_the_same_alone_and_in_a_batch(backbone):
    small = {**SMALL, "epochs": 6, "learning_rate": 0.02, "clip": 0.1}
    together = list(RecallTraining(RecallSettings(backbone, (7, 4, 3), (1, 2), **small)))
    alone = list(RecallTraining(RecallSettings(backbone, (4,), (2,), **small)))
    k = RecallSettings(backbone, (7, 4, 3), (1, 2), **small).networks.index((4, 2))
    assert [s.losses[k] for s in together] == pytest.approx([s.loss for s in alone], rel=1e-4)


def test_each_network_is_clipped_by_its_own_norm():
    batch = RecallTraining(RecallSettings("lstm", (3, 6), (1, 2), **SMALL), dtype=torch.float64)
    learn(batch)
    before = [list(weights_and_gradients(batch, k)[1].values()) for k in range(4)]
    norms = [float(torch.cat([g.flatten() for g in gradients]).norm()) for gradients in before]
    largest = sorted(norms)[1]
    assert float(batch.clip_gradients(largest)) == pytest.approx(max(norms))
    for k, gradients in enumerate(before):
        copies = [torch.nn.Parameter(torch.empty_like(gradient)) for gradient in gradients]
        for own, gradient in zip(copies, gradients, strict=True):
            own.grad = gradient
        torch.nn.utils.clip_grad_norm_(copies, largest)
        clipped = weights_and_gradients(batch, k)[1].values()
        for own, gradient in zip(copies, clipped, strict=True):
            torch.testing.assert_close(gradient, own.grad)
    assert len(set(norms)) == 4


@pytest.mark.parametrize("clip", [None, 0.1])
def test_a_network_that_diverges_leaves_the_others_alone(clip):
    settings = RecallSettings("rnn", (5, 3), (1, 2), epochs=4, clip=clip, **SMALL)
    sound = list(RecallTraining(settings))
    training = RecallTraining(settings)
    with torch.no_grad():
        training.groups[0].weights["output.bias"][1] = math.nan
    steps = list(training)
    assert len(steps) == 4
    for step, expected in zip(steps, sound, strict=True):
        assert math.isnan(step.losses[1])
        others = step.losses[0], *step.losses[2:]
        assert others == (expected.losses[0], *expected.losses[2:])


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


@pytest.mark.parametrize("backbone", ["irnn", "lstm", "gru", "attention"])
def test_a_short_beginning_is_learned(backbone):
    settings = RecallSettings(backbone, (4,), (1,), vocabulary=24, width=12, clip=1.0)
    *_, last = RecallTraining(settings)
    assert last.accuracies[0] > 0.95
    assert last.loss < 0.5


def test_backbones_start_as_they_say():
    def start(backbone, *, torch_biases=False):
        drawn = initialised_network(backbone, 512, 32, 18, 7, torch_biases=torch_biases)
        return {name: weight.detach() for name, weight in drawn.backbone.named_parameters()}

    bound = 32**-0.5
    assert torch.equal(start("irnn")["weight_hh"], torch.eye(32))
    assert float(start("irnn")["weight_ih"].std()) == pytest.approx(0.001, rel=0.05)
    opened, closed = start("lstm-open")["bias_ih"], start("lstm")["bias_ih"]
    raised = torch.zeros(128)
    raised[32:64] = 4.0  # gate order i, f, g, o
    torch.testing.assert_close(opened, closed + raised)
    assert float(start("rnn")["bias_ih"].abs().max()) > 1.0
    assert float(start("rnn", torch_biases=True)["bias_ih"].abs().max()) <= bound
    assert float(start("rnn")["weight_hh"].abs().max()) <= bound


def test_the_start_hangs_on_seed_and_length_alone():
    def start(length, seed):
        network = initialised_network("rnn", 40, 8, length, seed, torch_biases=False)
        return network.backbone.weight_ih

    assert torch.equal(start(5, 1), start(5, 1))
    assert not torch.equal(start(5, 1), start(5, 2))
    assert not torch.equal(start(5, 1), start(6, 1))


def test_building_networks_draws_nothing_from_the_global_state():
    before = torch.get_rng_state()
    for backbone in ("rnn", "attention"):
        initialised_network(backbone, 40, 8, 5, 1, torch_biases=False)
    assert torch.equal(torch.get_rng_state(), before)


def test_seconds_are_shared_out_by_length():
    settings = RecallSettings("lstm", (4, 12), (1, 2), epochs=1, **SMALL)
    training = RecallTraining(settings)
    last = list(training)[-1]._replace(seconds=32.0)
    seconds = {(r.length, r.seed): r.seconds for r in recall_results(training, last)}
    assert seconds == {(4, 1): 4.0, (4, 2): 4.0, (12, 1): 12.0, (12, 2): 12.0}


def test_sizes_are_those_of_torch_and_the_wide_rnn_is_as_large_as_the_lstm():
    def size(backbone, length=18):
        return RecallSettings(backbone, (length,), (0,)).parameter_counts[0]

    lstm = torch.nn.LSTM(512, 32), torch.nn.Linear(32, 512)
    assert size("lstm") == sum(p.numel() for part in lstm for p in part.parameters()) == 86_784
    assert size("rnn") == size("irnn") == 34_368
    assert size("rnn-wide") == pytest.approx(size("lstm"), rel=0.01)
    assert size("attention") == pytest.approx(size("lstm"), rel=0.05)
    assert size("attention", 50) == size("attention") + 32 * 64
