"""The scores of all trainings, and the weights of the first of each kind, as they are shipped."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from torch import Tensor

from lm_core.experiments.convolution.study import (
    CNN,
    DIGIT_NETWORKS,
    NAME_NETWORKS,
    STORAGE,
    DigitScore,
    Favourite,
    NameScore,
    favourites,
)
from lm_core.models.character_cnn import CharacterCNN
from lm_core.models.image_networks import ImageNetwork, build_image_network
from lm_core.models.language_model import LanguageModel
from lm_core.models.registry import build
from lm_core.results import Recorded, StoredTensor
from lm_core.training.weight_storage import stored_weights, with_stored


@dataclass(frozen=True)
class ConvolutionResults(Recorded, name="convolution"):
    """All trainings, and networks to be looked into."""

    digits: tuple[DigitScore, ...]
    names: tuple[NameScore, ...]
    favourites: tuple[tuple[Favourite, ...], ...]
    """By filter of the first layer of the CNN on names."""
    digit_weights: dict[str, dict[str, dict[str, StoredTensor]]]
    """By network and places, first seed."""
    name_weights: dict[str, dict[str, StoredTensor]]  # by network, of the first seed

    @classmethod
    def of_study(
        cls,
        provenance: dict[str, Any],
        digits: Sequence[tuple[DigitScore, ImageNetwork]],
        names: Sequence[tuple[NameScore, LanguageModel]],
        learned: Sequence[str],
    ) -> "ConvolutionResults":
        """Return scores with the weights of the first of each kind, and what the CNN's filters like."""
        models = {score.network: model for score, model in reversed(names)}
        cnn = models[CNN]
        assert isinstance(cnn, CharacterCNN)
        by_places: dict[str, dict[str, dict[str, Tensor]]] = {name: {} for name in DIGIT_NETWORKS}
        for score, network in digits:
            stored = by_places[score.network]
            if score.places not in stored:
                stored[score.places] = stored_weights(network, STORAGE)
        return cls(
            provenance,
            tuple(score for score, _ in digits),
            tuple(score for score, _ in names),
            favourites(cnn, learned),
            by_places,
            {name: stored_weights(models[name], STORAGE) for name in NAME_NETWORKS},
        )

    @cached_property
    def digit_networks(self) -> dict[tuple[str, str], ImageNetwork]:
        """By network and places, in evaluation mode: read them, never change them."""
        return {
            (name, places): with_stored(build_image_network(config), weights)
            for name, config in DIGIT_NETWORKS.items()
            for places, weights in self.digit_weights[name].items()
        }

    @cached_property
    def name_models(self) -> dict[str, LanguageModel]:
        """By network, likewise."""
        return {
            name: with_stored(build(config), self.name_weights[name])
            for name, config in NAME_NETWORKS.items()
        }

    def of_seeds(self, network: str, places: str) -> list[DigitScore]:
        """Return the scores of a network on digits, one for each seed."""
        return [s for s in self.digits if (s.network, s.places) == (network, places)]

    def accuracies(self, network: str, places: str) -> np.ndarray:
        """Return the mean accuracies by move, (5, 5), as `DigitScore` has them."""
        return np.mean([s.accuracies for s in self.of_seeds(network, places)], axis=0)

    def test_losses(self, network: str) -> list[float]:
        """Return the nats per letter of test names, one for each seed."""
        return [score.test for score in self.names if score.network == network]

    @property
    def character_cnn(self) -> CharacterCNN:
        """The convolutional network on names."""
        model = self.name_models[CNN]
        assert isinstance(model, CharacterCNN)
        return model
