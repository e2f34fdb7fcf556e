"""Points with wrong labels, and the networks that learn them: weight decay and dropout are torch's."""

import pytest
import torch
from torch import nn

from lm_core.errors import SettingError
from lm_core.experiments.overfitting import training
from lm_core.experiments.overfitting.points import BOUNDS, MOST_POINTS, half_moons
from lm_core.models.feed_forward import Layer, backward, cross_entropy, forward, initialise
from lm_core.rng import generator
from lm_core.training.update_rules import Adam, GradientDescent

SIZES = (2, 5, 4, 1)
INPUTS = torch.randn((3, 7, 2), generator=generator(1), dtype=torch.float64)
TARGETS = torch.randint(0, 2, (3, 7), generator=generator(2))


def twin(layers, network, p=0.0):
    """Return one of our networks as torch's layers."""
    modules = []
    for w, b in layers:
        linear = nn.Linear(*w.shape[1:]).double()
        linear.weight.data, linear.bias.data = w[network].T.clone(), b[network, 0].clone()
        modules += [linear, nn.Tanh(), nn.Dropout(p)]
    return nn.Sequential(*modules[:-2])


def linears(network):
    return [module for module in network if isinstance(module, nn.Linear)]


# Points ---------------------------------------------------------------------------------------


def test_what_is_changed_is_all_that_changes():
    few, many = (half_moons(n, 0.2, generator(3)) for n in (20, 40))
    assert torch.equal(many.inputs[:, :20], few.inputs)
    noisier = half_moons(40, 0.3, generator(3))
    assert torch.equal(noisier.inputs, many.inputs)
    assert (noisier.is_flipped >= many.is_flipped).all()
    assert noisier.is_flipped.sum() > many.is_flipped.sum()


def test_the_share_of_wrong_labels_is_what_was_asked_for():
    points = half_moons(MOST_POINTS, 0.3, generator(4), 50)
    assert float(points.is_flipped.double().mean()) == pytest.approx(0.3, abs=0.01)
    right = half_moons(MOST_POINTS, 0.0, generator(4), 50)
    assert torch.equal(points.targets != right.targets, points.is_flipped)
    assert not training.validation_points().is_flipped.any()


def test_the_moons_turn_into_each_other_and_lie_in_the_picture():
    points = half_moons(MOST_POINTS, 0.0, generator(5), 40)
    middles = [points.inputs[points.targets == c].mean(0) for c in (0, 1)]
    assert float((middles[0] + middles[1]).abs().max()) < 0.03
    assert middles[0][1] > 0.3 > -0.3 > middles[1][1]
    assert float((points.inputs.abs() > BOUNDS[1]).double().mean()) < 1e-3


@pytest.mark.parametrize(
    ("points", "noise", "named"),
    [(1, 0.1, "points"), (999, 0.1, "points"), (9, 0.6, "label_noise")],
)
def test_impossible_points_are_refused(points, noise, named):
    with pytest.raises(SettingError, match=named):
        half_moons(points, noise, generator(0))


# Weight decay and dropout ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "theirs"),
    [
        (GradientDescent(), torch.optim.SGD),
        (GradientDescent(0.9), torch.optim.SGD),
        (Adam(), torch.optim.Adam),
    ],
)
def test_weight_decay_is_torchs_and_leaves_biases_alone(rule, theirs):
    layers = initialise(SIZES, 3, generator(6))
    network = twin(layers, 1)
    groups = [
        {"params": [m.weight for m in linears(network)], "weight_decay": 0.3},
        {"params": [m.bias for m in linears(network)], "weight_decay": 0.0},
    ]
    momentum = {"momentum": rule.momentum} if isinstance(rule, GradientDescent) else {}
    optimizer = theirs(groups, lr=0.1, **momentum)
    weights = training.flattened(layers)
    memory = rule.start(weights)
    decayed = 0.3 * training._is_decayed(SIZES)
    for _ in range(10):
        layers = training.layers_of(weights, SIZES)
        trace = forward(layers, INPUTS, training.ACTIVATION)
        gradient = training.flattened(backward(layers, trace, TARGETS, training.ACTIVATION))
        weights, memory = rule.step(weights, gradient + decayed * weights, memory, 0.1)
        optimizer.zero_grad()
        nn.BCEWithLogitsLoss()(network(INPUTS[1])[:, 0], TARGETS[1].double()).backward()
        optimizer.step()
    for (w, b), module in zip(training.layers_of(weights, SIZES), linears(network), strict=True):
        torch.testing.assert_close(w[1].T, module.weight.detach(), atol=1e-10, rtol=1e-9)
        torch.testing.assert_close(b[1, 0], module.bias.detach(), atol=1e-10, rtol=1e-9)


def test_what_is_added_to_the_gradient_is_the_slope_of_what_is_added_to_the_loss():
    weights = training.flattened(initialise(SIZES, 3, generator(7))).requires_grad_()
    (slope,) = torch.autograd.grad(
        training.penalty(training.layers_of(weights, SIZES), 0.3).sum(), weights
    )
    torch.testing.assert_close(slope, 0.3 * training._is_decayed(SIZES) * weights.detach())


