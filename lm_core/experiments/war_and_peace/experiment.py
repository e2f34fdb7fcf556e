"""The experiment of every language model: a text to learn from, and one to be evaluated on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lm_core.errors import CheckpointError, RunError, SettingError
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import generate
from lm_core.jobs.experiment import Experiment, ExperimentKind
from lm_core.jobs.records import RunConfig
from lm_core.jobs.registry import register
from lm_core.models.language_model import LanguageModel
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.library import LIBRARY, load_library
from lm_core.text.training_text import TrainingText, load_book
from lm_core.text.vocabularies import vocabulary_from, vocabulary_named
from lm_core.training import checkpoints
from lm_core.training.data_parallel import SharedTraining
from lm_core.training.devices import describe_device
from lm_core.training.distillation import (
    expectations,
    expectations_by_character,
    likeliest_expectations,
)
from lm_core.training.language_modelling import Training, TrainingConfig, mean_loss
from lm_core.training.loop import TrainStep
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.recipes import Recipe

NAME = "war_and_peace"
_N_ESTIMATED = 4_096  # tokens; the standard error of their mean loss is about 0.02 nats
_N_VALIDATION = 65_536
_SAMPLE_LENGTH = 160
_PARTS = (64, 512)  # of a text that a teacher reads side by side: on a processor, on a card
_READERS: dict[str, Callable[[CharacterVocabulary], TrainingText]] = {
    WAR_AND_PEACE.name: load_book,
    LIBRARY: load_library,
}
_SAMPLE_SETTINGS = SamplingSettings(temperature=0.8)


class LanguageModelExperiment(Experiment):
    """A language model in training, and the text that it is trained and evaluated on."""

    training: Training

    def __init__(self, config: RunConfig, text: TrainingText, device: torch.device) -> None:
        self._config, self._vocabulary = config, text.vocabulary
        self._characters_per_token = text.characters_per_token
        self._start = None
        if config.start and config.start_sha256:
            self._start = _checkpoint(config.start, config.start_sha256)
        taught_by = zip(config.teachers, config.teachers_sha256, strict=True)
        self._teachers = [_checkpoint(*teacher) for teacher in taught_by]
        model = build(config_from_dict(config.model))
        if self._start:
            model.load_state_dict(self._start.model.state_dict())
        tokens, validation = torch.from_numpy(text.train), torch.from_numpy(text.validation)
        self._validation = validation[:_N_VALIDATION].to(device)
        on_devices: Callable[..., Training] = Training
        if self._teachers:
            soft_targets = _soft_targets(self._teachers, tokens, text.vocabulary, device)
            on_devices = partial(Training, soft_targets=soft_targets)
        if config.devices > 1:
            on_devices = partial(SharedTraining, n_devices=config.devices)
        self.training = on_devices(
            model, tokens, _training_config(config), fresh=self._start is None, device=device
        )
        self._estimate: float | None = None

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the remaining steps, their losses per character."""
        for step in self.training:
            held_out = step.held_out_loss
            yield step._replace(
                loss=step.loss / self._characters_per_token,
                held_out_loss=held_out and held_out / self._characters_per_token,
            )

    def validation_loss(self) -> float:
        """Return the mean loss per character on the first few thousand tokens of the validation text."""
        self._estimate = self._loss_per_character(
            self._validation[:_N_ESTIMATED], self.training.model
        )
        return self._estimate

    def sample(self) -> str:
        """Return some words of the model as it is now; each call continues the same way."""
        prompt = self._vocabulary.encode(default_prompt(self._vocabulary))
        generation = generate(self.training.model.eval(), prompt, _SAMPLE_SETTINGS, seed=0)
        return self._vocabulary.decode([w.token for w in islice(generation, _SAMPLE_LENGTH)])

    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write the model with its provenance.

        Raises CheckpointError if the disk is full or cannot be written.
        """
        model = self.training.model.eval()
        if is_last and self._config.averaged and self._start:
            model = mean_model(model, self._start.model)
        if quick:
            losses = {checkpoints.ESTIMATE: self._estimate} if self._estimate is not None else {}
        else:
            losses = {"validation": self._loss_per_character(self._validation, model)}
        return checkpoints.save_checkpoint(root, model, self._meta(losses, is_last))

    def close(self) -> None:
        """End the training's other processes, if it has some."""
        self.training.close()

    def _loss_per_character(self, tokens: Tensor, model: LanguageModel) -> float:
        """Return nats per character of a text."""
        nats = mean_loss(model.eval(), tokens)
        return nats / float(self._vocabulary.lengths[tokens.cpu().numpy()].mean())

    def _meta(self, losses: dict[str, float], is_last: bool) -> checkpoints.CheckpointMeta:
        config, training = self._config, self.training
        before = self._start.meta if self._start else None
        tokens = training.step * training.config.batch * training.config.window
        characters = round(tokens * self._characters_per_token)
        steps = training.step + (before.steps if before else 0)
        series = config.snapshots_of or config.name
        return checkpoints.CheckpointMeta(
            name=config.name if is_last else f"{series}-step-{steps}",
            title=config.title,
            config=config_to_dict(training.model.config),
            vocabulary=config.vocabulary,
            characters=config.characters,
            corpus=config.corpus,
            corpus_sha256=config.corpus_sha256,
            seed=training.config.seed,
            steps=steps,
            characters_seen=characters + (before.characters_seen if before else 0),
            seconds=round(training.seconds + (before.seconds if before else 0.0), 1),
            device=f"{config.devices} x " * (config.devices > 1) + describe_device(training.device),
            parameter_count=training.model.parameter_count,
            losses=losses,
            recipe=self._recipe(),
            snapshot_of=None if is_last else series,
            storage="float16" if is_last else "int8_rows",
        )

    def _recipe(self) -> dict[str, Any]:
        recipe = asdict(self.training.config)
        if self._start:
            recipe["starts_from"] = self._start.meta.recipe
        if self._teachers:
            recipe["teachers"] = [teacher.meta.name for teacher in self._teachers]
        if self._config.averaged:
            recipe["averaged"] = True
        return recipe


