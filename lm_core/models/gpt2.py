"""GPT-2 as our own transformer: its config and its weights, renamed.

GPT-2 is the decoder-only transformer of this project with learned positions, the norm before each
sublayer, biases, the approximate GELU, and an output layer that is the embedding's matrix. Its files
hold the linear layers as (inputs, outputs), torch as (outputs, inputs).

References
----------
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
https://huggingface.co/openai-community/gpt2 (layout of the files)
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.transformer_config import TransformerLanguageModelConfig

FAMILY = "gpt2"
"""``model_type`` of GPT-2 of every size, and of models of the same architecture."""

_ACTIVATIONS = {"gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "gelu": "gelu"}
_REQUIRED = {
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
    "layer_norm_epsilon": 1e-5,
}
"""Settings that every published GPT-2 has, and without which the arithmetic would be another."""

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

    Parameters
    ----------
    values : mapping
        Content of the file.

    Raises
    ------
    SettingError
        If it is of another family, a size is missing, or a setting has no counterpart here.
    """
    if values.get("model_type") != FAMILY:
        raise SettingError(f"model_type must be {FAMILY!r}, got {values.get('model_type')!r}")
    for name, required in _REQUIRED.items():
        if values.get(name, required) != required:
            raise SettingError(f"{name} must be {required}, got {values[name]!r}")
    activation = values.get("activation_function", "gelu_new")
    if not isinstance(activation, str) or activation not in _ACTIVATIONS:
        raise SettingError(
            f"activation_function must be one of {sorted(_ACTIVATIONS)}, got {activation!r}"
        )
    sizes: dict[str, int] = {}
    for name, most in _MOST.items():
        size = values.get(name)
        if not isinstance(size, int) or isinstance(size, bool):
            raise SettingError(f"{name} must be a whole number, got {size!r}")
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

    Parameters
    ----------
    stored : mapping of str to Tensor
        As the file names them, with or without ``transformer.`` before each name. Buffers of older
        files, which hold the causal mask, are left out.
    config : TransformerLanguageModelConfig
        From `config_of_gpt2`.

    Raises
    ------
    SettingError
        If a weight is missing.
    """
    bare = {name.removeprefix("transformer."): tensor for name, tensor in stored.items()}

    def take(name: str) -> Tensor:
        if name not in bare:
            raise SettingError(f"the weights lack {name!r}: they are not a whole GPT-2's")
        return bare[name].float()

    weights = {ours: take(theirs) for ours, theirs in _OUTSIDE.items()}
    for i in range(config.layers):
        for ours, theirs in _NORMS.items():
            for part in ("weight", "bias"):
                weights[f"blocks.{i}.{ours}.{part}"] = take(f"h.{i}.{theirs}.{part}")
        for ours, theirs in _LAYERS.items():
            # A view: of GPT-2 small, a copy of what lies in the file would take 340 MB and seconds.
            weights[f"blocks.{i}.{ours}.weight"] = take(f"h.{i}.{theirs}.weight").T
            weights[f"blocks.{i}.{ours}.bias"] = take(f"h.{i}.{theirs}.bias")
    if config.tied_output:
        weights["output.weight"] = weights["embedding.weight"]
    else:
        weights["output.weight"] = take("lm_head.weight")
        weights["output.bias"] = torch.zeros(config.vocabulary_size)
    return weights
