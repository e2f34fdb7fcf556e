"""Which earlier tokens the next prediction depends on: by the gradient of its input, and by occlusion.

The prediction is the logarithm of the probability of one next token. Its *gradient* with respect to the
vector (embedding) of an earlier token says how fast it would change with that vector. *Gradient times
input* is what a linear model with these slopes would owe to the token. *Occlusion* is no estimate: the
token is replaced, and the loss of log-probability is measured.

References
----------
Simonyan, Vedaldi & Zisserman 2013, "Deep Inside Convolutional Networks" (gradients of the input).
Zeiler & Fergus 2014, "Visualizing and Understanding Convolutional Networks" (occlusion).
Madsen 2019, "Visualizing memorization in RNNs". https://distill.pub/2019/memorization-in-rnns
"""

import copy
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from lm_core.errors import ShapeError
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.recurrent_language_model import LSTMLanguageModel
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary

EmbeddingModel = LSTMLanguageModel | TransformerLanguageModel
_Model = TypeVar("_Model", bound=EmbeddingModel)
_ROWS = 16  # texts with one token replaced that are read in one call


class InputGradient(NamedTuple):
    """How a prediction changes with the vectors of the T tokens before it."""

    norm: np.ndarray
    """float64, of shape (T,). Euclidean norm of the gradient of the log-probability with respect
    to each token's vector."""
    times_input: np.ndarray
    """float64, of shape (T,). Product of that gradient with the vector itself."""


@torch.no_grad()
def state_before(model: LanguageModel, ids: Tensor, start: int) -> State:
    """Return the state after the first `start` of the tokens (T,)."""
    state = model.initial_state(1)
    if start:
        _, state = model(ids[None, :start], state)
    return state


@torch.no_grad()
def log_probabilities(model: LanguageModel, ids: Tensor, state: State) -> Tensor:
    """Return the log-probabilities (V,) of the token that follows tokens (T,), float64."""
    logits, _ = model(ids[None], state)
    return logits[0, -1].double().log_softmax(-1)


def input_gradient(model: EmbeddingModel, ids: Tensor, state: State, target: int) -> InputGradient:
    """Return how the log-probability of a next token changes with the vector of each token before it.

    Parameters
    ----------
    model : LSTMLanguageModel or TransformerLanguageModel, with an `embedding`; it is not changed
    ids : int64 Tensor of shape (T,)
    state : State, from which they are read
    target : int, the next token whose probability is asked about
    """
    vectors = model.embedding.weight.detach()[ids]
    opened = _with_vectors(model, vectors)
    # Each place of the text is a token of its own, whose vector has a gradient of its own.
    logits, _ = opened(torch.arange(len(ids))[None], state)
    score = logits[0, -1].log_softmax(-1)[target]
    (gradient,) = torch.autograd.grad(score, [opened.embedding.weight])
    norm, product = gradient.norm(dim=1), (gradient * vectors).sum(1)
    return InputGradient(norm.double().numpy(), product.double().numpy())


def _with_vectors(model: _Model, vectors: Tensor) -> _Model:
    """Return a model that shares all weights but the embedding, whose rows are these vectors."""
    opened = copy.copy(model)
    opened._modules = model._modules | {
        "embedding": nn.Embedding.from_pretrained(vectors, freeze=False)
    }
    return opened


@torch.no_grad()
def occlusion(
    model: LanguageModel,
    ids: Tensor,
    replacements: Tensor,
    state: State,
    target: int,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> np.ndarray:
    """Return by how much the log-probability of a next token falls when each token is replaced.

    The result: float64 ndarray of shape (T,), nats; positive where the prediction needs the token.

    Parameters
    ----------
    ids, replacements : int64 Tensor of shape (T,)
        The tokens, and what is put in the place of each, one at a time.
    state : State, from which they are read
    model_turn : callable that returns a context manager, entered for each call of the model
    """
    if ids.shape != replacements.shape:
        raise ShapeError(f"one replacement a token: {len(ids)} tokens, {len(replacements)}")
    with model_turn():
        whole = float(log_probabilities(model, ids, state)[target])
    changed = torch.where(torch.eye(len(ids), dtype=torch.bool), replacements, ids)  # (T, T)
    falls: list[Tensor] = []
    for first in range(0, len(ids), _ROWS):
        rows = changed[first : first + _ROWS]
        with model_turn():
            # What precedes the first replacement is the same in all rows, and is read once.
            shared = state
            if first:
                _, shared = model(ids[None, :first], state)
            expanded = tuple(part.expand(len(rows), *part.shape[1:]) for part in shared)
            logits, _ = model(rows[:, first:], expanded)
            falls.append(whole - logits[:, -1].double().log_softmax(-1)[:, target])
    return torch.cat(falls).numpy()


def replacements_for(ids: np.ndarray, vocabulary: CharacterVocabulary) -> np.ndarray:
    """Return what each token is replaced by: a space, and a space by the letter e."""
    space, letter = vocabulary.encode(" ")[0], vocabulary.encode("e")[0]
    return np.where(ids == space, letter, space)
