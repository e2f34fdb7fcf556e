"""Published experiments that no other experiment here repeats: each takes seconds.

References
----------
github.com/christianb93/MLLM, notebooks rnn/LearningHowToCount, rnn/RNN, lstm/LSTM,
attention/MultiHeadSelfAttention, attention/PermutingTheInput and sampling/TemperatureSampling.
github.com/christianb93/MachineLearning, KMeans.py, GMM.py and doc/GMM.
"""

import warnings
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from lm_core.clustering import em, k_means
from lm_core.clustering.datasets import DATA_SETS, iris
from lm_core.clustering.initialisation import initial_centres, mixture_from_centres
from lm_core.clustering.metrics import misassigned
from lm_core.experiments.counting.training import CountingConfig, train_counting
from lm_core.experiments.published import COUNTING_LOSSES
from lm_core.models.multi_head_attention import MultiHeadAttention, head_by_head
from lm_core.models.recurrent import Cell, LSTMCell, RNNCell
from lm_core.rng import generator

IRIS_ITERATIONS, BLOB_ITERATIONS = 200, 10
"""Of both methods on the irises, and of k-means on drawn points, as published."""

BALANCED, UNBALANCED = "two blobs", "95 : 5"
"""The two drawn data sets, by their names in `lm_core.clustering.datasets.DATA_SETS`."""


def counting_losses(seed: int) -> dict[int, float]:
    """Return the loss of the epochs whose losses are published, in nats, of one training."""
    losses = {epoch.epoch: epoch.loss for epoch in train_counting(CountingConfig(seed=seed))}
    return {epoch: losses[epoch] for epoch in COUNTING_LOSSES}


class IrisRestart(NamedTuple):
    """Where one random start leads on the irises."""

    k_means_errors: int
    em_errors: int
    """`k_means_errors` and `em_errors`: flowers of 150 in the wrong group."""
    em_loss: float
    """Negative log-likelihood; minus infinity if a component collapsed."""


def iris_restart(number: int) -> IrisRestart:
    """Cluster the irises into three groups from three flowers drawn at random.

    `number`: int, of the restart, from 1 to 999.
    """
    flowers = iris()
    centres = initial_centres(flowers.points, 3, "random points", 0, number)
    hard = k_means.fit(flowers.points, centres, max_iterations=IRIS_ITERATIONS)
    start = mixture_from_centres(flowers.points, centres)
    soft = em.fit(flowers.points, start, max_iterations=IRIS_ITERATIONS, tolerance=0.0)
    return IrisRestart(
        misassigned(hard.labels, flowers.labels),
        misassigned(soft.responsibilities.argmax(1), flowers.labels),
        -soft.log_likelihood,
    )


def blob_errors(name: str, seed: int) -> int:
    """Return how many of 100 points of two drawn groups k-means gives to the wrong one.

    Parameters
    ----------
    name : str, `BALANCED` or `UNBALANCED`
    seed : int, of the points and of the two that are the first centres, from 0 to 999
    """
    drawn = DATA_SETS[name](100, generator(seed))
    assert drawn.labels is not None  # both are mixtures
    centres = initial_centres(drawn.points, 2, "random points", seed)
    found = k_means.fit(drawn.points, centres, max_iterations=BLOB_ITERATIONS)
    return misassigned(found.labels, drawn.labels)


def temperature_distribution() -> list[float]:
    """Return the 16 probabilities that the notebook draws from: a softmax of normal numbers, seed 123."""
    return torch.randn(16, generator=generator(123)).softmax(-1).tolist()


def worked_queries() -> list[float]:
    """Return the queries of the first token of the worked example: weights 1, 2, 3, ..., inputs from 51 on."""
    layer = MultiHeadAttention(4, 2)
    weights = torch.arange(1.0, 49.0).reshape(12, 4)
    inputs = torch.arange(51.0, 59.0).reshape(2, 4)
    with torch.no_grad():
        layer.projections.weight.copy_(weights)
        return layer.projections(inputs)[0, :4].tolist()


# Equal to torch's -----------------------------------------------------------------------------


