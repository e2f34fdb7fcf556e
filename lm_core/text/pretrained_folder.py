"""A folder of a pretrained model in Hugging Face's format: which files it has, and what they must be.

The folder is named by the variable ``LM_LAB_PRETRAINED``. Nothing is ever downloaded into it, and
nothing in it is ever unpickled.

References
----------
https://huggingface.co/docs/safetensors
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lm_core.errors import CheckpointError
from lm_core.settings import Settings, settings

CONFIG_FILE, WEIGHTS_FILE, INDEX_FILE = (
    "config.json",
    "model.safetensors",
    "model.safetensors.index.json",
)
TOKENIZER_FILE, SYMBOLS_FILE, MERGES_FILE = "tokenizer.json", "vocab.json", "merges.txt"
VARIABLE = Settings.variable("pretrained")
_ADAPTER_FILE = "adapter_config.json"
_OTHER_FORMATS = {
    "*.gguf": "a model for llama.cpp (GGUF), which is not read here",
    "*.onnx": "a model in the format ONNX, which is not read here",
    "*.h5": "a model of Keras (HDF5), which is not read here",
    "*.msgpack": "a model of Flax, which is not read here",
    "model_index.json": "the index of a pipeline that makes pictures",
    "model-*-of-*.safetensors": f"one part of several, which {INDEX_FILE} must list",
    "ckpt.pt": "a checkpoint of nanoGPT, pickled, which its library must save in Hugging Face's format",
}
"""What else may lie there, by the name of a file."""
_PICKLED = ("*.bin", "*.pt", "*.pth")
_POINTER = b"version https://git-lfs"


@dataclass(frozen=True)
class PretrainedFolder:
    """The files of one model, found but not read."""

    path: Path
    weights: tuple[Path, ...]
    """In safetensors, one file or several."""
    tokenizer: tuple[Path, ...]
    """``tokenizer.json``, or else ``vocab.json`` and ``merges.txt``."""

    @property
    def name(self) -> str:
        """What the folder is called."""
        return self.path.resolve().name

    @property
    def fingerprint(self) -> str:
        """Sixteen characters that change when a file does: of names, sizes and times, not of contents."""
        files = (self.path / CONFIG_FILE, *self.tokenizer, *self.weights)
        files_now = [(f.name, (s := f.stat()).st_size, s.st_mtime_ns) for f in files]
        return hashlib.sha256(repr((str(self.path), files_now)).encode()).hexdigest()[:16]

    @cached_property
    def config(self) -> dict[str, Any]:
        """Content of its ``config.json``; raises CheckpointError if it is no JSON record."""
        return read_record(self.path / CONFIG_FILE)


def pretrained_folder() -> PretrainedFolder | None:
    """Return the files of the folder that the environment names; None if it names none.

    Raises CheckpointError if files are missing; the message says which, and how to get them. Raises
    SettingError if the variable cannot be used.
    """
    path = settings().pretrained
    return None if path is None else find_files(path)


def find_files(path: Path) -> PretrainedFolder:
    """Return the files of a model's folder.

    Raises CheckpointError if there is no such folder, or files are missing.
    """
    if path.is_file():
        raise CheckpointError(
            f"{VARIABLE} must name a model's folder, and {path} is a file: name {path.parent}, with its"
            f" {CONFIG_FILE} and its tokenizer beside it"
        )
    if not path.is_dir():
        raise CheckpointError(f"{VARIABLE} must name a folder, and {path} is none: correct it")
    path = _snapshot_in(path)
    if (path / _ADAPTER_FILE).is_file():
        raise CheckpointError(
            f"{path} holds an adapter (LoRA), which changes a model and is none by itself: add it to its"
            " model with peft, model.merge_and_unload().save_pretrained(FOLDER), and name that folder"
        )
    if not (path / CONFIG_FILE).is_file():
        raise CheckpointError(
            f"{path} must be a model's folder in Hugging Face's format, with a {CONFIG_FILE}: it has"
            f" none{_what_lies_in(path)}"
        )
    return PretrainedFolder(path, _weights_in(path), _tokenizer_in(path))


def _snapshot_in(path: Path) -> Path:
    """Return the folder itself, or that of its newest snapshot, if it is one of the library's cache."""
    snapshots = [each for each in path.glob(f"snapshots/*/{CONFIG_FILE}") if each.is_file()]
    if (path / CONFIG_FILE).is_file() or not snapshots:
        return path
    return max(snapshots, key=lambda file: file.lstat().st_mtime).parent


