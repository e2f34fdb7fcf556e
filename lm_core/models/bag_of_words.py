"""The model without order: it counts the words that it has read, and predicts from the counts alone.

    logits = b + sum over read words w of W_w

The counts are whole numbers, added exactly, so texts of the same words have the same counts and the same
prediction to the last bit, in whatever order they came.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import require_fields_at_least_1
from lm_core.models.language_model import LanguageModel, State


@dataclass(frozen=True)
class BagOfWordsConfig:
    """Size of a `BagOfWords`."""

    vocabulary_size: int
    """V."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size")


class BagOfWords(LanguageModel):
    """Counts of all words so far, one linear layer, softmax. The state is the counts, (B, V)."""

    def __init__(self, config: BagOfWordsConfig) -> None:
        super().__init__()
        self.config: BagOfWordsConfig = config
        self.output = nn.Linear(config.vocabulary_size, config.vocabulary_size)

    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights from a standard normal distribution; the bias begins at 0."""
        with torch.no_grad():
            self.output.weight.normal_(generator=rng)
            self.output.bias.zero_()

    def initial_state(self, batch: int) -> State:
        """Return counts of 0."""
        return (self.output.weight.new_zeros(batch, self.vocabulary_size),)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return the logits (B, T, V) and the counts after them."""
        seen = functional.one_hot(tokens, self.vocabulary_size).to(state[0].dtype).cumsum(1)
        counts = seen + state[0][:, None]
        return self.output(counts), (counts[:, -1].clone(),)
