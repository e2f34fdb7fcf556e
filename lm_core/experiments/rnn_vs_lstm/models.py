"""The models that are compared: which cell, how wide, and how its weights start."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

Parameters = dict[str, Tensor]
"""Weights of networks that train together; the first axis of each tensor counts networks."""


@dataclass(frozen=True)
class RecallModel:
    """A kind of network for the recall task.

    Attributes
    ----------
    title : str
        For people.
    cell : str
        Name in `lm_core.experiments.rnn_vs_lstm.networks.BODIES`.
    width : int
        Hidden units unless another number is asked for.
    gates : int
        Pre-activations of a hidden unit: each has weights of its own. 0 for attention.
    start : callable
        Overwrites the weights of one network, (its parameters, its source of randomness).
    heads : int
        Of attention; 1 for all others.
    """

    title: str
    cell: str
    width: int
    gates: int
    start: Callable[[Parameters, torch.Generator], None]
    heads: int = 1

    def shapes(self, vocabulary: int, width: int, length: int) -> dict[str, tuple[int, ...]]:
        """Return the shape of each weight of one network."""
        output = {"output_weight": (width, vocabulary), "output_bias": (vocabulary,)}
        if self.gates:
            gates = self.gates
            return {
                "input_weight": (gates, vocabulary, width),
                "recurrent_weight": (gates, width, width),
                "input_bias": (gates, width),
                "recurrent_bias": (gates, width),
            } | output
        square = dict.fromkeys(("query", "key", "value", "mix"), (width, width))
        return {"symbols": (vocabulary, width), "positions": (length, width)} | square | output

    def parameter_count(self, vocabulary: int, width: int, length: int) -> int:
        """Return the number of weights of one network."""
        return sum(map(math.prod, self.shapes(vocabulary, width, length).values()))


def _uniform(parameters: Parameters, rng: torch.Generator) -> None:
    """Start as torch.nn.RNN, GRU, LSTM and Linear do: uniform within 1/sqrt(width)."""
    bound = parameters["output_weight"].shape[0] ** -0.5
    for weight in parameters.values():
        weight.uniform_(-bound, bound, generator=rng)


def _source_rnn(parameters: Parameters, rng: torch.Generator) -> None:
    """Start as the source's own RNN: as torch does, but with biases drawn from a normal."""
    _uniform(parameters, rng)
    parameters["input_bias"].normal_(generator=rng)
    parameters["recurrent_bias"].normal_(generator=rng)


def _identity(parameters: Parameters, rng: torch.Generator) -> None:
    """Start with a state that stays: identity, no bias, input weights of 0.001 (Le et al. 2015)."""
    _uniform(parameters, rng)
    parameters["input_weight"].normal_(0.0, 0.001, generator=rng)
    torch.nn.init.eye_(parameters["recurrent_weight"][0])
    parameters["input_bias"].zero_()
    parameters["recurrent_bias"].zero_()


def _open_forget_gate(parameters: Parameters, rng: torch.Generator) -> None:
    """Start with forget gates that let 98 % of the cell pass: bias 4 (gate order i, f, g, o)."""
    _uniform(parameters, rng)
    parameters["input_bias"][1] += 4.0


def _small_embeddings(parameters: Parameters, rng: torch.Generator) -> None:
    """Start symbols and positions at 0.1, all else uniform within 1/sqrt(width)."""
    _uniform(parameters, rng)
    parameters["symbols"].normal_(0.0, 0.1, generator=rng)
    parameters["positions"].normal_(0.0, 0.1, generator=rng)


MODELS = {
    "rnn": RecallModel("RNN", "tanh", 32, 1, _source_rnn),
    "rnn-wide": RecallModel("wide RNN", "tanh", 78, 1, _source_rnn),
    "irnn": RecallModel("IRNN", "relu", 32, 1, _identity),
    "gru": RecallModel("GRU", "gru", 32, 3, _uniform),
    "lstm": RecallModel("LSTM", "lstm", 32, 4, _uniform),
    "lstm-open": RecallModel("open LSTM", "lstm", 32, 4, _open_forget_gate),
    "attention": RecallModel("attention", "attention", 64, 0, _small_embeddings, 2),
}


def draw(
    model: RecallModel, vocabulary: int, width: int, length: int, seed: int, *, as_torch: bool
) -> Parameters:
    """Draw the starting weights of one network; they hang on its own length and seed only.

    `as_torch` starts the biases of an RNN as torch does, and not as the source.
    """
    parameters = {
        name: torch.empty(shape) for name, shape in model.shapes(vocabulary, width, length).items()
    }
    rng = torch.Generator().manual_seed(1_000 * seed + length)
    with torch.no_grad():
        start = _uniform if as_torch and model.start is _source_rnn else model.start
        start(parameters, rng)
    return parameters
