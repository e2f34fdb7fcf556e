"""Multilayer perceptrons of one output, many at once, with backpropagation written out.

    z_0 = x,    z_l = f(z_{l-1} W_l + b_l),    P(y = 1 | x) = sigmoid(z_{L-1} W_L + b_L)

R networks of the same sizes lie side by side in every tensor: that many starts cost hardly more than one.

References
----------
Rumelhart, Hinton & Williams 1986, "Learning representations by back-propagating errors".
Glorot & Bengio 2010, "Understanding the difficulty of training deep feedforward neural networks".
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from lm_core.errors import require_at_least_1
from lm_core.models.activations import Activation


class Layer(NamedTuple):
    """Weights and biases of a layer of R networks, or their gradients."""

    weights: Tensor
    """Of shape (R, n_in, n_out)."""
    bias: Tensor
    """Of shape (R, 1, n_out)."""


Layers = tuple[Layer, ...]


class ForwardTrace(NamedTuple):
    """What R networks compute for N inputs."""

    sums: tuple[Tensor, ...]
    """Tuple of L tensors of shape (R, N, n_out). Of each layer before its activation; those of
    the last are the logits."""
    inputs: tuple[Tensor, ...]
    """Tuple of L tensors of shape (R, N, n_in). What each layer reads."""
    masks: tuple[Tensor, ...] = ()
    """Tuple of L - 1 tensors, or none. What the outputs of each hidden layer were multiplied by."""

    @property
    def logits(self) -> Tensor:
        """The output before the sigmoid, (R, N)."""
        return self.sums[-1][..., 0]


def initialise(sizes: Sequence[int], networks: int, rng: Generator) -> Layers:
    """Draw the weights of networks of these sizes, inputs and output included: Glorot's uniform law.

    All biases are 0. The weights lie between ±sqrt(6 / (n_in + n_out)).
    """
    require_at_least_1(networks=networks, smallest_layer=min(sizes))
    layers = []
    for n_in, n_out in pairwise(sizes):
        reach = (6.0 / (n_in + n_out)) ** 0.5
        draws = torch.rand((networks, n_in, n_out), generator=rng, dtype=torch.float64)
        bias = torch.zeros((networks, 1, n_out), dtype=torch.float64)
        layers.append(Layer(reach * (2.0 * draws - 1.0), bias))
    return tuple(layers)


def forward(
    layers: Layers, inputs: Tensor, activation: Activation, masks: Sequence[Tensor] = ()
) -> ForwardTrace:
    """Return all that the networks compute for inputs.

    Parameters
    ----------
    inputs : Tensor of shape (N, n) or (R, N, n), the same for all networks, or of each its own
    masks : sequence of L - 1 tensors of shape (R, N, n_out), optional
        What the outputs of each hidden layer are multiplied by: dropout.
    """
    read = [inputs.expand(layers[0].weights.shape[0], -1, -1)]
    sums: list[Tensor] = []
    for layer in layers:
        if sums:
            hidden = activation.function(sums[-1])
            read.append(hidden * masks[len(sums) - 1] if masks else hidden)
        sums.append(torch.baddbmm(layer.bias, read[-1], layer.weights))
    return ForwardTrace(tuple(sums), tuple(read), tuple(masks))


def cross_entropy(trace: ForwardTrace, targets: Tensor) -> Tensor:
    """Return the mean loss of each network, (R,), in nats; targets (N,) or (R, N) are 0 or 1."""
    logits = trace.logits
    wanted = targets.to(logits.dtype).expand_as(logits)
    return F.binary_cross_entropy_with_logits(logits, wanted, reduction="none").mean(-1)


def backward(
    layers: Layers, trace: ForwardTrace, targets: Tensor, activation: Activation
) -> Layers:
    """Return the gradient of each network's `cross_entropy`: the chain rule, layer by layer.

    The derivative with respect to a logit is ``(p - y) / N``. Each layer hands its own on, through its
    weights, its mask and the slope of the activation, to the one before.
    """
    n = targets.shape[-1]
    # Of shape (R, N, 1).
    delta = (trace.sums[-1].sigmoid() - targets.to(trace.sums[-1].dtype)[..., None]) / n
    gradients = []
    for place in reversed(range(len(layers))):
        gradients.append(Layer(trace.inputs[place].mT @ delta, delta.sum(1, keepdim=True)))
        if place:
            delta = (delta @ layers[place].weights.mT) * activation.derivative(
                trace.sums[place - 1]
            )
            if trace.masks:
                delta = delta * trace.masks[place - 1]
    return tuple(reversed(gradients))


def descend(layers: Layers, gradients: Layers, learning_rate: float) -> Layers:
    """Return the layers after a step of gradient descent."""
    return tuple(
        Layer(
            layer.weights.add(gradient.weights, alpha=-learning_rate),
            layer.bias.add(gradient.bias, alpha=-learning_rate),
        )
        for layer, gradient in zip(layers, gradients, strict=True)
    )
