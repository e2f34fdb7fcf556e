"""Checkpoints: a folder with ``meta.json`` and ``model.safetensors``, whole or not there at all.

A checkpoint is written into a temporary sibling, flushed to disk and renamed, so a reader never
sees half of one. Loading checks schema, hash and config, builds the model from the config and
loads strictly. Nothing is ever unpickled.
"""

import hashlib
import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import safetensors.torch
import torch
from pydantic import Field, FiniteFloat
from safetensors import SafetensorError
from torch import nn

from lm_core.assets import CHECKPOINTS, absence, shown
from lm_core.errors import CheckpointError, SettingError
from lm_core.files import now, parse_record, record_sha256, write_whole
from lm_core.models.language_model import LanguageModel
from lm_core.models.registry import build, config_from_dict, config_to_dict, model_class
from lm_core.models.weights import require_finite
from lm_core.training.weight_storage import STORAGES, from_stored

SCHEMA = 1
META_FILE, WEIGHTS_FILE = "meta.json", "model.safetensors"
_ASIDE = "-replaced"
SHIPPED = CHECKPOINTS
"""The folder of the checkpoints that come with the project."""
_RECORD_SHA256 = "sha256"
"""Field of the file with the hash of all others; files from before there was one are read without."""

_Count = Annotated[int, Field(ge=0)]
_Seconds = Annotated[FiniteFloat, Field(ge=0)]
_Title = Annotated[str, Field(min_length=1, max_length=500)]
_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]


ESTIMATE, _FORMER_ESTIMATE = "validation estimate", "quick look"
"""The loss of a training that was stopped, as it last estimated it; files of before have the second name."""


@dataclass(frozen=True)
class CheckpointMeta:
    """All that is known about a trained model except its weights: the model's provenance."""

    name: _Name
    """Str. Unique among the checkpoints; also the folder's name."""
    title: _Title
    """Str. For people: ``LSTM 2 x 512``."""
    config: dict[str, Any]
    """As written by `lm_core.models.registry.config_to_dict`."""
    vocabulary: str
    """Name of the vocabulary whose ids the model reads: `lm_core.training.model_vocabulary`."""
    corpus: str
    corpus_sha256: str
    """`corpus` and `corpus_sha256`: what it was trained on."""
    seed: int
    steps: _Count
    characters_seen: _Count
    """`seed`, `steps` and `characters_seen`: start of all randomness, optimizer steps, targets
    learned from (repeats included)."""
    seconds: _Seconds
    """Float. Wall-clock time spent in training; for counted models, processor time."""
    device: str
    parameter_count: _Count
    """Int."""
    date: str = field(default_factory=now)
    """`device` and `date`: where and when (ISO 8601) it was trained."""
    losses: dict[str, FiniteFloat] = field(default_factory=dict)
    """Dict of str to float. Nats per character, each under the name of its protocol; of a model
    that judges whole sentences, nats per sentence."""
    recipe: dict[str, Any] = field(default_factory=dict)
    """Settings of the training run."""
    snapshot_of: str | None = None
    """Name of the model of which this is an earlier training step."""
    storage: str = "float32"
    """How the weights are stored: one of `lm_core.training.weight_storage.STORAGES`."""
    libraries: dict[str, str] = field(default_factory=lambda: {"torch": torch.__version__})
    """Versions used."""
    weights_sha256: str = ""
    schema: int = SCHEMA
    characters: str | None = None
    """For a vocabulary made from a text: its characters, in the order of their ids from 1 on;
    None for one that is known by its name. A provenance without this field, as all were
    before there were such vocabularies, is read as None, and None is not written: only models
    with characters of their own are refused by earlier versions."""
    scores: dict[str, FiniteFloat] = field(default_factory=dict)
    """Dict of str to float. What else was measured: accuracies, by name. Not written where there
    are none."""
    experiment: str | None = None
    """Name of the experiment that the model is part of, and whose page alone uses it; None, and
    not written, for a model that every page may offer."""

    def loss_of(self, measured: str) -> float | None:
        """Return a loss by the name of its protocol; of a training that was stopped, its last estimate."""
        names = (measured, ESTIMATE, _FORMER_ESTIMATE)
        return next((self.losses[name] for name in names if name in self.losses), None)


class Checkpoint(NamedTuple):
    """A loaded checkpoint: a model in evaluation mode, and its provenance."""

    model: Any  # a LanguageModel, or what else its family builds
    meta: CheckpointMeta


