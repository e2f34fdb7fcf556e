"""Recurrent language models: embedding -> stacked RNN, GRU or LSTM -> linear.

The layers are ``nn.RNN``, ``nn.GRU`` and ``nn.LSTM``, torch's fused twins of a stack of the cells of
`lm_core.models.recurrent`: the same weights, the same numbers (a test compares them), many times
sooner, and no gate to be seen.

The published network and our own are the same class with two configs; ours differs in width and in
its regularisation.

References
----------
Elman 1990, "Finding Structure in Time".
Hochreiter & Schmidhuber 1997, "Long Short-Term Memory".
Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder" (GRU).
Gal & Ghahramani 2016, "A Theoretically Grounded Application of Dropout in Recurrent Neural
Networks" (one mask per sequence). https://arxiv.org/abs/1512.05287
Merity, Keskar & Socher 2018, "Regularizing and Optimizing LSTM Language Models" (dropout on the
recurrent weights). https://arxiv.org/abs/1708.02182
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError, ShapeError, require_fields_at_least_1
from lm_core.models.fast.recurrent import read_fused
from lm_core.models.language_model import LanguageModel, State

_ONE_LAYER = (True, 1, 0.0, True, False, False)
"""What torch's kernels ask for: biases, layers, their dropout, training, bidirectional, batch first."""