def run_config(
    recipe: Recipe,
    *,
    corpus: str,
    corpus_sha256: str,
    vocabulary: str,
    characters: str | None = None,
    start: Path | None = None,
    teachers: Sequence[Path] = (),
    devices: int = 1,
) -> RunConfig:
    """Return the run that follows a recipe on a text.

    Raises SettingError if the recipe starts from a checkpoint, or learns from some, and others are
    given, and CheckpointError if there is no checkpoint in a folder, or a teacher is not shipped.

    Parameters
    ----------
    corpus, corpus_sha256, vocabulary, characters : str
        The text, as in a `RunConfig`; `lm_core.training.model_vocabulary.vocabulary_fields` gives
        the last two.
    start : Path, the folder of the checkpoint that `starts_from` names
    teachers : sequence of Path
        The folders of the checkpoints that the recipe's `teachers` name; those that are shipped are
        found without.
    devices : int, see `RunConfig`
    """
    meta = checkpoints.read_meta(start) if start else None
    given = meta.name if meta else None
    if given != recipe.starts_from:
        raise SettingError(
            f"{recipe.name} starts from {recipe.starts_from!r}, got {given!r}: make that one first"
        )
    folders = list(teachers) or [checkpoints.folder_of(name) for name in recipe.teachers]
    taught_by = [checkpoints.read_meta(folder) for folder in folders]
    if (names := [teacher.name for teacher in taught_by]) != list(recipe.teachers):
        raise SettingError(
            f"{recipe.name} learns from {list(recipe.teachers)}, got {names}: make those first"
        )
    return RunConfig(
        name=recipe.name,
        title=recipe.title,
        model=config_to_dict(recipe.model),
        training=asdict(recipe.training),
        corpus=corpus,
        corpus_sha256=corpus_sha256,
        vocabulary=vocabulary,
        characters=characters,
        start=str(start.absolute()) if start else None,
        start_sha256=meta.weights_sha256 if meta else None,
        teachers=tuple(str(folder.absolute()) for folder in teachers) or recipe.teachers,
        teachers_sha256=tuple(teacher.weights_sha256 for teacher in taught_by),
        averaged=recipe.averaged,
        snapshot_steps=recipe.snapshot_steps,
        snapshots_of=recipe.snapshots_of,
        devices=devices,
    )