# Saving ---------------------------------------------------------------------------------------


def save_checkpoint(root: Path, model: nn.Module, meta: CheckpointMeta) -> Path:
    """Write ``root / meta.name`` atomically, replacing an older one of the same name.

    Raises SettingError if ``meta.storage`` is unknown, or `meta` describes another config or cannot
    be read again. Raises CheckpointError if the disk is full or cannot be written; an older
    checkpoint is then still intact.

    The result: Path, the checkpoint's folder.

    Parameters
    ----------
    root : Path, folder that holds the checkpoints; made if it is missing
    model : Module, of a known family; its config must be the one in `meta`
    meta : CheckpointMeta, its ``weights_sha256`` is filled in here
    """
    if meta.storage not in STORAGES:
        raise SettingError(f"storage must be one of {sorted(STORAGES)}, got {meta.storage!r}")
    # A provenance from before the family had a field is one with the field's default.
    if model.config != config_from_dict(meta.config):
        raise SettingError(f"meta.config is {meta.config}, the model has {model.config}")
    parse_record(CheckpointMeta, asdict(meta))
    weights = {n: w.detach().cpu().contiguous() for n, w in model.state_dict().items()}
    payload = safetensors.torch.save(STORAGES[meta.storage](weights))
    meta = replace(meta, weights_sha256=hashlib.sha256(payload).hexdigest())

    folder = root / meta.name
    temporary: Path | None = None
    try:
        root.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{meta.name}-", dir=root))
        _write_durably(temporary / WEIGHTS_FILE, payload)
        _write_durably(temporary / META_FILE, _as_document(meta))
        _replace_folder(temporary, folder)
    except OSError as error:
        raise CheckpointError(
            f"checkpoint {folder} could not be written: {error}. Free some space or choose another"
            " folder; an older checkpoint of that name is untouched."
        ) from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    return folder


def save_tuned(root: Path, model: nn.Module, start: CheckpointMeta, **facts: Any) -> Path:
    """Save what a model was tuned to on a processor; what `facts` do not say is as of the model before.

    Raises what `save_checkpoint` raises.
    """
    made = {"config": config_to_dict(model.config), "date": now(), "device": "cpu", "losses": {}}
    made |= {"libraries": {"torch": torch.__version__}, "storage": "int8_rows"}
    return save_checkpoint(root, model, replace(start, **(made | facts)))


def _as_document(meta: CheckpointMeta) -> bytes:
    record = asdict(meta)
    if meta.characters is None:
        del record["characters"]
    if not meta.scores:
        del record["scores"]
    if meta.experiment is None:
        del record["experiment"]
    record = {**record, _RECORD_SHA256: record_sha256(record)}
    return (json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode()


def _write_durably(path: Path, payload: bytes) -> None:
    with path.open("wb") as file:
        file.write(payload)
        file.flush()
        os.fsync(file.fileno())


def _replace_folder(new: Path, folder: Path) -> None:
    """Put `new` in the place of `folder`. Folders cannot be exchanged in one call, so the old one steps aside."""
    aside = folder.with_name(f".{folder.name}{_ASIDE}")
    shutil.rmtree(aside, ignore_errors=True)
    if folder.exists():
        folder.rename(aside)
    try:
        new.rename(folder)
    except OSError:
        if aside.exists():
            aside.rename(folder)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def clear_leftovers(root: Path) -> None:
    """Remove what a process that was killed while it saved has left; nobody else may be saving there.

    A checkpoint that had just stepped aside for a new one, which never came, takes its place again.
    """
    for left in root.glob(".*"):
        whole = root / left.name.removeprefix(".").removesuffix(_ASIDE)
        if left.name.endswith(_ASIDE) and not whole.exists():
            left.rename(whole)
        else:
            shutil.rmtree(left, ignore_errors=True)


def record_losses(folder: Path, losses: dict[str, float]) -> CheckpointMeta:
    """Add measured losses to a checkpoint's provenance, in one atomic write; its weights stay as they are.

    Raises CheckpointError if there is no checkpoint in the folder.
    """
    meta = read_meta(folder)
    meta = replace(meta, losses={**meta.losses, **losses})
    write_whole(folder / META_FILE, _as_document(meta))
    return meta


# Loading --------------------------------------------------------------------------------------


def read_meta(folder: Path) -> CheckpointMeta:
    """Return a checkpoint's provenance without its weights.

    Raises CheckpointError if the folder holds no readable ``meta.json`` of this schema, or it was
    altered.
    """
    try:
        record = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"no readable {META_FILE} in {shown(folder)}: {error}") from error
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        found = record.get("schema") if isinstance(record, dict) else type(record).__name__
        raise CheckpointError(f"{shown(folder)} has schema {found!r}; this version reads {SCHEMA}")
    expected = record.pop(_RECORD_SHA256, None)
    try:
        meta = parse_record(CheckpointMeta, record)
    except SettingError as error:
        raise CheckpointError(f"{shown(folder / META_FILE)} is damaged: {error}") from error
    if expected is not None and (digest := record_sha256(record)) != expected:
        raise CheckpointError(
            f"{shown(folder / META_FILE)} must have the values of sha256 {expected}, it has"
            f" {digest}: it was altered by hand"
        )
    return meta


