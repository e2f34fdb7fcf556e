"""One text, one character at a time: what every generator asks of a model.

A decoder keeps nothing between calls; what the model remembers goes in and comes out, so one
decoder may serve any number of texts and threads. What is inside a decoder's state is its own
affair: hand it back to a decoder of the same model only.
"""

from typing import Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor

from lm_core.models.fast.single_stream_lstm import SingleStreamLSTM, has_single_stream
from lm_core.models.language_model import LanguageModel
from lm_core.models.placement import device_of
from lm_core.models.recurrent_language_model import LSTMLanguageModel


class Decoder(Protocol):
    """Reads a text and predicts what follows it."""

    def read(self, ids: np.ndarray, state: Any = None) -> tuple[Tensor, Any]:
        """Read some tokens, int64 (T,) with T >= 1, after those of `state`; None is a blank start.

        Returns the logits of the next token, float (V,), and the state after the last one.
        """

    def step(self, token: int, state: Any) -> tuple[Tensor, Any]:
        """`read` for a single token."""

    def earlier_state(self, state: Any, n_read: int, n: int) -> Any:
        """See `LanguageModel.earlier_state`."""


class ModelDecoder:
    """A decoder for any model: its `forward` on a batch of one.

    `chunk`: int, longest piece of a text read in one call, so that a long one needs no more memory.
    """

    def __init__(self, model: LanguageModel, chunk: int = 1024) -> None:
        self._model = model
        self._chunk = chunk

    @torch.inference_mode()
    def read(self, ids: np.ndarray, state: Any = None) -> tuple[Tensor, Any]:
        """See `Decoder.read`."""
        state = self._model.initial_state(1) if state is None else state
        tokens = torch.as_tensor(ids, dtype=torch.int64).unsqueeze(0)  # (1, T)
        for piece in tokens.split(self._chunk, dim=1):
            logits, state = self._model(piece.to(device_of(self._model)), state)
        return logits[0, -1].cpu(), state

    def step(self, token: int, state: Any) -> tuple[Tensor, Any]:
        """See `Decoder.step`."""
        return self.read(np.array([token]), state)

    def earlier_state(self, state: Any, n_read: int, n: int) -> Any:
        """See `Decoder.earlier_state`."""
        return self._model.earlier_state(state, n_read, n)


def decoder_for(model: LanguageModel) -> Decoder:
    """Return the fastest decoder there is for a model.

    A float32 `LSTMLanguageModel` on the CPU gets `SingleStreamLSTM`, whose rearranged copy of the
    weights is shared by all who ask while the model lives and its weights stay as they are.
    """
    return _single_stream_of(model) if has_single_stream(model) else ModelDecoder(model)


def _single_stream_of(model: LSTMLanguageModel) -> SingleStreamLSTM:
    versions = tuple(parameter._version for parameter in model.parameters())
    known = _SINGLE_STREAM.get(model)
    if known is None or known.versions != versions:
        known = _Known(versions, SingleStreamLSTM(model))
        _SINGLE_STREAM[model] = known
    return known.decoder


class _Known(NamedTuple):
    versions: tuple[int, ...]  # torch counts how often each weight was changed in place
    decoder: SingleStreamLSTM


_SINGLE_STREAM: WeakKeyDictionary[LanguageModel, _Known] = WeakKeyDictionary()
