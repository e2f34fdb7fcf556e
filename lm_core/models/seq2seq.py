"""Three small recurrent networks: a vector to a word, a sentence to a class, a word to a word.

All read and write characters, and all are GRUs: fewer weights than an LSTM of the same width.

References
----------
Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder" (GRU, and an encoder
that hands its last state over). https://arxiv.org/abs/1406.1078
Sutskever, Vinyals & Le 2014, "Sequence to Sequence Learning with Neural Networks".
Schuster & Paliwal 1997, "Bidirectional Recurrent Neural Networks".
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError, require_at_least_1
from lm_core.text.symbols import N_LETTERS, N_SENTENCE_SYMBOLS, reversed_rows

POOLINGS = ("last", "mean")


class SequenceModel(nn.Module):
    """What the three share: a frozen config, a parameter count, and weights drawn from a generator."""

    config: Any

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return sum(parameter.numel() for parameter in self.parameters())

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw embeddings from a standard normal distribution, all else within 1/sqrt(H)."""
        bound = self.config.hidden_size**-0.5
        for name, parameter in self.named_parameters():
            if name.startswith("embedding"):
                parameter.normal_(generator=rng)
            else:
                parameter.uniform_(-bound, bound, generator=rng)


def _check_sizes(config: Any) -> None:
    require_at_least_1(embedding_size=config.embedding_size, hidden_size=config.hidden_size)


# Vector to sequence ---------------------------------------------------------------------------


@dataclass(frozen=True)
class NameGeneratorConfig:
    """Sizes of a `NameGenerator`; each at least 1."""

    embedding_size: int = 16
    hidden_size: int = 64

    def __post_init__(self) -> None:
        _check_sizes(self)


class NameGenerator(SequenceModel):
    """Generates a word letter by letter; the vector is an input of every step.

    The vector is (is it a name, letters / 12), both in [0, 1].
    """

    def __init__(self, config: NameGeneratorConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(N_LETTERS, config.embedding_size)
        self.gru = nn.GRU(2 + config.embedding_size, config.hidden_size, batch_first=True)
        self.output = nn.Linear(config.hidden_size, N_LETTERS)

    def forward(
        self, vectors: Tensor, letters: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Predict the letter after each one: f([x; y_t-1], h).

        Parameters
        ----------
        vectors : Tensor of shape (B, 2)
        letters : int64 Tensor of shape (B, T), each word begins with `END`
        state : Tensor of shape (1, B, H), optional

        Returns
        -------
        logits : Tensor of shape (B, T, 27)
        state : Tensor of shape (1, B, H)
        """
        repeated = vectors[:, None].expand(-1, letters.shape[1], -1)
        hidden, state = self.gru(torch.cat([repeated, self.embedding(letters)], -1), state)
        return self.output(hidden), state


# Sequence to vector ---------------------------------------------------------------------------


@dataclass(frozen=True)
class SentenceClassifierConfig:
    """Architecture of a `SentenceClassifier`."""

    pooling: str
    """Which of its states are classified: the ``last`` one, or their ``mean``."""
    bidirectional: bool = False
    """Whether a second GRU reads from the end; both then have `hidden_size` units."""
    embedding_size: int = 16
    hidden_size: int = 64

    def __post_init__(self) -> None:
        _check_sizes(self)
        if self.pooling not in POOLINGS:
            raise SettingError(f"pooling must be one of {POOLINGS}, got {self.pooling!r}")


class SentenceClassifier(SequenceModel):
    """Classifies a sentence as speech or narration."""

    def __init__(self, config: SentenceClassifierConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(N_SENTENCE_SYMBOLS, config.embedding_size)
        self.forwards = nn.GRU(config.embedding_size, config.hidden_size, batch_first=True)
        self.backwards = (
            nn.GRU(config.embedding_size, config.hidden_size, batch_first=True)
            if config.bidirectional
            else None
        )
        self.output = nn.Linear((1 + config.bidirectional) * config.hidden_size, 1)

    def forward(self, characters: Tensor, lengths: Tensor) -> Tensor:
        """Return the log-odds of speech against narration, (B,).

        Parameters
        ----------
        characters : int64 Tensor of shape (B, T)
        lengths : int64 Tensor of shape (B,), each in 1..T, the characters behind are padding
        """
        states, _ = self.forwards(self.embedding(characters))  # (B, T, H)
        if self.backwards is not None:
            from_end, _ = self.backwards(self.embedding(reversed_rows(characters, lengths)))
            states = torch.cat([states, from_end], -1)  # each in its own order of reading
        log_odds: Tensor = self.output(self._pooled(states, lengths))  # (B, 1)
        return log_odds.squeeze(-1)

    def _pooled(self, states: Tensor, lengths: Tensor) -> Tensor:
        """Return the last state of each sentence, or the mean of its states."""
        if self.config.pooling == "last":
            return states[torch.arange(len(states)), lengths - 1]
        behind = torch.arange(states.shape[1]) >= lengths[:, None]
        return states.masked_fill(behind[..., None], 0.0).sum(1) / lengths[:, None]


# Sequence to sequence -------------------------------------------------------------------------


@dataclass(frozen=True)
class WordReverserConfig:
    """Sizes of a `WordReverser`; each at least 1."""

    embedding_size: int = 16
    hidden_size: int = 128

    def __post_init__(self) -> None:
        _check_sizes(self)


class WordReverser(SequenceModel):
    """An encoder reads a word, a decoder generates another from the encoder's last state alone."""

    def __init__(self, config: WordReverserConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(N_LETTERS, config.embedding_size)
        self.encoder = nn.GRU(config.embedding_size, config.hidden_size, batch_first=True)
        self.decoder = nn.GRU(config.embedding_size, config.hidden_size, batch_first=True)
        self.output = nn.Linear(config.hidden_size, N_LETTERS)

    def encode(self, letters: Tensor, lengths: Tensor) -> Tensor:
        """Read words (B, S) and return the state after the last letter of each, (1, B, H)."""
        states: Tensor = self.encoder(self.embedding(letters))[0]  # (B, S, H)
        return states[torch.arange(len(states)), lengths - 1][None]

    def decode(self, letters: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Predict the letter after each of (B, T): logits (B, T, 27), and the state, (1, B, H)."""
        hidden, state = self.decoder(self.embedding(letters), state)
        return self.output(hidden), state