def load_checkpoint(folder: Path, device: torch.device | str = "cpu") -> Checkpoint:
    """Build the model that a checkpoint describes, with its weights, in evaluation mode.

    Raises CheckpointError if a file is missing or altered, or the weights do not fit the config or
    are no finite numbers; the message names both sides.
    """
    meta = read_meta(folder)
    try:
        payload = (folder / WEIGHTS_FILE).read_bytes()
    except OSError as error:
        raise CheckpointError(f"no readable {WEIGHTS_FILE} in {shown(folder)}: {error}") from error
    digest = hashlib.sha256(payload).hexdigest()
    if digest != meta.weights_sha256:
        raise CheckpointError(
            f"{shown(folder / WEIGHTS_FILE)} has sha256 {digest}, {META_FILE} says"
            f" {meta.weights_sha256}: the file was altered or cut off"
        )
    try:
        model = build(config_from_dict(meta.config))
        model.load_state_dict(from_stored(safetensors.torch.load(payload)), strict=True)
        for name, weight in model.named_parameters():
            require_finite(name, weight)
    except (SettingError, SafetensorError, RuntimeError) as error:
        raise CheckpointError(f"{shown(folder)}: weights and config do not fit: {error}") from error
    return Checkpoint(model.to(device).eval(), meta)


def folder_of(name: str) -> Path:
    """Return the folder of a shipped checkpoint, or of the one that lies where the name says."""
    shipped = SHIPPED / name
    return shipped if shipped.is_dir() else Path(name)


def load_shipped(name: str, device: torch.device | str = "cpu") -> Checkpoint:
    """Load the checkpoint of that name that comes with the project.

    Raises CheckpointError if there is none of that name, or it is damaged; the message lists the
    names that there are.
    """
    if not (SHIPPED / name / META_FILE).is_file():
        names = ", ".join(path.parent.name for path in sorted(SHIPPED.glob(f"*/{META_FILE}")))
        raise CheckpointError(
            absence()
            or f"{name!r} is not shipped in {shown(SHIPPED)}: choose among {names or 'none'}"
        )
    return load_checkpoint(SHIPPED / name, device)


def list_checkpoints(root: Path = SHIPPED) -> list[CheckpointMeta]:
    """Return the provenances of all checkpoints in a folder, by name; an absent folder holds none.

    Those that cannot be read are left out: `damaged_checkpoints` names them.
    """
    return [found for found in _read_all(root).values() if isinstance(found, CheckpointMeta)]


def damaged_checkpoints(root: Path = SHIPPED) -> dict[str, str]:
    """Return what is wrong with the provenances in a folder that cannot be read, by folder name."""
    return {
        name: str(found)
        for name, found in _read_all(root).items()
        if isinstance(found, CheckpointError)
    }


def _read_all(root: Path) -> dict[str, CheckpointMeta | CheckpointError]:
    return {path.name: _meta_or_fault(path) for path in sorted(root.glob("[!.]*/"))}


def _meta_or_fault(folder: Path) -> CheckpointMeta | CheckpointError:
    try:
        meta = read_meta(folder)
        config_from_dict(meta.config)
    except CheckpointError as error:
        return error
    except SettingError as error:
        return CheckpointError(f"{shown(folder / META_FILE)} is damaged: {error}")
    return meta


def list_language_models(root: Path = SHIPPED) -> list[CheckpointMeta]:
    """Return the provenances of those checkpoints that predict the next character of a text.

    Models that are part of an experiment are left out: without a causal mask, say, a loss means little.
    """
    return [
        meta
        for meta in list_checkpoints(root)
        if meta.experiment is None
        and issubclass(model_class(config_from_dict(meta.config)), LanguageModel)
    ]