def test_dropout_is_torchs_forward_and_backward():
    layers = initialise(SIZES, 1, generator(8))
    network = twin(layers, 0, p=0.5).train()
    drops = [module for module in network if isinstance(module, nn.Dropout)]
    masks = []
    for drop in drops:
        drop.register_forward_hook(
            lambda _, read, out: masks.append((out / read[0]).detach()[None])
        )
    # Drawn from a seed: a unit all of whose inputs are dropped is 0, and 0 / 0 shows no mask.
    with torch.random.fork_rng():
        torch.manual_seed(0)
        loss = nn.BCEWithLogitsLoss()(network(INPUTS[0])[:, 0], TARGETS[0].double())
    loss.backward()
    assert {value for mask in masks for value in mask.unique().tolist()} == {0.0, 2.0}
    trace = forward(layers, INPUTS[:1], training.ACTIVATION, masks)
    assert float(cross_entropy(trace, TARGETS[:1])[0]) == pytest.approx(loss.item(), abs=1e-12)
    found = backward(layers, trace, TARGETS[:1], training.ACTIVATION)
    for (w, b), module in zip(found, linears(network), strict=True):
        torch.testing.assert_close(w[0].T, module.weight.grad, atol=1e-12, rtol=1e-9)
        torch.testing.assert_close(b[0, 0], module.bias.grad, atol=1e-12, rtol=1e-9)
    # In evaluation all units are on, and nothing is scaled.
    network.eval()
    plain = forward(layers, INPUTS[:1], training.ACTIVATION).logits[0]
    torch.testing.assert_close(plain, network(INPUTS[0])[:, 0].detach())


def test_units_off_and_weights_scaled_at_the_end_are_the_same_function():
    """The other way to write it: outgoing connections are off or on, and multiplied by 1 - p for evaluation."""
    layers = initialise(SIZES, 1, generator(9))
    (masks, kept) = training.dropout_masks(layers, 7, 0.5, generator(10)), 0.5
    off_or_on = [kept * mask for mask in masks]
    larger = tuple(Layer(w / (kept if i else 1.0), b) for i, (w, b) in enumerate(layers))
    ours = forward(layers, INPUTS[:1], training.ACTIVATION, masks).logits
    theirs = forward(larger, INPUTS[:1], training.ACTIVATION, off_or_on).logits
    torch.testing.assert_close(ours, theirs)


def test_masks_turn_off_that_share_and_keep_the_mean():
    layers = initialise((2, 50, 60, 1), 2, generator(11))
    masks = training.dropout_masks(layers, 100, 0.25, generator(12))
    assert [mask.shape for mask in masks] == [(2, 100, 50), (2, 100, 60)]
    for mask in masks:
        assert float((mask == 0).double().mean()) == pytest.approx(0.25, abs=0.02)
        assert float(mask.mean()) == pytest.approx(1.0, abs=0.03)
    assert training.dropout_masks(layers, 100, 0.0, generator(12)) == ()


# Training -------------------------------------------------------------------------------------


def test_weights_go_into_one_tensor_and_come_out_again():
    layers = initialise(SIZES, 3, generator(13))
    for (w, b), (w2, b2) in zip(
        layers, training.layers_of(training.flattened(layers), SIZES), strict=True
    ):
        assert torch.equal(w, w2)
        assert torch.equal(b, b2)


def test_the_first_evaluation_is_before_the_first_step_and_the_same_seed_learns_the_same():
    settings = training.NetworkSettings(units=4, points=10, steps=20, seed=3)
    found, again = training.train(settings), training.train(settings)
    assert found.steps == (0, 10, 20)
    assert torch.equal(found.validation.losses, again.validation.losses)
    start = forward(found.layers[0], found.samples.inputs, training.ACTIVATION)
    torch.testing.assert_close(
        found.training.losses[0], cross_entropy(start, found.samples.targets)
    )
    assert (found.training.losses[-1] < found.training.losses[0]).all()


@pytest.fixture(scope="module")
def overfitted():
    return training.train(training.NetworkSettings(seed=2))


def test_it_learns_every_wrong_label_and_validation_gets_worse(overfitted):
    losses = overfitted.validation.losses[:, 0]
    assert float(overfitted.training.errors[-1, 0]) == 0.0
    assert int(overfitted.samples.is_flipped.sum()) > 0
    assert float(losses[-1]) > 2.0 * float(losses.min())
    assert float(overfitted.validation.errors[-1, 0]) > 1.3 * float(
        overfitted.validation.errors[losses.argmin(), 0]
    )


@pytest.mark.parametrize("remedy", [{"weight_decay": 0.01}, {"dropout": 0.3}])
def test_each_remedy_learns_fewer_of_them_and_ends_lower(overfitted, remedy):
    found = training.train(training.NetworkSettings(seed=2, **remedy))
    assert float(found.training.losses[-1, 0]) > 0.1
    assert float(found.validation.losses[-1, 0]) < float(overfitted.validation.losses[-1, 0]) / 2


@pytest.mark.parametrize(
    "wrong",
    [{"units": 0}, {"weight_decay": -1.0}, {"dropout": 1.0}, {"learning_rate": 0.0}, {"steps": 0}],
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(SettingError, match=next(iter(wrong))):
        training.NetworkSettings(**wrong)