def _weights_in(path: Path) -> tuple[Path, ...]:
    files = _weight_files_in(path)
    for file in files:
        with file.open("rb") as opened:
            if opened.read(len(_POINTER)) == _POINTER:
                raise CheckpointError(
                    f"{file} is a note of Git LFS that says where the weights lie, not the weights: run"
                    f" git lfs pull in {path}, or download the file again"
                )
    return files


def _weight_files_in(path: Path) -> tuple[Path, ...]:
    if (path / WEIGHTS_FILE).is_file():
        return (path / WEIGHTS_FILE,)
    if (path / INDEX_FILE).is_file():
        shards = read_record(path / INDEX_FILE).get("weight_map")
        names = set(shards.values()) if isinstance(shards, dict) else set()
        # A name with a folder in it would lead out of the model's.
        found = tuple(path / name for name in sorted(map(str, names)) if Path(name).name == name)
        if found and len(found) == len(names) and all(file.is_file() for file in found):
            return found
        missing = sorted(str(name) for name in names if not (path / str(name)).is_file())
        raise CheckpointError(
            f"{path} must have every file that its {INDEX_FILE} names; {', '.join(missing[:3]) or 'some'} is not"
            " there: download it"
        )
    if any(file for pattern in _PICKLED for file in path.glob(pattern)):
        raise CheckpointError(
            f"{path} holds its weights pickled, and unpickling a file can run any code: download its"
            f" {WEIGHTS_FILE} instead, or write one: model.save_pretrained(FOLDER) of the library"
            " transformers does"
        )
    raise CheckpointError(
        f"{path} must have a {WEIGHTS_FILE}, and has none{_what_lies_in(path)}: download it"
    )


def _tokenizer_in(path: Path) -> tuple[Path, ...]:
    if (path / TOKENIZER_FILE).is_file():
        return (path / TOKENIZER_FILE,)
    if (path / SYMBOLS_FILE).is_file() and (path / MERGES_FILE).is_file():
        return (path / SYMBOLS_FILE, path / MERGES_FILE)
    of_sentencepiece = (
        "; the tokenizer.model there is SentencePiece's, which GPT-2 does not use"
        if (path / "tokenizer.model").is_file()
        else ""
    )
    raise CheckpointError(
        f"{path} must have a {TOKENIZER_FILE}, or {SYMBOLS_FILE} and {MERGES_FILE}{of_sentencepiece}:"
        " download it from the model's page"
    )


def _what_lies_in(path: Path) -> str:
    """Return what a folder without the files that are read seems to be, the end of a sentence."""
    deeper = [each.name for each in path.iterdir() if (each / CONFIG_FILE).is_file()]
    if deeper:
        return f", but its folder {sorted(deeper)[0]} has one, so name that folder"
    for pattern, what in _OTHER_FORMATS.items():
        if found := sorted(path.glob(pattern)):
            return f", and {found[0].name} is {what}"
    return ""


def read_record(path: Path) -> dict[str, Any]:
    """Return the record in a JSON file.

    Raises CheckpointError if it cannot be read, or holds something else.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        where = f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise CheckpointError(
            f"{path} must be JSON, and cannot be read{where}: download it again"
        ) from error
    if not isinstance(record, dict):
        raise CheckpointError(
            f"{path} must hold names and values in braces, and holds a {type(record).__name__}: download it"
            " again"
        )
    return record
