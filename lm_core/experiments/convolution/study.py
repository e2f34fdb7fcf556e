"""What is measured: digits read at their place and moved, names predicted, and what filters of names respond to."""

import itertools
import time
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from typing import Annotated, NamedTuple

import numpy as np
import torch
from torch import nn

from lm_core.experiments.convolution.digits import CANVAS, MARGIN, Digits
from lm_core.experiments.convolution.training import (
    PLACES,
    accuracies_by_shift,
    loss_on_names,
    train_on_digits,
    train_on_names,
)
from lm_core.models.character_cnn import CharacterCNN, CharacterCNNConfig
from lm_core.models.image_networks import (
    ImageCNNConfig,
    ImageMLPConfig,
    ImageNetwork,
    build_image_network,
    initialise,
    parameter_count,
)
from lm_core.models.language_model import LanguageModel
from lm_core.models.mlp import MLPLanguageModelConfig
from lm_core.models.registry import build
from lm_core.results import Count, NonNegative, Positive, Share, one_of
from lm_core.rng import generator
from lm_core.text.names import END, SYMBOLS, NameSplit, encode_name
from lm_core.training.weight_storage import from_stored, stored_weights

CNN, GLOBAL_CNN, MLP = "CNN", "CNN, global pooling", "MLP"
DIGIT_NETWORKS: dict[str, ImageCNNConfig | ImageMLPConfig] = {
    CNN: ImageCNNConfig(CANVAS, 8, 16),
    GLOBAL_CNN: ImageCNNConfig(CANVAS, 8, 31, has_global_pooling=True),
    MLP: ImageMLPConfig(CANVAS, 17),
}
"""2,698, 2,663 and 2,645 numbers."""
DIGIT_SEEDS = 5

NAME_NETWORKS: dict[str, CharacterCNNConfig | MLPLanguageModelConfig] = {
    CNN: CharacterCNNConfig(len(SYMBOLS), 16, 48, 3, (1, 3)),
    MLP: MLPLanguageModelConfig(len(SYMBOLS), 9, 16, 62),
}
"""11,067 and 11,123 numbers; both see nine letters."""
NAME_SEEDS = 3

STORAGE = "float16"
_FEWEST = 20
_FAVOURITES = 6


class DigitScore(NamedTuple):
    """A training on digits, and what came of it."""

    network: Annotated[str, one_of(DIGIT_NETWORKS)]
    places: Annotated[str, one_of(PLACES)]  # where the digits were that it learned from
    seed: Count
    parameters: Positive
    accuracies: list[list[Share]]  # of test digits, moved down by -2 to 2 pixels, and to the right
    seconds: NonNegative  # of the processor, for the training

    def at(self, down: int, right: int) -> float:
        """Return the accuracy on digits that are moved so."""
        return self.accuracies[MARGIN + down][MARGIN + right]


class NameScore(NamedTuple):
    """A training on names, and what came of it; losses in nats per letter."""

    network: Annotated[str, one_of(NAME_NETWORKS)]
    seed: Count
    parameters: Positive
    train: NonNegative
    validation: NonNegative
    test: NonNegative
    seconds: NonNegative  # of the processor, for the training


class Favourite(NamedTuple):
    """Three letters that a filter responds to."""

    letters: str  # with `END` for what is outside the name
    response: float
    times: Count  # how often they stand in the names that were learned from


def study_digits(
    name: str, places: str, seed: int, train: Digits, test: Digits
) -> tuple[DigitScore, ImageNetwork]:
    """Train one of `DIGIT_NETWORKS` and score it as it is stored."""
    network, rng = _started(name, seed)
    began = time.process_time()
    for _ in train_on_digits(network, train, places, rng):
        pass
    seconds = time.process_time() - began
    as_stored(network)
    accuracies = [[round(share, 4) for share in row] for row in accuracies_by_shift(network, test)]
    score = DigitScore(name, places, seed, parameter_count(network), accuracies, round(seconds, 1))
    return score, network


def early_snapshots(
    name: str, places: str, seed: int, train: Digits, steps: Sequence[int]
) -> list[ImageNetwork]:
    """Begin the training of `study_digits`, and return copies of the network after so many steps.

    `steps`: sequence of int, rising; 0 is before the first.
    """
    network, rng = _started(name, seed)
    training = train_on_digits(network, train, places, rng)
    copies, done = [], 0
    for step in steps:
        for _ in itertools.islice(training, step - done):
            pass
        done = step
        copies.append(deepcopy(network).eval().requires_grad_(False))
    return copies


def _started(name: str, seed: int) -> tuple[ImageNetwork, torch.Generator]:
    """Return a network before its training, and the generator that goes on to draw its batches."""
    rng = generator(seed)
    network = build_image_network(DIGIT_NETWORKS[name])
    initialise(network, rng)
    return network, rng


def study_names(name: str, seed: int, split: NameSplit) -> tuple[NameScore, LanguageModel]:
    """Train one of `NAME_NETWORKS` and score it as it is stored."""
    rng = generator(seed)
    model: LanguageModel = build(NAME_NETWORKS[name])
    model.initialise(rng)
    began = time.process_time()
    for _ in train_on_names(model, split.train, rng):
        pass
    seconds = time.process_time() - began
    as_stored(model)
    train, validation, test = (round(loss_on_names(model, names), 5) for names in split)
    score = NameScore(name, seed, model.parameter_count, train, validation, test, round(seconds, 1))
    return score, model


def as_stored(network: nn.Module) -> None:
    """Give a network the weights that it has after it was stored: what is shipped is what is scored."""
    network.load_state_dict(from_stored(stored_weights(network, STORAGE)))


@torch.no_grad()
def favourites(model: CharacterCNN, names: Sequence[str]) -> tuple[tuple[Favourite, ...], ...]:
    """Return, for each filter of the first layer, the letters of names that it responds to most.

    Only letters count that stand in the names at least 20 times.
    """
    width = model.config.filter_size
    gap = END * (width - 1)
    counted = Counter(
        text[i : i + width]
        for text in (gap + name + END for name in names)
        for i in range(len(text) - width + 1)
    )
    frequent = [letters for letters, times in counted.items() if times >= _FEWEST]
    if not frequent:
        return ((),) * model.config.filters
    responses = first_responses(model, frequent)[:, :, -1]  # (windows, filters)
    best = responses.topk(min(_FAVOURITES, len(frequent)), dim=0)
    return tuple(
        tuple(
            Favourite(frequent[i], round(value, 3), counted[frequent[i]])
            for value, i in zip(values, places, strict=True)
        )
        for values, places in zip(best.values.T.tolist(), best.indices.T.tolist(), strict=True)
    )


@torch.no_grad()
def first_responses(model: CharacterCNN, texts: Sequence[str]) -> torch.Tensor:
    """Return how the filters of the first layer respond at each letter of texts of one length.

    The result: Tensor of shape (texts, filters, T), before a text there are only ends.
    """
    tokens = torch.stack([torch.from_numpy(encode_letters(letters)) for letters in texts])
    first = model.trace(tokens, model.initial_state(len(texts))).layers[0]
    return first[:, :, first.shape[-1] - tokens.shape[1] :]


def encode_letters(text: str) -> np.ndarray:
    """Return the ids of letters and ends."""
    return np.concatenate([encode_name(c) if c != END else np.zeros(1, np.int64) for c in text])
