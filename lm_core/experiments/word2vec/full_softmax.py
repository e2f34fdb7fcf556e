"""CBOW with the full softmax, as it was first described: the centre word is predicted among all words.

The mean of the context words' input embeddings is multiplied with every word's output embedding, and
the cross-entropy of the softmax is the loss. It is exact, and costs V products for each word of the
text.

References
----------
Mikolov et al. 2013, "Efficient Estimation of Word Representations in Vector Space", section 3.1.
https://arxiv.org/abs/1301.3781
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError, require_fields_at_least_1, require_positive
from lm_core.experiments.word2vec.training import WordVectorTraining
from lm_core.models.embeddings import WordVectors
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop


@dataclass(frozen=True)
class FullSoftmaxConfig:
    """What is learned, and how; the defaults are those of the published run, but for its larger batches."""

    width: int = 300
    """D, numbers a vector."""
    window: int = 4
    """Context words to each side."""
    max_norm: float | None = 1.0
    """Greatest length of a context word's input embedding; None for any length."""
    epochs: int = 7
    """Passes over the text."""
    learning_rate: float = 0.1
    """Adam's at the start; it falls linearly to 0."""
    batch: int = 1_024
    """Centre words of a step."""
    seed: int = 1
    """Start of all randomness."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "width window epochs batch")
        require_positive(learning_rate=self.learning_rate)
        if self.max_norm is not None and not self.max_norm > 0.0:
            raise SettingError(f"max_norm must be positive or None, got {self.max_norm}")

    def n_steps(self, n_words: int) -> int:
        """Return how many steps it takes to learn from a text of so many words."""
        return self.epochs * -(-n_words // self.batch)


def context_words(tokens: Tensor, centres: Tensor, window: int) -> tuple[Tensor, Tensor]:
    """Return the words around some places of a text, and which of them exist.

    Parameters
    ----------
    tokens : int64 Tensor of shape (N,)
    centres : int64 Tensor of shape (B,), places in the text
    window : int, w, words to each side

    Returns
    -------
    int64 Tensor, bool Tensor, both of shape (B, 2 w)
        Words from left to right; False beyond the ends of the text, with word 0 in its place.
    """
    steps = torch.cat([torch.arange(-window, 0), torch.arange(1, window + 1)])
    places = centres[:, None] + steps
    inside = (places >= 0) & (places < len(tokens))
    return tokens[places.clamp(0, len(tokens) - 1)] * inside, inside


def mean_of_context(input: Tensor, words: Tensor, inside: Tensor) -> Tensor:
    """Return the mean input embedding (B, D) of the context words (B, 2 w) that exist.

    The embeddings are multiplied with how often each word stands in each context: one product of
    matrices takes less than half the time of looking up B times 2 w rows.
    """
    counts = input.new_zeros(len(words), len(input)).scatter_add_(1, words, inside.to(input.dtype))
    return counts @ input / counts.sum(1, keepdim=True).clamp_min(1)


class FullSoftmaxTraining(WordVectorTraining):
    """A training with the full softmax in progress; iterate over it for its steps.

    `tokens`: integer Tensor of shape (N,), the text, in words of the vocabulary; at least two of them.
    """

    def __init__(
        self, tokens: Tensor, vocabulary: WordVocabulary, config: FullSoftmaxConfig
    ) -> None:
        super().__init__(tokens, fewest_words=2, seed=config.seed)
        self.config = config
        # The start of torch.nn.Embedding, and of torch.nn.Linear without bias.
        shape, bound = (len(vocabulary), config.width), config.width**-0.5
        input = torch.randn(shape, generator=self._rng)
        output = torch.empty(shape).uniform_(-bound, bound, generator=self._rng)
        self.vectors = WordVectors.of(vocabulary, input, output).requires_grad_()
        steps = config.n_steps(len(tokens))
        self._loop = TrainingLoop(
            self.vectors.parameters(),
            self._next_loss,
            Adam(self.vectors.parameters()),
            steps=steps,
            learning_rate=lambda step: config.learning_rate * (1 - step / steps),
        )

    @property
    def share(self) -> float:
        """Share of the training that is done, in [0, 1]."""
        return self._loop.step / self._loop.steps

    @property
    def steps(self) -> int:
        """Steps of the whole training."""
        return self._loop.steps

    def _begin_pass(self) -> list[Tensor]:
        return self._in_drawn_order(torch.arange(len(self._text)), self.config.batch)

    def _next_loss(self) -> Tensor:
        centres = self._next_batch()
        input, output = self.vectors.input, self.vectors.output
        words, inside = context_words(self._text, centres, self.config.window)
        if self.config.max_norm is not None:
            shorten_rows(input, words[inside].unique(), self.config.max_norm)
        logits = mean_of_context(input, words, inside) @ output.T  # (B, V)
        return F.cross_entropy(logits, self._text[centres])


@torch.no_grad()
def shorten_rows(table: Tensor, rows: Tensor, longest: float) -> None:
    """Shorten the given rows of a table (V, D) to a greatest length, in place.

    As `torch.nn.Embedding` does with its ``max_norm``: before a vector is used, not after each step.
    """
    chosen = table[rows]
    length = chosen.norm(dim=1, keepdim=True)
    table[rows] = torch.where(length > longest, chosen * (longest / (length + 1e-7)), chosen)
