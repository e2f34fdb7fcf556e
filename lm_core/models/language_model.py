"""The contract of everything that predicts the next token.

A count table, a recurrent network and a transformer differ in what they remember, so what they
remember is passed in and out and never kept on the module. One `generate`, one `evaluate` and one
training loop serve them all.
"""

from abc import ABC, abstractmethod
from typing import Any

import torch
from torch import Tensor, nn

State = tuple[Tensor, ...]
"""What a model remembers of the text so far. **The first axis of every tensor is the batch.**"""


class LanguageModel(nn.Module, ABC):
    """Predicts the next token of each of B texts from what it has read so far.

    Subclasses are built from one frozen config, kept as `config`, whose class name is unique in
    the project: it is the checkpoint's family, the cache key and the run's key.
    """

    config: Any

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens, V."""
        size: int = self.config.vocabulary_size
        return size

    @abstractmethod
    def initial_state(self, batch: int) -> State:
        """Return the state of `batch` texts of which nothing has been read yet."""

    @abstractmethod
    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read some tokens and predict, after each, the next one.

        Parameters
        ----------
        tokens : int64 Tensor of shape (B, T)
        state : State of B texts

        Returns
        -------
        logits : float Tensor of shape (B, T, V)
            Row t is the prediction of the token that follows ``tokens[:, t]``.
        state : State
            After all T tokens. The one given is left unchanged.
        """

    def earlier_state(self, state: State, n_read: int, n: int) -> State | None:
        """Return the state after the first n tokens, if it can be told from the one after `n_read`.

        Most models remember a text as a whole, and return None: it has to be read again.
        """
        del state, n_read, n
        return None

    def training_logits(
        self, tokens: Tensor, state: State, *, rng: torch.Generator, dtype: torch.dtype
    ) -> tuple[Tensor, State]:
        """Like `forward`, with this model's dropout drawn from `rng` and arithmetic in `dtype`.

        Models without dropout inherit this: plain `forward`, its products in `dtype`.
        """
        del rng
        with torch.autocast(tokens.device.type, dtype, enabled=dtype != torch.float32):
            return self(tokens, state)

    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights from `rng`. Models that are not trained by gradient inherit a no-op."""
        del rng

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return sum(parameter.numel() for parameter in self.parameters())


def select_rows(state: State, indices: Tensor) -> State:
    """Return the states of the texts at `indices`, in that order; repeats are allowed.

    Parameters
    ----------
    state : State of B texts
    indices : int64 Tensor of shape (B_new,), each in [0, B)
    """
    return tuple(tensor[indices] for tensor in state)
