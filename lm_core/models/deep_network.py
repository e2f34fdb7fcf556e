r"""Deep networks of equal layers, forward and backward written out: plain, residual, normalised.

With z_0 the input, W_l the weights and f the activation, layer l computes a_l = z_{l-1} W_l and

    plain        z_l = f(a_l)
    residual     z_l = z_{l-1} + f(z_{l-1}) W_l, the activation first
    batch norm   z_l = f((a_l - mean) / deviation), both over the examples of the batch, a unit at a time
    layer norm   the same, both over the units, an example at a time

Several networks of the same sizes lie side by side in every tensor.

References
----------
Glorot & Bengio 2010, "Understanding the difficulty of training deep feedforward neural networks" (Xavier).
He, Zhang, Ren & Sun 2015, "Delving Deep into Rectifiers" (He); 2016, "Identity Mappings in Deep
Residual Networks" (residual, with the activation first). https://arxiv.org/abs/1603.05027
Saxe, McClelland & Ganguli 2014, "Exact solutions to the nonlinear dynamics of learning in deep
linear neural networks" (orthogonal). https://arxiv.org/abs/1312.6120
Ioffe & Szegedy 2015 (batch norm); Ba, Kiros & Hinton 2016 (layer norm).
"""

from typing import NamedTuple

import torch
from torch import Generator, Tensor

from lm_core.errors import SettingError, ShapeError, require_at_least_1
from lm_core.models.activations import Activation

PLAIN, RESIDUAL, BATCH_NORM, LAYER_NORM = "plain", "residual", "batch-norm", "layer-norm"
BLOCKS = (PLAIN, RESIDUAL, BATCH_NORM, LAYER_NORM)
NAIVE, XAVIER, HE, ORTHOGONAL = "naive", "xavier", "he", "orthogonal"
INITIALISATIONS = (NAIVE, XAVIER, HE, ORTHOGONAL)
EPSILON = 1e-5
"""Added to a variance before its root is taken, as in `torch.nn.BatchNorm1d`."""

LINEAR = Activation(
    "Linear", "Identity", "a", "1", lambda a: a, torch.ones_like, (-float("inf"), float("inf"))
)
"""No activation at all: the network of the lecture slides' derivation."""

_NORMALISED_OVER = {BATCH_NORM: -2, LAYER_NORM: -1}


def weight_variance(name: str, n_in: int, n_out: int, naive_deviation: float = 0.05) -> float:
    """Return the variance of a weight under an initialisation.

    Raises SettingError if there is no such initialisation.

    Parameters
    ----------
    name : str, one of `INITIALISATIONS`
    n_in, n_out : int, connections into a unit, and out of one
    naive_deviation : float, standard deviation of the naive one, which looks at neither
    """
    require_at_least_1(n_in=n_in, n_out=n_out)
    if name not in INITIALISATIONS:
        raise SettingError(f"name must be one of {', '.join(INITIALISATIONS)}, got {name!r}")
    return {
        NAIVE: naive_deviation**2,
        XAVIER: 2.0 / (n_in + n_out),
        HE: 2.0 / n_in,
        ORTHOGONAL: 1.0 / max(n_in, n_out),
    }[name]


class UnitWeights(NamedTuple):
    """Draws from which all initialisations of a network are made."""

    normal: Tensor
    """Of shape (L, n, n). Standard normal."""
    orthogonal: Tensor
    """Of shape (L, n, n). The orthogonal factor of each."""


def draw_weights(depth: int, width: int, rng: Generator) -> UnitWeights:
    """Draw L = `depth` square matrices, and the orthogonal factor of each.

    The signs of R's diagonal are moved into Q: so it is drawn evenly from all orthogonal matrices.
    """
    require_at_least_1(depth=depth, width=width)
    normal = torch.randn((depth, width, width), generator=rng, dtype=torch.float64)
    q, r = torch.linalg.qr(normal)
    return UnitWeights(normal, q * r.diagonal(dim1=-2, dim2=-1).sign()[:, None, :])