@dataclass(frozen=True)
class RecurrentLanguageModelConfig:
    """Sizes and dropout rates of a `RecurrentLanguageModel`; each kind of layer has its own config."""

    vocabulary_size: int
    embedding_size: int
    hidden_size: int
    layers: int
    """`vocabulary_size`, `embedding_size`, `hidden_size` and `layers`: V, E, H and the number of
    stacked layers; each at least 1."""
    embedding_dropout: float = 0.0
    hidden_dropout: float = 0.0
    output_dropout: float = 0.0
    """`embedding_dropout`, `hidden_dropout` and `output_dropout`: in [0, 1). Share of units
    dropped after the embedding, between layers and before the output."""
    recurrent_dropout: float = 0.0
    """In [0, 1). Share of the hidden-to-hidden weights dropped, one mask per training window."""
    dropout_mask: str = "window"
    """``window``: one mask per text and training window (Gal & Ghahramani); ``step``: a new one
    at every time step, as ``torch.nn.LSTM(dropout=...)`` and the published network has it."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size embedding_size hidden_size layers")
        for name in ("embedding_dropout", "hidden_dropout", "output_dropout", "recurrent_dropout"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise SettingError(f"{name} must lie in [0, 1), got {getattr(self, name)}")
        if self.dropout_mask not in ("window", "step"):
            raise SettingError(f"dropout_mask must be window or step, got {self.dropout_mask!r}")


class RNNLanguageModelConfig(RecurrentLanguageModelConfig):
    """Of an `RNNLanguageModel`."""


class GRULanguageModelConfig(RecurrentLanguageModelConfig):
    """Of a `GRULanguageModel`."""


class LSTMLanguageModelConfig(RecurrentLanguageModelConfig):
    """Of an `LSTMLanguageModel`."""


class RecurrentLanguageModel(LanguageModel):
    """Embedding(V, E) -> recurrent layers(E, H) -> Linear(H, V).

    The state is ``(h,)``, of an LSTM ``(h, c)``, each of shape (B, layers, H).
    """

    layer_type: ClassVar[type[nn.RNN] | type[nn.GRU] | type[nn.LSTM]]
    kernel: ClassVar[Callable[..., Any]]
    """Torch's function behind `layer_type`, in which a layer's weights may be dropped or rounded."""
    state_size: ClassVar[int] = 1

    def __init__(self, config: RecurrentLanguageModelConfig) -> None:
        super().__init__()
        self.config: RecurrentLanguageModelConfig = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.embedding_size)
        sizes = (config.embedding_size, config.hidden_size, config.layers)
        self.add_module(self._name, self.layer_type(*sizes, batch_first=True))
        self.output = nn.Linear(config.hidden_size, config.vocabulary_size)

    @property
    def _name(self) -> str:
        """What the layers are called in a checkpoint: rnn, gru or lstm."""
        return self.layer_type.__name__.lower()

    @property
    def recurrent(self) -> nn.RNNBase:
        """The stacked layers."""
        return cast(nn.RNNBase, self.get_submodule(self._name))

    def initial_state(self, batch: int) -> State:
        """Return zeros for every part of the state."""
        shape = (batch, self.config.layers, self.config.hidden_size)
        return (self.output.weight.new_zeros(shape),) * self.state_size

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return logits (B, T, V) and the state after them."""
        if tokens.dim() != 2:
            raise ShapeError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
        # torch's layers want the layers first; the project's states have the batch first.
        start = tuple(tensor.transpose(0, 1).contiguous() for tensor in state)
        hidden, end = read_fused(self.recurrent, self.embedding(tokens), start)  # (B, T, H)
        return self.output(hidden), tuple(tensor.transpose(0, 1) for tensor in end)

    def training_logits(
        self, tokens: Tensor, state: State, *, rng: torch.Generator, dtype: torch.dtype
    ) -> tuple[Tensor, State]:
        """Like `forward`, with the config's dropout and the layers computed in `dtype`.

        bfloat16 halves the time of a step on processors that have it; the weights themselves,
        the softmax and the optimizer stay in float32.
        """
        config = self.config

        def mask(shape: tuple[int, ...], rate: float) -> Tensor:
            kept = torch.rand(shape, generator=rng, device=tokens.device) >= rate
            return kept.to(dtype) / (1.0 - rate)

        def drop_units(units: Tensor, rate: float) -> Tensor:
            if not rate:
                return units
            length, batch, width = units.shape
            return units * mask(
                (1 if config.dropout_mask == "window" else length, batch, width), rate
            )

        hidden = self.embedding(tokens.T).to(dtype)  # (T, B, E): the fused kernel is time-major
        hidden = drop_units(hidden, config.embedding_dropout)
        ends = []
        for layer in range(config.layers):
            if layer:
                hidden = drop_units(hidden, config.hidden_dropout)
            weights = [weight.to(dtype) for weight in self.recurrent.all_weights[layer]]
            if config.recurrent_dropout:
                weights[1] = weights[1] * mask(tuple(weights[1].shape), config.recurrent_dropout)
            # (1, B, H) each; a graphics card wants them in one piece.
            start = tuple(tensor[None, :, layer].to(dtype).contiguous() for tensor in state)
            start_of_kind = start if len(start) > 1 else start[0]
            hidden, *end = type(self).kernel(hidden, start_of_kind, weights, *_ONE_LAYER)
            ends.append([tensor[0] for tensor in end])
        hidden = drop_units(hidden, config.output_dropout)
        logits = self.output(hidden.to(self.output.weight.dtype)).transpose(0, 1)
        return logits, tuple(torch.stack(part, 1) for part in zip(*ends, strict=True))

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights: uniform within 1/sqrt(H), orthogonal recurrent blocks."""
        bound = self.config.hidden_size**-0.5
        self.embedding.weight.uniform_(-1.0, 1.0, generator=rng)
        for name, parameter in self.recurrent.named_parameters():
            parameter.uniform_(-bound, bound, generator=rng)
            if name.startswith("weight_hh"):
                for block in parameter.split(self.config.hidden_size):
                    nn.init.orthogonal_(block, generator=rng)
        self.output.weight.uniform_(-bound, bound, generator=rng)
        self.output.bias.zero_()


class RNNLanguageModel(RecurrentLanguageModel):
    """Of plain recurrent layers with tanh."""

    layer_type, kernel = nn.RNN, torch.rnn_tanh


class GRULanguageModel(RecurrentLanguageModel):
    """Of gated recurrent units."""

    layer_type, kernel = nn.GRU, torch.gru


class LSTMLanguageModel(RecurrentLanguageModel):
    """Of long short-term memory: the state has a second part, c."""

    layer_type, kernel, state_size = nn.LSTM, torch.lstm, 2
    lstm: nn.LSTM

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw as the others do, and open the forget gates.

        A forget gate that starts open (bias 1) lets gradients through from the first step on
        (Jozefowicz et al. 2015).
        """
        super().initialise(rng)
        for name, parameter in self.lstm.named_parameters():
            if name.startswith("bias_ih"):  # gate order i, f, g, o
                parameter[self.config.hidden_size : 2 * self.config.hidden_size] += 1.0
