"""The hidden units of a transformer's feed-forward networks: read over a text, and held at a value.

Each block widens the vector of a token to U hidden units, lets each through its activation, and narrows them
again: ``x + W_2 gelu(W_1 norm(x))``. Row u of W_1 is the pattern that unit u answers to, column u of W_2 what
it then adds to the residual stream. The units are numbered through from the first layer on: unit ``n`` is unit
``n % U`` of layer ``n // U``.

References
----------
Geva et al. 2021, "Transformer Feed-Forward Layers Are Key-Value Memories". https://arxiv.org/abs/2012.14913
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
import torch
from torch import Tensor

from lm_core.analysis.residual_stream import ACTIVATED, Stage, trace
from lm_core.errors import SettingError, TextError
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.multi_head_attention import AttentionMask, KeysValues
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_blocks import Block, BlockOutput, hidden_units
from lm_core.models.transformer_config import TransformerLanguageModelConfig

_WINDOW = 256
"""Tokens that are read at once, at most: GPT-2's stages over its whole context would take gigabytes."""


def units_per_layer(config: TransformerLanguageModelConfig) -> int:
    """Return how many hidden units each feed-forward network has, U."""
    return hidden_units(config, config.activation)


def read_units(
    model: TransformerLanguageModel,
    ids: np.ndarray,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
    on_progress: Callable[[float], object] | None = None,
) -> np.ndarray:
    """Read a text and return all units after their activation, float32 of shape (T, layers * U).

    A text that is longer than the context, or than 256 tokens, is read window by window, each from an empty
    memory. Raises TextError if there is no token.

    Parameters
    ----------
    ids : int64 ndarray of shape (T,), at least one token
    model_turn : callable that returns a context manager, entered for each window
    on_progress : callable, receives the share that is done, from 0 to 1
    """
    return np.concatenate([units for _, units in _windows(model, ids, model_turn, on_progress)])


def _windows(
    model: TransformerLanguageModel,
    ids: np.ndarray,
    model_turn: Callable[[], AbstractContextManager[object]],
    on_progress: Callable[[float], object] | None,
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the start of each window of a text, and all units over its tokens."""
    if not len(ids):
        raise TextError("the text must have at least one token that the model reads, got none")
    size = min(_WINDOW, model.config.context)
    for start in range(0, len(ids), size):
        with model_turn():
            found = trace(model, torch.from_numpy(ids[start : start + size]))
        layers = [found[Stage(ACTIVATED, layer)] for layer in range(model.config.layers)]
        yield start, torch.cat(layers, -1).float().numpy()
        if on_progress:
            on_progress(min(1.0, (start + size) / len(ids)))


class Passage(NamedTuple):
    """The place of a window at which a unit is on most."""

    place: int
    """Its token in the whole text."""
    activation: float


@dataclass(frozen=True)
class Peaks:
    """Where in each of W windows of a text each of U units is on most."""

    places: np.ndarray
    """int64, of shape (W, U): tokens of the whole text."""
    activations: np.ndarray
    """float32, of shape (W, U)."""

    def strongest(self, unit: int, most: int) -> list[Passage]:
        """Return the windows in which a unit is on most, from the largest activation on."""
        windows = np.argsort(-self.activations[:, unit], kind="stable")[:most]
        return [
            Passage(int(self.places[window, unit]), float(self.activations[window, unit]))
            for window in windows
        ]


def read_peaks(
    model: TransformerLanguageModel,
    ids: np.ndarray,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
    on_progress: Callable[[float], object] | None = None,
) -> Peaks:
    """Read a long text window by window, and return where each unit is on most in each of them.

    Raises TextError if there is no token.

    Parameters
    ----------
    model, ids, model_turn, on_progress
        As for `read_units`.
    """
    places, activations = [], []
    for start, units in _windows(model, ids, model_turn, on_progress):
        places.append(start + units.argmax(0))
        activations.append(units.max(0))
    return Peaks(np.stack(places), np.stack(activations))


@dataclass(frozen=True)
class HeldUnit:
    """A unit that is held at a value, whatever the model reads."""

    unit: int
    """From 0 to layers * U - 1."""
    value: float


class HoldingTransformer(LanguageModel):
    """A transformer with one hidden unit held at a value at every token; it shares the model's weights.

    Raises SettingError if the model has no such unit.
    """

    def __init__(self, model: TransformerLanguageModel, held: HeldUnit) -> None:
        super().__init__()
        n_units = model.config.layers * units_per_layer(model.config)
        if not 0 <= held.unit < n_units:
            raise SettingError(f"the unit must lie in 0 to {n_units - 1}, got {held.unit}")
        self.model, self.held = model, held
        self.layer, self.unit = divmod(held.unit, units_per_layer(model.config))

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens, V."""
        return self.model.vocabulary_size

    def initial_state(self, batch: int) -> State:
        """Return the model's empty caches."""
        return self.model.initial_state(batch)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return logits (B, T, V) and the state after them."""
        parts = []
        for piece in tokens.split(self.model.config.context, 1):
            logits, state = self.model.read(piece, state, run_block=self._run_block)
            parts.append(logits)
        return torch.cat(parts, 1), state

    def _run_block(
        self, layer: int, x: Tensor, mask: AttentionMask, past: KeysValues | None
    ) -> BlockOutput:
        block = cast(Block, self.model.blocks[layer])
        output = block(x, mask, past, attention=self.model.attention)
        if layer != self.layer:
            return output
        attended = output.after_attention
        units = block.widen(attended)
        units[..., self.unit] = self.held.value
        return output._replace(after_feed_forward=block.narrow(attended, units))
