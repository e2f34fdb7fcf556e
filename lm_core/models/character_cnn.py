r"""A convolutional network over characters that predicts the next one.

    x = C(w_1), ..., C(w_t)        the embedding of each character
    a = relu(filters of layer 1 over x),    b = relu(filters of layer 2 over a),    ...
    P(w_{t+1} | w_1, ..., w_t) = softmax(U b_t + d)

Filters see characters to the left alone (*causal*), and the same ones are used at every place. Layer l of
dilation d_l sees every d_l-th place: L numbers of it reach over (L - 1) d_l characters more.

References
----------
van den Oord et al. 2016, "WaveNet: A Generative Model for Raw Audio". https://arxiv.org/abs/1609.03499
Bai, Kolter & Koltun 2018, "An Empirical Evaluation of Generic Convolutional and Recurrent Networks".
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError, ShapeError
from lm_core.models.convolution import cross_correlate_1d
from lm_core.models.language_model import LanguageModel, State


@dataclass(frozen=True)
class CharacterCNNConfig:
    """Sizes of a `CharacterCNN`."""

    vocabulary_size: int
    """V."""
    embedding_size: int = 16
    """Numbers of each character."""
    filters: int = 48
    """Of each layer."""
    filter_size: int = 3
    """Places that a filter sees, L."""
    dilations: tuple[int, ...] = (1, 3)
    """Of each layer, from the input."""

    def __post_init__(self) -> None:
        sizes = (self.vocabulary_size, self.embedding_size, self.filters, self.filter_size)
        if min(sizes) < 1 or not self.dilations or min(self.dilations) < 1:
            raise SettingError(f"all sizes must be at least 1, with at least one layer, got {self}")

    @property
    def context_size(self) -> int:
        """Characters that a prediction depends on: its receptive field."""
        return 1 + sum((self.filter_size - 1) * dilation for dilation in self.dilations)


class CharacterCNNTrace(NamedTuple):
    """What a `CharacterCNN` computes for texts of T characters after n - 1 that were read before."""

    layers: tuple[Tensor, ...]
    """Tuple of Tensor of shape (B, filters, T_l). Responses of each layer's filters, after ReLU.
    The last column of each belongs to the last character; T_l falls from layer to layer to T."""
    logits: Tensor
    """Of shape (B, T, V)."""


class CharacterCNN(LanguageModel):
    """Embedding -> causal convolutions with ReLU -> softmax. The state is the last n - 1 characters."""

    def __init__(self, config: CharacterCNNConfig) -> None:
        super().__init__()
        self.config: CharacterCNNConfig = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.embedding_size)
        widths = [config.embedding_size, *[config.filters] * len(config.dilations)]
        self.filters = nn.ParameterList(
            torch.zeros(config.filters, n_inputs, config.filter_size) for n_inputs in widths[:-1]
        )
        self.biases = nn.ParameterList(torch.zeros(config.filters) for _ in config.dilations)
        self.output = nn.Linear(config.filters, config.vocabulary_size)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw weights with variance 2 / inputs, the output's a tenth as long; biases are 0."""
        self.embedding.weight.normal_(generator=rng)
        for filters, bias in zip(self.filters, self.biases, strict=True):
            filters.normal_(std=(2.0 / filters[0].numel()) ** 0.5, generator=rng)
            bias.zero_()
        self.output.weight.normal_(std=0.1 * self.config.filters**-0.5, generator=rng)
        self.output.bias.zero_()

    def initial_state(self, batch: int) -> State:
        """Return a history of nothing but character 0, which stands before every text."""
        size = self.config.context_size - 1
        device = self.embedding.weight.device
        return (torch.zeros(batch, size, dtype=torch.int64, device=device),)

    def trace(self, tokens: Tensor, state: State) -> CharacterCNNTrace:
        """Return all that is computed for tokens (B, T) after a state."""
        if tokens.dim() != 2:
            raise ShapeError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
        text = torch.cat([state[0], tokens], 1)  # (B, n - 1 + T)
        seen = self.embedding(text).mT  # (B, m, n - 1 + T)
        layers = []
        for filters, bias, dilation in zip(
            self.filters, self.biases, self.config.dilations, strict=True
        ):
            seen = cross_correlate_1d(seen, filters, bias, dilation=dilation).relu()
            layers.append(seen)
        return CharacterCNNTrace(tuple(layers), self.output(seen.mT))

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return the logits (B, T, V) and the last n - 1 tokens."""
        logits = self.trace(tokens, state).logits
        text = torch.cat([state[0], tokens], 1)
        return logits, (text[:, text.shape[1] - (self.config.context_size - 1) :].clone(),)