def scaled_weights(draws: UnitWeights, name: str, naive_deviation: float = 0.05) -> Tensor:
    """Return the weights (L, n, n) of an initialisation, all from the same draws."""
    width = draws.normal.shape[-1]
    if name == ORTHOGONAL:
        return draws.orthogonal
    return weight_variance(name, width, width, naive_deviation) ** 0.5 * draws.normal


class DeepTrace(NamedTuple):
    """What R networks of L layers and n units compute for N inputs."""

    activations: Tensor
    """Of shape (L + 1, R, N, n). The input first."""
    sums: Tensor
    """Of shape (L, R, N, n). What the activation function reads: normalised where the layers
    are, and of a residual layer the activations before it."""
    deviations: Tensor
    """Of shape (L, R, 1 or N, 1 or n). What the sums were divided by; 1 where they were not."""


def forward(weights: Tensor, inputs: Tensor, activation: Activation, block: str) -> DeepTrace:
    """Return all that the networks compute.

    Raises ShapeError if weights and inputs do not fit, and SettingError if there is no such block.

    Parameters
    ----------
    weights : Tensor of shape (R, L, n, n)
    inputs : Tensor of shape (N, n)
    block : str, one of `BLOCKS`
    """
    if weights.dim() != 4 or inputs.shape[-1:] != weights.shape[-1:]:
        raise ShapeError(
            f"weights must be (R, L, n, n) and inputs (N, n), got {tuple(weights.shape)} and"
            f" {tuple(inputs.shape)}"
        )
    if block not in BLOCKS:
        raise SettingError(f"block must be one of {', '.join(BLOCKS)}, got {block!r}")
    z = inputs.expand(len(weights), -1, -1)
    activations, sums, deviations = [z], [], []
    for layer in weights.unbind(1):
        deviation = torch.ones((len(weights), 1, 1), dtype=weights.dtype)
        a = z if block == RESIDUAL else z @ layer
        if block in _NORMALISED_OVER:
            a, deviation = normalise(a, _NORMALISED_OVER[block])
        read = activation.function(a)
        z = torch.baddbmm(z, read, layer) if block == RESIDUAL else read
        activations.append(z)
        sums.append(a)
        deviations.append(deviation)
    return DeepTrace(torch.stack(activations), torch.stack(sums), torch.stack(deviations))


def backward(
    weights: Tensor, trace: DeepTrace, top: Tensor, activation: Activation, block: str
) -> Tensor:
    """Return the gradient with respect to each layer's activations, (L + 1, R, N, n), the input's first.

    `top`, (R, N, n) or what expands to it, is the gradient of the loss with respect to the last.
    """
    gradient = top.expand_as(trace.activations[-1])
    gradients = [gradient]
    for place in reversed(range(weights.shape[1])):
        a, layer = trace.sums[place], weights[:, place]
        if block == RESIDUAL:
            gradient = gradient + (gradient @ layer.mT) * activation.derivative(a)
        else:
            delta = gradient * activation.derivative(a)
            if over := _NORMALISED_OVER.get(block):
                delta = normalise_backward(delta, a, trace.deviations[place], over)
            gradient = delta @ layer.mT
        gradients.append(gradient)
    return torch.stack(gradients[::-1])


def normalise(sums: Tensor, over: int) -> tuple[Tensor, Tensor]:
    """Return sums with mean 0 and variance 1 over a dimension, and the deviations they were divided by."""
    variance, mean = torch.var_mean(sums, over, correction=0, keepdim=True)
    deviation = (variance + EPSILON).sqrt()
    return (sums - mean) / deviation, deviation


def normalise_backward(
    gradient: Tensor, normalised: Tensor, deviation: Tensor, over: int
) -> Tensor:
    """Return the gradient with respect to the sums, given that with respect to the normalised ones.

    Mean and deviation depend on all sums: what would only shift or stretch them comes to nothing.
    """
    shift = gradient.mean(over, keepdim=True)
    stretch = (gradient * normalised).mean(over, keepdim=True)
    return (gradient - shift - normalised * stretch) / deviation


def clipped(gradient: Tensor, longest: float) -> Tensor:
    """Return a gradient shortened to a norm where it is longer: g' = min(1, c / |g|) g."""
    norm = float(gradient.norm())
    return gradient * min(1.0, longest / norm) if norm else gradient
