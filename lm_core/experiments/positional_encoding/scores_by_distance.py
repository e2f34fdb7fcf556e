"""What positions alone add to attention scores, and whether only the distance matters."""

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.attention import distances
from lm_core.models.positional_encoding import relative
from lm_core.models.positional_encoding.absolute import BASE, binary_positions, sinusoidal_positions
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.rng import generator

KINDS = ("sinusoidal", "binary", "rotary", "t5", "alibi")
ALIBI_HEADS = 8


def position_scores(
    kind: str, n_positions: int, width: int, seed: int, *, base: float = BASE, head: int = 0
) -> Tensor:
    """Return what the positions of query and key alone add to their score, before any scale.

    Raises SettingError if the kind is unknown, or a size does not fit.

    The result: float32 Tensor of shape (n, n), queries down, keys across.

    Parameters
    ----------
    kind : str
        One of `KINDS`. ``sinusoidal`` and ``binary``: the dot product of the two codes. ``rotary``:
        of one random vector of length 1, rotated by either position. ``t5``: a random bias for each
        of 32 buckets, in place of the learned ones of a trained model. ``alibi``: the bias of one head.
    n_positions : int, n
    width : int, of codes and vectors; even
    seed : int, of random vectors and biases
    base : float, of the waves
    head : int, of `ALIBI_HEADS`, from 0
    """
    behind = distances(n_positions, n_positions)
    if kind == "sinusoidal":
        codes = sinusoidal_positions(n_positions, width, base)
        return codes @ codes.T
    if kind == "binary":
        codes = binary_positions(n_positions, max(1, (n_positions - 1).bit_length()))
        return codes @ codes.T
    if kind == "rotary":
        vector = torch.randn(width, generator=generator(seed))
        rotated = relative.rotate(
            (vector / vector.norm()).expand(n_positions, width),
            relative.rotary_tables(n_positions, width, base),
        )
        return rotated @ rotated.T
    if kind == "t5":
        biases = torch.randn(32, generator=generator(seed))
        return biases[relative.t5_buckets(-behind, bidirectional=False)]
    if kind == "alibi":
        return relative.alibi_bias(behind, ALIBI_HEADS)[head]
    raise SettingError(f"kind must be one of {KINDS}, got {kind!r}")


def scores_by_distance(scores: Tensor, query: int) -> Tensor:
    """Return one query's scores of the keys 0, 1, 2, ... before it, (query + 1,).

    Parameters
    ----------
    scores : Tensor of shape (n, n)
    query : int, from 0
    """
    return scores[query, : query + 1].flip(0)


def spread_at_equal_distance(scores: Tensor) -> float:
    """Return the largest difference between scores of equal distance, over keys behind their query.

    `scores`: Tensor of shape (n, n), queries down, keys across.
    """
    lines = (scores.diagonal(-distance) for distance in range(len(scores)))
    return max(float(line.max() - line.min()) for line in lines)


def learned_codes(model: TransformerLanguageModel) -> Tensor:
    """Return the encodings of its C positions that a model has learned, (C, D).

    Raises SettingError if its positions are not learned.
    """
    if model.config.position != "learned":
        raise SettingError(
            f"the model's positions must be learned, got {model.config.position!r}: choose a model"
            " whose config has position='learned'"
        )
    return model.codes.weight.detach()
