"""Segments of the book as a masked language model reads them: a first symbol, subwords, a separator."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.text.whole_words import sentence_ends, word_starts

N_AROUND = 2
"""Special symbols of a segment: the first one and the separator."""


class SegmentBatch(NamedTuple):
    """Segments side by side."""

    tokens: Tensor
    """int64, of shape (B, T)."""
    starts_word: Tensor
    """bool, of shape (B, T). True at special symbols, too."""
    lengths: Tensor
    """int64, of shape (B,)."""


class Segments:
    """A text from which segments are cut.

    Raises TextError if the text has no paragraph.

    Parameters
    ----------
    ids : ndarray of int64, shape (N,)
    symbols : sequence of str, spelling of each id
    model : MaskedLanguageModelConfig, says which ids the special symbols have
    """

    def __init__(
        self, ids: np.ndarray, symbols: Sequence[str], model: MaskedLanguageModelConfig
    ) -> None:
        self._model = model
        self._ids = torch.from_numpy(ids)
        self._starts_word = torch.from_numpy(word_starts(ids, symbols))
        ends = np.where(sentence_ends(ids, symbols), np.arange(len(ids)), -1)
        self._last_end = torch.from_numpy(np.maximum.accumulate(ends))
        breaks = np.array([symbol.startswith("\n") for symbol in symbols])
        self._paragraphs = torch.from_numpy(np.flatnonzero(breaks[ids]))
        if not len(self._paragraphs):
            raise TextError("the text must have at least one paragraph: an empty line before it")

    def __len__(self) -> int:
        return len(self._ids)

    def draw(self, batch: int, length: int, rng: torch.Generator) -> SegmentBatch:
        """Return segments of at most `length` tokens: half of them whole sentences from a paragraph's start.

        The others begin and end anywhere. A paragraph's segment ends with the last sentence that
        fits; if not even the first one does, it is cut.
        """
        n_inner = length - N_AROUND
        latest = len(self) - n_inner
        anywhere = torch.randint(latest + 1, (batch,), generator=rng)
        chosen = torch.randint(len(self._paragraphs), (batch,), generator=rng)
        is_paragraph = torch.rand(batch, generator=rng) < 0.5
        starts = torch.where(is_paragraph, self._paragraphs[chosen].clamp_max(latest), anywhere)
        fitting = self._last_end[starts + n_inner - 1] - starts + 1
        cut = is_paragraph & (fitting > 1)  # the first token of a paragraph is its line break
        return self.cut(starts, torch.where(cut, fitting, n_inner), length)

    def cut(self, starts: Tensor, counts: Tensor, length: int) -> SegmentBatch:
        """Return the segments that begin at `starts` and have so many subwords, both int64 (B,).

        Parameters
        ----------
        starts, counts : int64 Tensors of shape (B,)
        length : int, T, at least the largest count and the two symbols around it
        """
        place = torch.arange(length)[None]  # (1, T)
        inner = (starts[:, None] + place - 1).clamp(0, len(self) - 1)  # (B, T)
        after = place - counts[:, None]  # 1 at the separator
        tokens = self._ids[inner]
        tokens = torch.where(after == 1, self._model.separator_id, tokens)
        tokens = torch.where(after > 1, self._model.padding_id, tokens)
        tokens[:, 0] = self._model.first_id
        starts_word = self._starts_word[inner] | (after >= 1)
        starts_word[:, :2] = True
        return SegmentBatch(tokens, starts_word, counts + N_AROUND)
