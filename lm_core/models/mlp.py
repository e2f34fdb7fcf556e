r"""Bengio's neural probabilistic language model: a multilayer perceptron (MLP) over the last n tokens.

    x = (C(w_{t-n+1}), ..., C(w_t))
    y = b + W x + U tanh(d + H x),      P(w_{t+1} | w_{t-n+1}, ..., w_t) = softmax(y)

Every token has m numbers, the row C(w) of the *embedding*, wherever it stands; so tokens that are
alike can share what is learned of them. The table of an n-gram has V ** (n + 1) numbers, this has
V m + (1 + n m) h + (h + 1) V, and n m V more with the direct connections W.

References
----------
Bengio, Ducharme, Vincent & Jauvin 2003, "A Neural Probabilistic Language Model", eq. (1).
https://www.jmlr.org/papers/v3/bengio03a.html
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError, ShapeError
from lm_core.models.language_model import LanguageModel, State

NORMAL, SMALL_OUTPUT, SCALED = "normal", "small-output", "scaled"
INITIALISATIONS = (NORMAL, SMALL_OUTPUT, SCALED)
TANH_GAIN = 5 / 3
"""Of `torch.nn.init.calculate_gain("tanh")`."""

_SMALL = 0.01


@dataclass(frozen=True)
class MLPLanguageModelConfig:
    """Sizes of an `MLPLanguageModel`, and how its weights are drawn."""

    vocabulary_size: int
    """V."""
    context_size: int = 3
    """Tokens that it looks back at, n."""
    embedding_size: int = 10
    """Numbers of each token, m."""
    hidden_size: int = 200
    """Units of the tanh layer, h."""
    has_direct_connections: bool = False
    """Whether the embeddings also lead straight to the output, W of eq. (1)."""
    initialisation: str = SCALED
    """``normal`` draws all weights from a standard normal distribution; ``small-output`` then
    makes those of the output a hundredth, so that all tokens begin about equally probable;
    ``scaled`` also divides those of the hidden layer by the root of its inputs (times 5/3,
    the gain of tanh), so that no unit begins saturated."""
    embedding_scale: float = 1.0
    """The embeddings' standard deviation at the start."""

    def __post_init__(self) -> None:
        sizes = (self.vocabulary_size, self.context_size, self.embedding_size, self.hidden_size)
        if min(sizes) < 1:
            raise SettingError(f"all sizes must be at least 1, got {self}")
        if self.initialisation not in INITIALISATIONS:
            raise SettingError(
                f"initialisation must be one of {INITIALISATIONS}, got {self.initialisation!r}"
            )
        if not self.embedding_scale > 0:
            raise SettingError(f"embedding_scale must be above 0, got {self.embedding_scale}")

    @property
    def parameter_count(self) -> int:
        """Number of weights, by the formula above."""
        n_inputs = self.context_size * self.embedding_size
        direct = n_inputs * self.vocabulary_size if self.has_direct_connections else 0
        return (
            self.vocabulary_size * self.embedding_size
            + (1 + n_inputs) * self.hidden_size
            + (self.hidden_size + 1) * self.vocabulary_size
            + direct
        )


class MLPTrace(NamedTuple):
    """What an `MLPLanguageModel` computes for some contexts."""

    embedded: Tensor
    """Of shape (..., n * m). The context's embeddings, one after the other: x."""
    hidden: Tensor
    """Of shape (..., h). After tanh."""
    logits: Tensor
    """Of shape (..., V)."""


class MLPLanguageModel(LanguageModel):
    """Embedding -> concatenation -> tanh -> softmax. The state is the last n - 1 tokens."""

    def __init__(self, config: MLPLanguageModelConfig) -> None:
        super().__init__()
        self.config: MLPLanguageModelConfig = config
        n_inputs = config.context_size * config.embedding_size
        self.embedding = nn.Embedding(config.vocabulary_size, config.embedding_size)
        self.hidden = nn.Linear(n_inputs, config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.vocabulary_size)
        self.direct = (
            nn.Linear(n_inputs, config.vocabulary_size, bias=False)
            if config.has_direct_connections
            else None
        )

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights as the config says; direct connections begin at 0."""
        for parameter in self.parameters():
            parameter.normal_(generator=rng)
        self.embedding.weight.mul_(self.config.embedding_scale)
        if self.config.initialisation != NORMAL:
            self.output.weight.mul_(_SMALL)
            self.output.bias.zero_()
        if self.config.initialisation == SCALED:
            self.hidden.weight.mul_(TANH_GAIN * self.hidden.in_features**-0.5)
            self.hidden.bias.mul_(_SMALL)
        if self.direct is not None:
            self.direct.weight.zero_()

    def initial_state(self, batch: int) -> State:
        """Return a history of nothing but token 0, which stands before every text."""
        size = self.config.context_size - 1
        device = self.embedding.weight.device
        return (torch.zeros(batch, size, dtype=torch.int64, device=device),)

    def trace(self, contexts: Tensor, mask: Tensor | None = None) -> MLPTrace:
        """Return all that is computed for contexts (..., n), the oldest token first.

        `mask`: of shape (..., h), what dropout multiplies the hidden units by; None for none of it.
        """
        if contexts.shape[-1] != self.config.context_size:
            raise ShapeError(
                f"contexts must have {self.config.context_size} tokens, got {contexts.shape[-1]}"
            )
        embedded = self.embedding(contexts).flatten(-2)  # (..., n, m) -> (..., n * m)
        hidden = torch.tanh(self.hidden(embedded))
        if mask is not None:
            hidden = hidden * mask
        logits = self.output(hidden)
        if self.direct is not None:
            logits = logits + self.direct(embedded)
        return MLPTrace(embedded, hidden, logits)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return the logits (B, T, V) and the last n - 1 tokens."""
        if tokens.dim() != 2:
            raise ShapeError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
        text = torch.cat([state[0], tokens], 1)  # (B, n - 1 + T)
        contexts = text.unfold(1, self.config.context_size, 1)  # (B, T, n)
        remembered = text[:, text.shape[1] - (self.config.context_size - 1) :].clone()
        return self.trace(contexts).logits, (remembered,)