def _prepare(config: RunConfig, text: str | None, device: torch.device) -> Experiment:
    """Prepare the training of a language model.

    Raises RunError if the text is missing or not the one that the config names, and CheckpointError
    if the checkpoint that it starts from is missing or another one.
    """
    if text is not None:
        vocabulary = vocabulary_from(config.vocabulary, config.characters)
        ids = vocabulary.encode(vocabulary.normalise(text))
        read = TrainingText(ids, vocabulary, config.corpus, config.corpus_sha256)
    elif config.corpus in _READERS:
        read = _READERS[config.corpus](vocabulary_named(config.vocabulary))
        if read.sha256 != config.corpus_sha256:
            raise RunError(
                f"{config.corpus} has sha256 {read.sha256[:12]}... on this machine, the run is of"
                f" {config.corpus_sha256[:12]}...: ask for a new run"
            )
    else:
        raise RunError(f"the text of this run, {config.corpus!r}, is gone: ask for it again")
    return LanguageModelExperiment(config, read, device)


def _settled(config: RunConfig) -> RunConfig:
    return replace(
        config,
        model=config_to_dict(config_from_dict(config.model)),
        training=asdict(_training_config(config)),
    )


def _training_config(config: RunConfig) -> TrainingConfig:
    try:
        return TrainingConfig(**config.training)
    except TypeError as error:
        raise SettingError(f"fields of TrainingConfig do not match: {error}") from error


@torch.no_grad()
def mean_model(model: LanguageModel, other: LanguageModel) -> LanguageModel:
    """Return a model of the same sizes whose weights lie halfway between those of two, where the first is."""
    theirs = other.state_dict()
    weights = {
        name: weight.lerp(theirs[name].to(weight), 0.5)
        for name, weight in model.state_dict().items()
    }
    mean = build(model.config).to(next(iter(weights.values())).device)
    mean.load_state_dict(weights)
    return mean


def _checkpoint(name: str, sha256: str) -> checkpoints.Checkpoint:
    """Load a model that a run begins with or learns from."""
    checkpoint = checkpoints.load_checkpoint(checkpoints.folder_of(name))
    if checkpoint.meta.weights_sha256 != sha256:
        raise CheckpointError(
            f"{name} has weights {checkpoint.meta.weights_sha256[:12]}..., the run is of"
            f" {sha256[:12]}...: ask for a new run"
        )
    return checkpoint


def _soft_targets(
    teachers: list[checkpoints.Checkpoint],
    tokens: Tensor,
    vocabulary: CharacterVocabulary,
    device: torch.device,
) -> Callable[[Tensor], Tensor]:
    """Return what the teachers expect at positions of a text in their pupil's vocabulary."""
    teacher = teachers[0]
    for one in teachers:
        one.model.to(device)
    read = vocabulary_of(teacher.meta)
    if all(vocabulary_of(one.meta) == vocabulary for one in teachers):
        models = [one.model for one in teachers]
        return likeliest_expectations(models, tokens, batch=_PARTS[device.type != "cpu"])
    of_subwords = read.normalise is vocabulary.normalise and vocabulary.unit == "character"
    if len(teachers) > 1 or not of_subwords:
        raise SettingError(
            f"{', '.join(one.meta.name for one in teachers)} must read {vocabulary.name!r} as their"
            f" pupil does, or one of them its subwords; the first reads {read.name!r}"
        )
    subwords = torch.from_numpy(read.encode(vocabulary.decode(tokens.tolist())))
    expected = expectations(teacher.model, subwords)
    rows = expectations_by_character(expected, subwords, read.symbols, vocabulary.symbols)
    rows = rows.to(device)
    return lambda positions: rows[positions].float()


register(NAME, ExperimentKind(_prepare, _settled))
