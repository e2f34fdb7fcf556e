"""A translation model as a run: queued, watched, stopped and resumed like any training."""

from dataclasses import asdict, replace
from pathlib import Path

import torch

from lm_core.errors import CheckpointError, RunError, SettingError
from lm_core.experiments.translation import settings
from lm_core.experiments.translation.batches import encode_pairs
from lm_core.experiments.translation.training import TranslationTraining
from lm_core.files import parse_record
from lm_core.jobs.experiment import Experiment, ExperimentKind
from lm_core.jobs.records import RunConfig
from lm_core.jobs.registry import register
from lm_core.models.registry import config_from_dict, config_to_dict
from lm_core.text.sentence_pairs import NAME as CORPUS
from lm_core.text.sentence_pairs import TRAIN, VALIDATION, load_pairs, pairs_sha256
from lm_core.text.translation_vocabulary import NAME as VOCABULARY
from lm_core.text.translation_vocabulary import shipped_vocabulary
from lm_core.training import checkpoints
from lm_core.training.devices import describe_device

_N_ESTIMATED = 128  # pairs


class TranslationExperiment(Experiment):
    """A model that learns to translate, as a run sees it."""

    training: TranslationTraining

    def __init__(self, config: RunConfig, device: torch.device) -> None:
        self._config = config
        vocabulary = shipped_vocabulary()
        start = _start(config)
        self._before = start.meta if start else None
        self.training = TranslationTraining(
            config_from_dict(config.model),
            training_config(config),
            encode_pairs(load_pairs(TRAIN), vocabulary),
            encode_pairs(load_pairs(VALIDATION), vocabulary),
            start=start.model.state_dict() if start else None,
            device=device,
        )
        self._estimate: float | None = None

    def validation_loss(self) -> float:
        """Return the loss of some validation pairs, nats per token."""
        self._estimate = self.training.validation_loss(_N_ESTIMATED)
        return self._estimate

    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write a checkpoint below `root`."""
        training, loop = self.training, self.training.loop
        name, before = self._config.name, self._before
        if quick:
            losses = {checkpoints.ESTIMATE: self._estimate} if self._estimate is not None else {}
        else:
            losses = {"validation, nats per token": training.validation_loss()}
        recipe = asdict(training.config) | ({"starts_from": before.recipe} if before else {})
        meta = checkpoints.CheckpointMeta(
            name=name if is_last else f"{name}-step-{loop.step}",
            title=self._config.title,
            config=config_to_dict(training.model.config),
            vocabulary=VOCABULARY,
            corpus=CORPUS,
            corpus_sha256=self._config.corpus_sha256,
            seed=training.config.seed,
            steps=loop.step + (before.steps if before else 0),
            characters_seen=training.tokens_seen + (before.characters_seen if before else 0),
            seconds=round(loop.seconds + (before.seconds if before else 0.0), 1),
            device=describe_device(training.device),
            parameter_count=training.model.parameter_count,
            losses=losses,
            recipe=recipe,
            snapshot_of=None if is_last else name,
            storage="float32" if is_last else "int8_rows",
            experiment=settings.EXPERIMENT,
        )
        return checkpoints.save_checkpoint(root, training.model, meta)


def translation_run(recipe: settings.TranslationRecipe, start: Path | None = None) -> RunConfig:
    """Return the run of a recipe; equal settings are the same run.

    Raises CorpusUnavailableError if the corpus is not on this machine, and SettingError if the
    recipe starts from a checkpoint and another one, or none, is given.

    `start`: Path, the folder of the checkpoint that `starts_from` names, from whatever seed.
    """
    meta = checkpoints.read_meta(start) if start else None
    given = meta.name if meta else None
    if (given and settings.without_seed(given)) != recipe.starts_from:
        raise SettingError(
            f"{recipe.name} starts from {recipe.starts_from!r}, got {given!r}: make that one first"
        )
    return RunConfig(
        name=recipe.name,
        title=recipe.title,
        model=config_to_dict(recipe.model),
        training=asdict(recipe.training),
        corpus=CORPUS,
        corpus_sha256=pairs_sha256(),
        vocabulary=VOCABULARY,
        start=str(start.absolute()) if start else None,
        start_sha256=meta.weights_sha256 if meta else None,
        snapshot_steps=recipe.snapshot_steps,
        experiment=settings.EXPERIMENT,
    )


def training_config(config: RunConfig) -> settings.TranslationTrainingConfig:
    """Return how a run learns; raises SettingError if a field is unknown or out of its range."""
    try:
        return parse_record(settings.TranslationTrainingConfig, dict(config.training))
    except SettingError as error:
        raise SettingError(f"fields of TranslationTrainingConfig do not match: {error}") from error


def _start(config: RunConfig) -> checkpoints.Checkpoint | None:
    """Load the model that a run begins with, if there is one."""
    if config.start is None:
        return None
    checkpoint = checkpoints.load_checkpoint(Path(config.start))
    if checkpoint.meta.weights_sha256 != config.start_sha256:
        raise CheckpointError(f"{config.start} has other weights than the run began with")
    return checkpoint


def _prepare(config: RunConfig, text: str | None, device: torch.device) -> TranslationExperiment:
    del text  # the pairs are in the catalogue
    if (found := pairs_sha256()) != config.corpus_sha256:
        raise RunError(
            f"{CORPUS} has sha256 {found[:12]}... on this machine, the run is of"
            f" {config.corpus_sha256[:12]}...: ask for a new run"
        )
    return TranslationExperiment(config, device)


def _settled(config: RunConfig) -> RunConfig:
    model = config_to_dict(config_from_dict(config.model))
    return replace(config, model=model, training=asdict(training_config(config)))


register(settings.EXPERIMENT, ExperimentKind(_prepare, _settled))
