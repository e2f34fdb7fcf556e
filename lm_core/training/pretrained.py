"""A pretrained model from the visitor's own machine, as if it were one of our checkpoints.

The folder that ``LM_LAB_PRETRAINED`` names is read, and nothing else: no download, no pickle. GPT-2's
weights go into our own transformer.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from lm_core.errors import CheckpointError, SettingError
from lm_core.models.gpt2 import FAMILY, config_of_gpt2, weights_of_gpt2
from lm_core.models.registry import build, config_to_dict
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.text.kinds_of_files import is_marked_up, what_a_file_is
from lm_core.text.pretrained_folder import CONFIG_FILE, INDEX_FILE, PretrainedFolder
from lm_core.text.pretrained_vocabulary import vocabulary_name
from lm_core.text.what_was_read import WhatWasRead
from lm_core.training.checkpoints import Checkpoint, CheckpointMeta

_MOST_NAMED = 4
NAME = "pretrained"
"""Name of the model among the checkpoints; there is one at a time."""


def pretrained_meta(folder: PretrainedFolder) -> CheckpointMeta:
    """Return what is known of a pretrained model without reading its weights.

    Its ``weights_sha256`` is the folder's fingerprint, its corpus empty: where it was trained, and on
    what, its folder does not say. Raises CheckpointError if it is of an architecture that is not
    read here.
    """
    config = _config_of(folder)
    return CheckpointMeta(
        name=NAME,
        title=f"{folder.name}, {config.layers} x {config.width} (pretrained)",
        config=config_to_dict(config),
        vocabulary=vocabulary_name(folder),
        corpus="",
        corpus_sha256="",
        seed=0,
        steps=0,
        characters_seen=0,
        seconds=0.0,
        device="",
        parameter_count=_without_weights(config).parameter_count,
        date="",
        libraries={},
        weights_sha256=folder.fingerprint,
    )


def what_was_read(folder: PretrainedFolder) -> WhatWasRead:
    """Return what a folder was read as, for the visitor.

    Raises
    ------
    CheckpointError
        As `pretrained_meta`.
    """
    meta, config = pretrained_meta(folder), _config_of(folder)
    index = [folder.path / INDEX_FILE] * (len(folder.weights) > 1)
    used = [folder.path / CONFIG_FILE, *index, *folder.weights, *folder.tokenizer]
    others = sorted(file.name for file in folder.path.iterdir() if file not in used)
    more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    facts = (
        "a model's folder in Hugging Face's format",
        f"GPT-2 of {config.layers} layers x {config.width}",
        f"{meta.parameter_count:,} parameters",
        f"{config.vocabulary_size:,} tokens",
    )
    notes = (f"Files that are not needed and not read: {', '.join(others[:_MOST_NAMED])}{more}.",)
    rows = ((file.name, f"{file.stat().st_size:,}") for file in used)
    return WhatWasRead(facts, notes if others else (), (("file", "bytes"), *rows))


def load_pretrained(folder: PretrainedFolder) -> Checkpoint:
    """Read the weights of a pretrained model into our own transformer, in evaluation mode.

    Raises CheckpointError if the weights cannot be read, or do not fit the config.
    """
    meta, config = pretrained_meta(folder), _config_of(folder)
    model = _without_weights(config)
    try:
        weights = weights_of_gpt2(_stored(folder.weights), config)
        _require_shapes(weights, model)
        model.load_state_dict(weights, strict=True, assign=True)
    except SettingError as error:
        raise CheckpointError(f"{folder.path}: weights and config do not fit: {error}") from error
    except (OSError, RuntimeError) as error:
        raise CheckpointError(
            f"{folder.path}: weights and config do not fit: {error}: download the model again"
        ) from error
    model.tie()
    return Checkpoint(model.requires_grad_(requires_grad=False).eval(), meta)


def _require_shapes(weights: Mapping[str, Tensor], model: TransformerLanguageModel) -> None:
    """Raise SettingError at the first weight whose shape is another than the config describes."""
    for name, expected in model.state_dict().items():
        found = weights[name].shape if name in weights else expected.shape
        if found != expected.shape:
            raise SettingError(
                f"the config describes {' x '.join(map(str, expected.shape))} numbers for {name!r}, the"
                f" file holds {' x '.join(map(str, found))}; one of them is of another model, or was"
                " changed without the other: download both of the same model"
            )


def _config_of(folder: PretrainedFolder) -> TransformerLanguageModelConfig:
    family = folder.config.get("model_type")
    if family is None:
        raise CheckpointError(
            f"{folder.path / CONFIG_FILE} must say by model_type which architecture it describes, and says"
            " none: download it again, from a model in Hugging Face's format"
        )
    if family != FAMILY:
        raise CheckpointError(
            f"{folder.path} holds a model of the architecture {family!r}; only {FAMILY!r} is read"
            " here: choose a GPT-2, of any size, or one built like it, such as distilgpt2"
        )
    try:
        return config_of_gpt2(folder.config)
    except SettingError as error:
        raise CheckpointError(f"{folder.path}: {error}") from error


def _without_weights(config: TransformerLanguageModelConfig) -> TransformerLanguageModel:
    """Return the model with weights that take no memory, because they are read and not drawn."""
    with torch.device("meta"), _Undrawn():
        model: TransformerLanguageModel = build(config)
    model.output.register_parameter("bias", None)  # GPT-2's output layer has none, tied or not
    return model


class _Undrawn(TorchFunctionMode):
    """Leaves new weights as they are; to draw ones that take no memory, torch would import for 8 s."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        del types
        given = kwargs or {}
        return given["tensor"] if func is nn.init.normal_ else func(*args, **given)


def _stored(files: tuple[Path, ...]) -> dict[str, Tensor]:
    stored: dict[str, Tensor] = {}
    for file in files:
        try:
            stored |= safetensors.torch.load_file(file)
        except SafetensorError as error:
            raise CheckpointError(
                f"{file} {_what_is_wrong_with(file)}: download it again"
            ) from error
    return stored


def _what_is_wrong_with(file: Path) -> str:
    """Return what a file is that should hold weights and cannot be read."""
    with file.open("rb") as opened:
        begins = opened.read(200)
    if is_marked_up(begins):
        return "is a web page, not the weights"
    if not file.stat().st_size:
        return "is empty"
    what = what_a_file_is(begins)
    return (
        f"is {what}, not weights in the format safetensors"
        if what and "safetensors" not in what
        else "is no whole file in the format safetensors, perhaps because a download was cut off"
    )
