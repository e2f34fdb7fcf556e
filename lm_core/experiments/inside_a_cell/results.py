"""The trained small networks that come with the project: their results, and their weights.

`study` trains every variant with both losses and every learning rate, clipped and not; the weights of two
snapshots lie in safetensors beside the results. What is before the training is drawn again from the seed.
"""

from dataclasses import dataclass

from lm_core.errors import ResultError
from lm_core.experiments.inside_a_cell.training import FirstSymbolConfig, FirstSymbolNetwork
from lm_core.results import NonNegative, Positive, Recorded, Share, StoredTensor


@dataclass(frozen=True)
class Curve:
    """A training, of every ten updates: the last one's number, the mean loss, the longest gradient."""

    update: tuple[Positive, ...]
    loss: tuple[NonNegative, ...]
    gradient_norm: tuple[NonNegative, ...]


@dataclass(frozen=True)
class TrainedNetwork:
    """A network and its training."""

    config: FirstSymbolConfig
    accuracy: dict[int, Share]  # by number of updates
    curve: Curve
    weights: dict[int, dict[str, StoredTensor]]  # by number of updates


@dataclass(frozen=True)
class TrainedNetworks(Recorded, name="inside-a-cell"):
    """All networks of a grid."""

    networks: dict[str, TrainedNetwork]  # by `FirstSymbolConfig.name`

    def network(self, config: FirstSymbolConfig, updates: int) -> FirstSymbolNetwork:
        """Return one snapshot of a network of the grid; raises ResultError if there is no such snapshot."""
        network = FirstSymbolNetwork(config)
        if updates == 0:
            return network
        try:
            network.load_state_dict(self.networks[config.name].weights[updates])
        except (KeyError, RuntimeError) as error:
            raise ResultError(
                f"no weights of {config.name}/{updates} that fit its config: {error}"
            ) from error
        return network
