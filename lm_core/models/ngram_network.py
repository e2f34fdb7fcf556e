"""The network that counting is equivalent to: one layer, a row of weights for each context.

The context is a one-hot vector of V ** (n - 1) numbers, so the product with the weights picks one
row; its softmax is the prediction. Every context has its own weights, so the row c of the cross-entropy

    L = - sum_c sum_v q(c v) log softmax(W_c)_v

has its least value where softmax(W_c) = q(c v) / q(c): the network can meet any counts that are all
positive, and none that hold a zero, which only a weight of minus infinity could give.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError
from lm_core.models.language_model import LanguageModel, State

LARGEST = 1_000_000
"""Most weights that such a network may have."""


@dataclass(frozen=True)
class NGramNetworkConfig:
    """Sizes of an `NGramNetwork`."""

    vocabulary_size: int
    """V."""
    n: int
    """It looks back at n - 1 symbols, and has V ** n weights."""

    def __post_init__(self) -> None:
        if not self.n >= 1 or not 1 <= self.vocabulary_size**self.n <= LARGEST:
            raise SettingError(
                f"n must be at least 1 and V ** n at most {LARGEST:,}, got"
                f" {self.vocabulary_size} ** {self.n}"
            )


class NGramNetwork(LanguageModel):
    """One-hot context, one linear layer, softmax. The state is the last n - 1 symbols."""

    def __init__(self, config: NGramNetworkConfig) -> None:
        super().__init__()
        self.config = config
        size = config.vocabulary_size
        self.weight = nn.Parameter(torch.zeros(size ** (config.n - 1), size))

    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights from a standard normal distribution."""
        with torch.no_grad():
            self.weight.normal_(generator=rng)

    def initial_state(self, batch: int) -> State:
        """Return a history of nothing but symbol 0, which stands before every text."""
        return (torch.zeros(batch, self.config.n - 1, dtype=torch.int64),)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return the logits (B, T, V) and the last n - 1 tokens."""
        text = torch.cat([state[0], tokens], 1)
        row = torch.zeros_like(tokens)
        for back in reversed(range(self.config.n - 1)):
            end = text.shape[1] - back
            row = row * self.vocabulary_size + text[:, end - tokens.shape[1] : end]
        return self.weight[row], (text[:, text.shape[1] - (self.config.n - 1) :].clone(),)

    def probabilities(self) -> Tensor:
        """Return the prediction after every context, shape (V ** (n - 1), V)."""
        return self.weight.detach().softmax(1)
