"""Head ablation: the loss of a sentence with each head, and each layer, switched off in turn."""

from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.analysis.attention_trace import Intervention, trace_attention
from lm_core.errors import TextError
from lm_core.models.transformer import TransformerLanguageModel


class AblationCosts(NamedTuple):
    """By how much a sentence's mean loss rises, in nats per token."""

    heads: Tensor
    """Of shape (layers, H). With this head alone ablated, beside what was ablated before. Below
    0 where the sentence is predicted better without it; 0 for a head that was ablated
    already."""
    layers: Tensor
    """Of shape (layers,). With the whole layer ablated."""


def ablate_heads(
    model: TransformerLanguageModel, tokens: Tensor, intervention: Intervention | None = None
) -> AblationCosts:
    """Measure what each head and each layer contributes: read a sentence once without each of them.

    Raises TextError if the sentence is too short, or longer than the context.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,), at least 2, so that there is something to predict
    intervention : Intervention, what is done to the model all the time
    """
    if len(tokens) < 2:
        raise TextError(f"the sentence must have at least 2 tokens, it has {len(tokens)}")
    wanted = intervention or Intervention()

    def loss(changed: Intervention) -> float:
        return float(trace_attention(model, tokens, changed).losses.mean())

    before = loss(wanted)
    n_layers, n_heads = model.config.layers, model.config.heads
    heads = [
        [loss(replace(wanted, heads=wanted.heads | {(i, head)})) for head in range(n_heads)]
        for i in range(n_layers)
    ]
    layers = [loss(replace(wanted, layers=wanted.layers | {i})) for i in range(n_layers)]
    return AblationCosts(torch.tensor(heads) - before, torch.tensor(layers) - before)
