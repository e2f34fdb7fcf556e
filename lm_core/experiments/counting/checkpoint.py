"""A network that learned to count, kept as every trained model is: weights and provenance in a folder."""

from dataclasses import asdict
from pathlib import Path

from lm_core.errors import SettingError
from lm_core.experiments.counting.training import CountingConfig, CountingEpoch
from lm_core.models.registry import config_to_dict
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint

_BATCHES = 2  # in an epoch


def counting_name(config: CountingConfig, epoch: int) -> str:
    """Return the name of a network's checkpoint.

    Examples
    --------
    >>> counting_name(CountingConfig(), 25)
    'counting-normal-seed-0-epoch-25'
    """
    return f"counting-{config.network.start}-seed-{config.seed}-epoch-{epoch}"


def save_counting(root: Path, config: CountingConfig, epoch: CountingEpoch, seconds: float) -> Path:
    """Write one moment of a training below `root`; return its folder.

    Parameters
    ----------
    root : Path
    config : CountingConfig
    epoch : CountingEpoch
        Of a training with this config, after at least one epoch.
    seconds : float
        Processor time of the training.

    Raises
    ------
    SettingError
        If nothing has been learned yet, or the network has another config.
    CheckpointError
        If the folder cannot be written.
    """
    if epoch.epoch < 1:
        raise SettingError(f"epoch must be at least 1, got {epoch.epoch}: train the network first")
    highest = config.network.numbers - 1
    runs = config.network.numbers - config.length
    meta = CheckpointMeta(
        name=counting_name(config, epoch.epoch),
        title=f"RNN 1 x {config.network.hidden_size}, counting",
        config=config_to_dict(config.network),
        vocabulary=f"numbers 0 to {highest}",
        corpus=f"runs of {config.length} numbers from 0 to {highest}",
        corpus_sha256="",
        seed=config.seed,
        steps=epoch.epoch * _BATCHES,
        characters_seen=epoch.epoch * runs * config.length,
        seconds=round(seconds, 2),
        device="cpu",
        parameter_count=epoch.model.parameter_count,
        losses={"last epoch": epoch.loss},
        recipe={name: value for name, value in asdict(config).items() if name != "network"},
    )
    return save_checkpoint(root, epoch.model, meta)
