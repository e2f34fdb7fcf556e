"""GPT-2 as our own transformer: its config and its weights, renamed.

GPT-2 is the decoder-only transformer of this project with learned positions, the norm before each
sublayer, biases, the approximate GELU, and an output layer that is the embedding's matrix. Its files
hold the linear layers as (inputs, outputs), torch as (outputs, inputs).

References
----------
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
https://huggingface.co/openai-community/gpt2 (layout of the files)
"""

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.models.weights import require_finite

FAMILY = "gpt2"
"""``model_type`` of GPT-2 of every size, and of models of the same architecture."""

_WRITERS = ("GPT2LMHeadModel", "GPT2Model", "GPT2DoubleHeadsModel")
"""Architectures that predict the next token; the others' last layers name classes or places."""

_ACTIVATIONS = {"gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "gelu": "gelu"}
_REQUIRED = {
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
    "layer_norm_epsilon": 1e-5,
}
"""Settings that every published GPT-2 has, and without which the arithmetic would be another."""

_HEAD = "lm_head.weight"
_NOT_WHOLE = "they are not a whole GPT-2's, so download them again"
_FEWEST_BYTES = 2
"""Of a number; shorter ones are quantised, with scales of their own."""
_BUFFER = re.compile(r"\.attn\.(masked_)?bias$")
_OUTSIDE = {
    "embedding.weight": "wte.weight",
    "codes.weight": "wpe.weight",
    "output_norm.weight": "ln_f.weight",
    "output_norm.bias": "ln_f.bias",
}
_NORMS = {"attention_norm": "ln_1", "feed_forward_norm": "ln_2"}
_LAYERS = {
    "attention.projections": "attn.c_attn",
    "attention.output": "attn.c_proj",
    "widened": "mlp.c_fc",
    "narrowed": "mlp.c_proj",
}

_MOST = {
    "vocab_size": 1_000_000,
    "n_embd": 32_768,
    "n_head": 1_024,
    "n_layer": 256,
    "n_positions": 1_000_000,
}
"""Far above any model of this kind; a config that asks for more would keep the server building."""
_MOST_HIDDEN = 64


def config_of_gpt2(values: Mapping[str, Any]) -> TransformerLanguageModelConfig:
    """Return the config of our transformer that computes what a ``config.json`` describes.

    Raises SettingError if it is of another family, a size is missing, or a setting has no
    counterpart here.

    `values`: mapping, content of the file.
    """
    if values.get("model_type") != FAMILY:
        raise SettingError(f"model_type must be {FAMILY!r}, got {values.get('model_type')!r}")
    if "quantization_config" in values:
        raise SettingError(
            "the config has a quantization_config, by which its weights are no plain numbers: take the model"
            " that was not quantised"
        )
    for name, required in _REQUIRED.items():
        if values.get(name, required) != required:
            raise SettingError(f"{name} must be {required}, got {values[name]!r}")
    for name in values.get("architectures") or ():
        if name not in _WRITERS:
            raise SettingError(
                f"architectures must name a language model, {_WRITERS[0]}, got {name!r}: its last layer"
                " does not predict the next token"
            )
    activation = values.get("activation_function", "gelu_new")
    if not isinstance(activation, str) or activation not in _ACTIVATIONS:
        raise SettingError(
            f"activation_function must be one of {sorted(_ACTIVATIONS)}, got {activation!r}"
        )
    sizes: dict[str, int] = {}
    for name, most in _MOST.items():
        size = values.get(name)
        if not isinstance(size, int) or isinstance(size, bool):
            raise SettingError(
                f"{name} must be a whole number, got {size!r}: take the config.json of the model itself"
            )
        if not 1 <= size <= most:
            raise SettingError(f"{name} must be from 1 to {most:,}, got {size:,}")
        sizes[name] = size
    width = sizes["n_embd"]
    hidden = values.get("n_inner") or 4 * width
    if not isinstance(hidden, int) or hidden % width or not 1 <= hidden // width <= _MOST_HIDDEN:
        raise SettingError(
            f"n_inner must be 1 to {_MOST_HIDDEN} times n_embd = {width}, got {hidden!r}"
        )
    return TransformerLanguageModelConfig(
        vocabulary_size=sizes["vocab_size"],
        width=width,
        heads=sizes["n_head"],
        layers=sizes["n_layer"],
        context=sizes["n_positions"],
        feed_forward=hidden // width,
        position="learned",
        activation=_ACTIVATIONS[activation],
        bias=True,
        tied_output=bool(values.get("tie_word_embeddings", True)),
    )


def weights_of_gpt2(
    stored: Mapping[str, Tensor], config: TransformerLanguageModelConfig
) -> dict[str, Tensor]:
    """Return the weights of a GPT-2 under our names, in float32, ready to be loaded strictly.

    Raises SettingError if a weight is missing, is not a finite floating-point number, or is one
    that the config does not describe.

    Parameters
    ----------
    stored : mapping of str to Tensor
        As the file names them, with or without ``transformer.`` before each name, and what is put
        before it where torch.compile, DataParallel or a trainer's class has wrapped the model. Buffers of older files, which hold
        the causal mask, are left out.
    config : TransformerLanguageModelConfig, from `config_of_gpt2`
    """
    bare = {_bare(name): tensor for name, tensor in stored.items() if not _BUFFER.search(name)}

    def take(name: str) -> Tensor:
        if name not in bare:
            raise SettingError(f"the weights lack {name!r}: {_NOT_WHOLE}")
        return _as_number(name, bare.pop(name))

    weights = {ours: take(theirs) for ours, theirs in _OUTSIDE.items()}
    for i in range(config.layers):
        for ours, theirs in _NORMS.items():
            for part in ("weight", "bias"):
                weights[f"blocks.{i}.{ours}.{part}"] = take(f"h.{i}.{theirs}.{part}")
        for ours, theirs in _LAYERS.items():
            # A view: of GPT-2 small, a copy of what lies in the file would take 340 MB and seconds.
            weights[f"blocks.{i}.{ours}.weight"] = take(f"h.{i}.{theirs}.weight").T
            weights[f"blocks.{i}.{ours}.bias"] = take(f"h.{i}.{theirs}.bias")
    weights["output.weight"] = _output(bare, weights["embedding.weight"], config)
    if bare:
        raise SettingError(
            f"the config describes no weights {', '.join(map(repr, sorted(bare)[:3]))}: with them the"
            " file is another model, or has more layers than the config: download both of the same model"
        )
    return weights


def _bare(name: str) -> str:
    """Return a name without what torch.compile, DataParallel and trainers' classes put before it."""
    for wrapper in ("_orig_mod.", "module.", "model.", "_orig_mod.", "transformer."):
        name = name.removeprefix(wrapper)
    return name


def _as_number(name: str, weight: Tensor) -> Tensor:
    """Return a weight in float32."""
    if not weight.is_floating_point() or weight.element_size() < _FEWEST_BYTES:
        raise SettingError(
            f"weights must be floating-point numbers of 16 bits or more, {name!r} is {weight.dtype}: take the model that"
            " was not quantised"
        )
    number = weight.float()
    require_finite(name, number)
    return number


def _output(
    bare: dict[str, Tensor], embedding: Tensor, config: TransformerLanguageModelConfig
) -> Tensor:
    """Return the output layer's weight: the embedding's where both are tied."""
    if not config.tied_output and _HEAD not in bare:
        raise SettingError(f"the weights lack {_HEAD!r}: {_NOT_WHOLE}")
    own = bare.pop(_HEAD, None)
    if own is None:
        return embedding
    own = _as_number(_HEAD, own)
    if config.tied_output and not torch.equal(own, embedding):
        raise SettingError(
            f"tie_word_embeddings says that {_HEAD!r} is 'wte.weight', and in the file the two differ:"
            " set it to false in config.json, and the file's is taken"
        )
    return embedding if config.tied_output else own
