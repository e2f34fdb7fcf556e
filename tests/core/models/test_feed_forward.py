"""Multilayer perceptrons: forward as torch's layers, backward as autograd, networks apart from each other."""

import pytest
import torch
from torch import nn

from lm_core.errors import SettingError
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.feed_forward import Layer, backward, cross_entropy, descend, forward, initialise
from lm_core.rng import generator

INPUTS = torch.randn((7, 2), generator=generator(1), dtype=torch.float64)
TARGETS = torch.tensor([0, 1, 1, 0, 1, 0, 0])


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("hidden", [(3,), (4, 2, 3)])
def test_gradients_are_those_of_autograd(name, hidden):
    layers = tuple(
        Layer(w.requires_grad_(), b.add(0.1).requires_grad_())
        for w, b in initialise((2, *hidden, 1), 3, generator(2))
    )
    trace = forward(layers, INPUTS, ACTIVATIONS[name])
    flat = [tensor for layer in layers for tensor in layer]
    expected = torch.autograd.grad(cross_entropy(trace, TARGETS).sum(), flat)
    found = [t for layer in backward(layers, trace, TARGETS, ACTIVATIONS[name]) for t in layer]
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-12, rtol=1e-9)


def test_gradients_through_masks_and_with_points_of_their_own_are_those_of_autograd():
    layers = tuple(
        Layer(w.requires_grad_(), b.requires_grad_())
        for w, b in initialise((2, 4, 3, 1), 3, generator(7))
    )
    inputs = torch.randn((3, 6, 2), generator=generator(8), dtype=torch.float64)
    targets = torch.randint(0, 2, (3, 6), generator=generator(9))
    masks = [2.0 * torch.randint(0, 2, (3, 6, n), generator=generator(n)).double() for n in (4, 3)]
    trace = forward(layers, inputs, ACTIVATIONS["tanh"], masks)
    flat = [tensor for layer in layers for tensor in layer]
    expected = torch.autograd.grad(cross_entropy(trace, targets).sum(), flat)
    found = [t for layer in backward(layers, trace, targets, ACTIVATIONS["tanh"]) for t in layer]
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-12, rtol=1e-9)
    alone = forward(tuple(Layer(w[1:2], b[1:2]) for w, b in layers), inputs[1], ACTIVATIONS["tanh"])
    unmasked = forward(layers, inputs, ACTIVATIONS["tanh"])
    torch.testing.assert_close(alone.logits[0], unmasked.logits[1])


def test_one_network_is_torchs_sequential():
    layers = initialise((2, 5, 1), 1, generator(3))
    theirs = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1)).double()
    with torch.no_grad():
        for module, layer in zip((theirs[0], theirs[2]), layers, strict=True):
            module.weight.copy_(layer.weights[0].T)
            module.bias.copy_(layer.bias[0, 0])
    trace = forward(layers, INPUTS, ACTIVATIONS["tanh"])
    torch.testing.assert_close(trace.logits[0], theirs(INPUTS)[:, 0].detach())
    loss = nn.BCEWithLogitsLoss()(theirs(INPUTS)[:, 0], TARGETS.double())
    assert float(cross_entropy(trace, TARGETS)[0]) == pytest.approx(loss.item())


def test_networks_beside_each_other_learn_as_they_would_alone():
    together = initialise((2, 3, 1), 4, generator(4))
    alone = tuple(Layer(w[2:3], b[2:3]) for w, b in together)
    for _ in range(20):
        steps = []
        for layers in (together, alone):
            trace = forward(layers, INPUTS, ACTIVATIONS["tanh"])
            gradients = backward(layers, trace, TARGETS, ACTIVATIONS["tanh"])
            steps.append(descend(layers, gradients, 0.5))
        together, alone = steps
    for one, (w, b) in zip(alone, together, strict=True):
        torch.testing.assert_close(one.weights, w[2:3])
        torch.testing.assert_close(one.bias, b[2:3])


def test_a_step_is_torchs_sgd():
    layers = initialise((2, 3, 1), 1, generator(5))
    trace = forward(layers, INPUTS, ACTIVATIONS["relu"])
    gradients = backward(layers, trace, TARGETS, ACTIVATIONS["relu"])
    weight = nn.Parameter(layers[0].weights.clone())
    weight.grad = gradients[0].weights
    torch.optim.SGD([weight], lr=0.3).step()
    torch.testing.assert_close(descend(layers, gradients, 0.3)[0].weights, weight.detach())


def test_weights_are_drawn_by_glorots_law():
    (first, second) = initialise((2, 6, 1), 2_000, generator(6))
    for layer, fan in ((first, 8), (second, 7)):
        reach = (6 / fan) ** 0.5
        assert float(layer.weights.abs().max()) <= reach
        assert float(layer.weights.std()) == pytest.approx(reach / 3**0.5, rel=0.02)
        assert not layer.bias.any()


def test_no_network_is_refused():
    with pytest.raises(SettingError, match="networks"):
        initialise((2, 3, 1), 0, generator(0))
