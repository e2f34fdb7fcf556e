"""The scores of all trainings, and the weights of the first of each kind, as they are shipped."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from torch import Tensor, nn

from lm_core.errors import ResultError
from lm_core.experiments.convolution.study import (
    CNN,
    DIGIT_NETWORKS,
    NAME_NETWORKS,
    STORAGE,
    DigitScore,
    Favourite,
    NameScore,
)
from lm_core.experiments.convolution.training import PLACES
from lm_core.models.character_cnn import CharacterCNN
from lm_core.models.image_networks import ImageNetwork, build_image_network
from lm_core.models.language_model import LanguageModel
from lm_core.models.registry import build
from lm_core.results import (
    Results,
    load_with_weights,
    results_path,
    save_with_weights,
    tensors_below,
)
from lm_core.training.weight_storage import STORAGES, from_stored

EXPERIMENT = "convolution"
SHIPPED = results_path(EXPERIMENT)

_DIGITS, _NAMES = "digits", "names"
Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True)
class ConvolutionResults:
    """All trainings, and networks to be looked into.

    Attributes
    ----------
    provenance : dict
    digits : tuple of DigitScore
    names : tuple of NameScore
    favourites : list of list of Favourite
        Of each filter of the first layer of the CNN on names.
    digit_networks : dict of (str, str) to ImageNetwork
        By network and places, of the first seed, in evaluation mode: read them, never change them.
    name_models : dict of str to LanguageModel
        By network, of the first seed, likewise.
    """

    provenance: dict[str, Any]
    digits: tuple[DigitScore, ...]
    names: tuple[NameScore, ...]
    favourites: list[list[Favourite]]
    digit_networks: dict[tuple[str, str], ImageNetwork]
    name_models: dict[str, LanguageModel]

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


def save_results(path: Path, results: ConvolutionResults) -> None:
    """Write the record, and the weights beside it."""
    data = {
        _DIGITS: [list(score) for score in results.digits],
        _NAMES: [list(score) for score in results.names],
        "favourites": [[list(one) for one in found] for found in results.favourites],
    }
    stored: dict[str, Tensor] = {}
    for (name, places), network in results.digit_networks.items():
        stored |= _stored(network, f"{_DIGITS}.{name}.{places}.")
    for name, model in results.name_models.items():
        stored |= _stored(model, f"{_NAMES}.{name}.")
    save_with_weights(path, Results(EXPERIMENT, results.provenance, data), stored)


def load_results(path: Path = SHIPPED) -> ConvolutionResults:
    """Read what was measured.

    Raises
    ------
    ResultError
        If a file is missing, or is another one.
    """
    results, stored = load_with_weights(path, EXPERIMENT)
    try:
        digits = tuple(DigitScore(*row) for row in results.data[_DIGITS])
        names = tuple(NameScore(*row) for row in results.data[_NAMES])
        favourites = [[Favourite(*one) for one in found] for found in results.data["favourites"]]
        digit_networks = {
            (name, places): _restored(
                build_image_network(config), stored, f"{_DIGITS}.{name}.{places}."
            )
            for name, config in DIGIT_NETWORKS.items()
            for places in PLACES
        }
        models = {
            name: _restored(build(config), stored, f"{_NAMES}.{name}.")
            for name, config in NAME_NETWORKS.items()
        }
    except (KeyError, TypeError, IndexError, RuntimeError) as error:
        raise ResultError(
            f"{path.name} must hold scores and networks: {error!r}; python -m lm_core experiment"
            f" {EXPERIMENT} makes it"
        ) from error
    return ConvolutionResults(results.provenance, digits, names, favourites, digit_networks, models)


def _stored(network: nn.Module, prefix: str) -> dict[str, Tensor]:
    weights = {name: value.detach() for name, value in network.state_dict().items()}
    return {prefix + name: value for name, value in STORAGES[STORAGE](weights).items()}


def _restored(network: Network, stored: dict[str, Tensor], prefix: str) -> Network:
    network.load_state_dict(from_stored(tensors_below(stored, prefix)))
    return network.eval().requires_grad_(False)