def rnn_difference(rng: Generator) -> float:
    """Return the largest difference of our RNN and `torch.nn.RNN`, of the notebook's size."""
    return _cell_difference(RNNCell(5, 3), nn.RNN(5, 3, batch_first=True), 5, rng)


def lstm_difference(rng: Generator) -> float:
    """Return the same for the LSTM."""
    return _cell_difference(LSTMCell(5, 3), nn.LSTM(5, 3, batch_first=True), 3, rng)


@torch.no_grad()
def _cell_difference(cell: Cell, layer: nn.Module, length: int, rng: Generator) -> float:
    """Compare outputs of a sequence, and of its continuation, from the same weights."""
    cell.initialise(rng)
    layer.load_state_dict({f"{name}_l0": value for name, value in cell.state_dict().items()})
    first, then = torch.randn(2, 4, length, 5, generator=rng)
    ours, state = cell(first)
    theirs, torch_state = layer(first)
    return max(_largest(ours, theirs), _largest(cell(then, state)[0], layer(then, torch_state)[0]))


@torch.no_grad()
def attention_difference(width: int, heads: int, rng: Generator) -> float:
    """Return the largest difference of our attention and `torch.nn.MultiheadAttention`, two tokens."""
    ours, theirs = MultiHeadAttention(width, heads), nn.MultiheadAttention(width, heads, bias=False)
    ours.initialise(rng)
    theirs.in_proj_weight.copy_(ours.projections.weight)
    theirs.out_proj.weight.copy_(ours.output.weight)
    x = torch.randn(2, width, generator=rng)
    return _largest(head_by_head(ours, x[None])[0], theirs(x, x, x)[0])


# Permuted inputs ------------------------------------------------------------------------------


class Permutation(NamedTuple):
    """What reversing the input changes."""

    difference: float
    """The largest of the outputs' differences."""
    is_close: bool
    """What `torch.allclose` says of them with its own tolerances, as the notebook prints it."""


def encoder_permutation(rng: Generator) -> Permutation:
    """Compare an encoder layer's reversed output with its output on reversed input."""
    layer = _drawn(nn.TransformerEncoderLayer(8, 4, dropout=0.0), rng)
    x = torch.randn(4, 8, generator=rng)
    return _permutation(lambda source: layer(source), x, is_equivariant=True)


def cross_attention_permutation(rng: Generator) -> Permutation:
    """Compare cross-attention to a text with that to the same text reversed."""
    layer = _drawn(nn.MultiheadAttention(8, 4), rng)
    x, queries = torch.randn(4, 8, generator=rng), torch.randn(3, 8, generator=rng)
    return _permutation(lambda source: layer(queries, source, source)[0], x)


def transformer_permutation(rng: Generator) -> Permutation:
    """Compare an encoder-decoder transformer's output with that on a reversed source."""
    with warnings.catch_warnings():  # that one head rules out a faster path
        warnings.simplefilter("ignore", UserWarning)
        layer = _drawn(nn.Transformer(8, 1), rng)
    x, target = torch.randn(4, 8, generator=rng), torch.randn(3, 8, generator=rng)
    return _permutation(lambda source: layer(source, target), x)


@torch.no_grad()
def _permutation(
    outputs_for: Callable[[Tensor], Tensor], x: Tensor, *, is_equivariant: bool = False
) -> Permutation:
    outputs, permuted = outputs_for(x), outputs_for(x.flip(0))
    expected = outputs.flip(0) if is_equivariant else outputs
    return Permutation(_largest(expected, permuted), bool(torch.allclose(expected, permuted)))


@torch.no_grad()
def _drawn(layer: nn.Module, rng: Generator) -> nn.Module:
    """Draw a layer's matrices with a standard deviation of 1 / sqrt(inputs); it is for evaluation."""
    for parameter in layer.parameters():
        if parameter.dim() > 1:
            parameter.normal_(0.0, parameter.shape[1] ** -0.5, generator=rng)
    return layer.eval()


def _largest(first: Tensor, second: Tensor) -> float:
    return float((first - second).abs().max())
