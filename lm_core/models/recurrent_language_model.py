"""A character LSTM: embedding -> stacked LSTM -> linear, for both recurrent models of the book.

Its layers are ``nn.LSTM``, torch's fused twin of a stack of `lm_core.models.recurrent.LSTMCell`: the
same weights, the same numbers (a test compares them), many times sooner, and no gate to be seen.

The published network and our own are the same class with two configs; ours differs in width and in
its regularisation.

References
----------
Hochreiter & Schmidhuber 1997, "Long Short-Term Memory".
Gal & Ghahramani 2016, "A Theoretically Grounded Application of Dropout in Recurrent Neural
Networks" (one mask per sequence). https://arxiv.org/abs/1512.05287
Merity, Keskar & Socher 2018, "Regularizing and Optimizing LSTM Language Models" (dropout on the
recurrent weights). https://arxiv.org/abs/1708.02182
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError, ShapeError, require_at_least_1
from lm_core.models.language_model import LanguageModel, State


@dataclass(frozen=True)
class LSTMLanguageModelConfig:
    """Sizes and dropout rates of an `LSTMLanguageModel`.

    Attributes
    ----------
    vocabulary_size, embedding_size, hidden_size, layers : int
        V, E, H and the number of stacked LSTM layers; each at least 1.
    embedding_dropout, hidden_dropout, output_dropout : float in [0, 1)
        Share of units dropped after the embedding, between layers and before the output.
    dropout_mask : str
        ``window``: one mask per text and training window (Gal & Ghahramani); ``step``: a new one
        at every time step, as ``torch.nn.LSTM(dropout=...)`` and the published network has it.
    recurrent_dropout : float in [0, 1)
        Share of the hidden-to-hidden weights dropped, one mask per training window.
    """

    vocabulary_size: int
    embedding_size: int
    hidden_size: int
    layers: int
    embedding_dropout: float = 0.0
    hidden_dropout: float = 0.0
    output_dropout: float = 0.0
    recurrent_dropout: float = 0.0
    dropout_mask: str = "window"

    def __post_init__(self) -> None:
        require_at_least_1(
            vocabulary_size=self.vocabulary_size,
            embedding_size=self.embedding_size,
            hidden_size=self.hidden_size,
            layers=self.layers,
        )
        for name in ("embedding_dropout", "hidden_dropout", "output_dropout", "recurrent_dropout"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise SettingError(f"{name} must lie in [0, 1), got {getattr(self, name)}")
        if self.dropout_mask not in ("window", "step"):
            raise SettingError(f"dropout_mask must be window or step, got {self.dropout_mask!r}")


class LSTMLanguageModel(LanguageModel):
    """Embedding(V, E) -> LSTM(E, H, layers) -> Linear(H, V).

    The state is ``(h, c)``, each of shape (B, layers, H).
    """

    def __init__(self, config: LSTMLanguageModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.embedding_size)
        self.lstm = nn.LSTM(
            config.embedding_size, config.hidden_size, config.layers, batch_first=True
        )
        self.output = nn.Linear(config.hidden_size, config.vocabulary_size)

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens, V."""
        return self.config.vocabulary_size

    def initial_state(self, batch: int) -> State:
        """Return zeros for h and c."""
        shape = (batch, self.config.layers, self.config.hidden_size)
        zeros = self.output.weight.new_zeros(shape)
        return zeros, zeros

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return logits (B, T, V) and the state after them."""
        if tokens.dim() != 2:
            raise ShapeError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
        # nn.LSTM wants the layers first; the project's states have the batch first.
        h, c = (tensor.transpose(0, 1).contiguous() for tensor in state)
        hidden, (h, c) = self.lstm(self.embedding(tokens), (h, c))  # (B, T, H)
        return self.output(hidden), (h.transpose(0, 1), c.transpose(0, 1))

    def training_logits(
        self, tokens: Tensor, state: State, *, rng: torch.Generator, dtype: torch.dtype
    ) -> tuple[Tensor, State]:
        """Like `forward`, with the config's dropout and the LSTM computed in `dtype`.

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
        h_last, c_last = [], []
        for layer in range(config.layers):
            if layer:
                hidden = drop_units(hidden, config.hidden_dropout)
            weights = [weight.to(dtype) for weight in self.lstm.all_weights[layer]]
            if config.recurrent_dropout:
                weights[1] = weights[1] * mask(tuple(weights[1].shape), config.recurrent_dropout)
            start = tuple(tensor[None, :, layer].to(dtype) for tensor in state)  # (1, B, H) each
            hidden, h, c = torch.lstm(hidden, start, weights, True, 1, 0.0, True, False, False)
            h_last.append(h[0])
            c_last.append(c[0])
        hidden = drop_units(hidden, config.output_dropout)
        logits = self.output(hidden.to(self.output.weight.dtype)).transpose(0, 1)
        return logits, (torch.stack(h_last, 1), torch.stack(c_last, 1))

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights: uniform within 1/sqrt(H), orthogonal recurrent gates, open forget gates.

        A forget gate that starts open (bias 1) lets gradients through from the first step on
        (Jozefowicz et al. 2015).
        """
        bound = self.config.hidden_size**-0.5
        self.embedding.weight.uniform_(-1.0, 1.0, generator=rng)
        for name, parameter in self.lstm.named_parameters():
            parameter.uniform_(-bound, bound, generator=rng)
            if name.startswith("bias_ih"):  # gate order i, f, g, o
                parameter[self.config.hidden_size : 2 * self.config.hidden_size] += 1.0
            if name.startswith("weight_hh"):
                for gate in parameter.chunk(4):
                    nn.init.orthogonal_(gate, generator=rng)
        self.output.weight.uniform_(-bound, bound, generator=rng)
        self.output.bias.zero_()
