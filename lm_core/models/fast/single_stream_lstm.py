"""A character LSTM for one text at a time: the same numbers as `nn.LSTM`, several times sooner.

With a single text every product is a matrix with a vector, and `nn.LSTM` spends most of a step on
being called. Here a step is one product per layer:

* what layer 0 makes of each character, biases included, is looked up in a table (V, 4H);
* [input, h] of a layer is one vector and its two weights one matrix, and as the hidden vectors of
  all layers lie end to end, that vector is already there: nothing is copied;
* the logistic gates are computed as (1 + tanh(z / 2)) / 2, the half folded into the weights, so
  that one tanh serves all four gates.

One step is far too small to be shared among threads: set ``OMP_NUM_THREADS=1`` before numpy is
imported, or its BLAS may spend longer on waking them than on the product.
"""

from typing import TypeGuard

import numpy as np
import torch
from torch import Tensor

from lm_core.models.language_model import LanguageModel
from lm_core.models.recurrent_language_model import LSTMLanguageModel

SingleStreamState = tuple[np.ndarray, np.ndarray]
"""h and c of all layers, each float32 of shape (layers * H,)."""


def has_single_stream(model: LanguageModel) -> TypeGuard[LSTMLanguageModel]:
    """Return whether `SingleStreamLSTM` can replace a model: a float32 LSTM on the CPU."""
    return type(model) is LSTMLanguageModel and all(
        parameter.dtype == torch.float32 and parameter.device.type == "cpu"
        for parameter in model.parameters()
    )


class SingleStreamLSTM:
    """A rearranged copy of an `LSTMLanguageModel`'s weights, and the step that uses it.

    Keeps nothing between calls, so one serves any number of texts and threads.

    Parameters
    ----------
    model : LSTMLanguageModel
        For which `has_single_stream` holds. Later changes to it are not followed.
    """

    def __init__(self, model: LSTMLanguageModel) -> None:
        size, self._layers = model.config.hidden_size, model.config.layers
        self._size = size
        table, self._products, self._biases = _rearranged(model)
        self._table = table  # (V, 4H)
        self._output = _numpy(model.output.weight).T.copy()  # (H, V)
        self._output_bias = _numpy(model.output.bias)  # (V,)

    def read(
        self, ids: np.ndarray | tuple[int], state: SingleStreamState | None = None
    ) -> tuple[Tensor, SingleStreamState]:
        """Read int64 tokens (T,), T >= 1; return the next token's logits (V,) and the state."""
        hidden, cell = state or (np.zeros(self._layers * self._size, np.float32),) * 2
        hidden, cell = hidden.copy(), cell.copy()
        for token in ids:
            self._advance(token, hidden, cell)
        logits = hidden[-self._size :] @ self._output
        logits += self._output_bias
        return torch.from_numpy(logits), (hidden, cell)

    def step(self, token: int, state: SingleStreamState) -> tuple[Tensor, SingleStreamState]:
        """Read one token; return the next one's logits (V,) and the state."""
        return self.read((token,), state)

    def earlier_state(self, state: SingleStreamState, n_read: int, n: int) -> None:
        """Return None: an LSTM's state does not tell what it was before."""
        del state, n_read, n

    def _advance(self, token: int, hidden: np.ndarray, cell: np.ndarray) -> None:
        """Bring h and c one token forward, in place."""
        size = self._size
        gates = np.empty(4 * size, np.float32)
        squashed, candidate = gates[: 3 * size], gates[3 * size :]
        i, f, o = gates[:size], gates[size : 2 * size], gates[2 * size : 3 * size]
        for layer in range(self._layers):
            h = hidden[layer * size : (layer + 1) * size]
            c = cell[layer * size : (layer + 1) * size]
            # Layer 0 reads its h alone, the others [h of the layer below, h]: neighbours in `hidden`.
            read = hidden[max(layer - 1, 0) * size : (layer + 1) * size]
            np.dot(read, self._products[layer], out=gates)
            np.add(gates, self._biases[layer] if layer else self._table[token], out=gates)
            np.tanh(gates, out=gates)
            np.multiply(squashed, 0.5, out=squashed)
            np.add(squashed, 0.5, out=squashed)
            np.multiply(candidate, i, out=candidate)
            np.multiply(c, f, out=c)
            np.add(c, candidate, out=c)
            np.tanh(c, out=h)
            np.multiply(h, o, out=h)


def _rearranged(model: LSTMLanguageModel) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """Fold a model's weights: the table (V, 4H), a product (H or 2H, 4H) and a bias (4H,) per layer."""
    products, biases = [], []
    for layer, parameters in enumerate(model.lstm.all_weights):
        weight_ih, weight_hh, bias_ih, bias_hh = map(_numpy, parameters)
        if layer == 0:
            table = _by_gate(_numpy(model.embedding.weight) @ weight_ih.T + bias_ih + bias_hh)
            products.append(_by_gate(weight_hh.T))
        else:
            products.append(_by_gate(np.concatenate([weight_ih.T, weight_hh.T])))
        biases.append(_by_gate(bias_ih + bias_hh))
    return table, products, biases


def _by_gate(columns: np.ndarray) -> np.ndarray:
    """Order the last axis, (..., 4H), as i, f, o, g instead of nn.LSTM's i, f, g, o, the first three halved."""
    i, f, g, o = np.split(columns, 4, axis=-1)
    return np.concatenate([i / 2, f / 2, o / 2, g], axis=-1)


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().numpy().copy()
