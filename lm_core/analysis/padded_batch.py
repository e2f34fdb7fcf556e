"""Sentences of unequal length in one batch: what a translator makes of them with the padding masked, and without."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.generation.translation_search import greedy_search
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.text.translation_vocabulary import START, padded


class BatchReading(NamedTuple):
    """A batch of sentences, read and translated side by side."""

    weights: Tensor
    """Of shape (B, S). Weight that each token of a sentence gets, padding too: the mean over the words of its
    translation, layers and heads; rows sum to one."""
    lengths: Tensor
    """Of shape (B,). Tokens of each sentence that are its own, the end included."""
    translations: tuple[tuple[int, ...], ...]
    """Ids of what is written most probably, token by token."""

    @property
    def on_padding(self) -> list[float]:
        """The share of the weight that padding gets, by sentence."""
        return [float(row[n:].sum()) for row, n in zip(self.weights, self.lengths, strict=True)]


@torch.inference_mode()
def read_batch(
    model: EncoderDecoder, sentences: Sequence[Sequence[int]], *, is_masked: bool, longest: int = 60
) -> BatchReading:
    """Translate sentences side by side, and say where the cross-attention looked meanwhile.

    Raises SettingError if the model has no cross-attention.

    Parameters
    ----------
    sentences : sequence of ids with their ends, none empty
    is_masked : bool, whether the model is told where padding begins; else it takes padding for words
    longest : int, most tokens of a translation
    """
    source, lengths = padded(sentences)
    told = lengths if is_masked else torch.full_like(lengths, source.shape[1])
    state = model.encode(source, told)
    written = [found.tokens for found in greedy_search(model, state, longest=longest)]
    read = padded([[START, *tokens[:-1]] for tokens in written])
    traced = model.decode(read.ids, state, trace=True).weights
    if traced is None:
        raise SettingError("the model must have a cross-attention, and this one has none")
    of_words = [row[:, :, :n].mean((0, 1, 2)) for row, n in zip(traced, read.lengths, strict=True)]
    return BatchReading(torch.stack(of_words), lengths, tuple(written))
