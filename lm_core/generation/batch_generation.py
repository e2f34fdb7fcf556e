"""Many texts at once: hundreds cost little more than one."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError, require_at_least_1
from lm_core.generation.decoder import ModelDecoder
from lm_core.generation.logit_transforms import next_mu
from lm_core.generation.prompts import checked_prompt
from lm_core.generation.sampling import SamplingSettings, draw_each, first_mu, next_probabilities
from lm_core.models.language_model import LanguageModel, select_rows
from lm_core.models.placement import device_of


def generate_batch(
    model: LanguageModel,
    prompt_ids: Sequence[int] | np.ndarray,
    settings: SamplingSettings,
    n_texts: int,
    length: int,
    rng: torch.Generator,
    *,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Continue one prompt in many ways: all of `generate_tokens`, side by side.

    The result: int64 Tensor of shape (n_texts, length), on the CPU, the written tokens, without the prompt.
    """
    tokens = generate_tokens(model, prompt_ids, settings, n_texts, length, rng, dtype=dtype)
    return torch.stack(list(tokens), 1)


@torch.inference_mode()
def generate_tokens(
    model: LanguageModel,
    prompt_ids: Sequence[int] | np.ndarray,
    settings: SamplingSettings,
    n_texts: int,
    length: int,
    rng: torch.Generator,
    *,
    dtype: torch.dtype = torch.float32,
) -> Iterator[Tensor]:
    """Continue one prompt in many ways, one token of every text at a time.

    Raises TextError if the prompt is empty or holds an id that the model does not know, and
    SettingError if `n_texts` or `length` is less than 1.

    Parameters
    ----------
    prompt_ids : ints in [0, V), at least one
    settings : SamplingSettings
        The same chain as a `TextGeneration`'s; every text has its own history and mirostat bound.
    n_texts, length : int, at least 1, number of texts, B, and tokens to write of each
    rng : torch.Generator, on the CPU, wherever the model is
    dtype : torch.dtype
        Arithmetic of the model's products. `torch.bfloat16` is faster on processors that have it,
        and its probabilities are good to two digits: enough to write a corpus, but not to write
        the same text as a `TextGeneration`.

    Yields
    ------
    int64 Tensor of shape (n_texts,), on the CPU
        The next token of every text.
    """
    require_at_least_1(n_texts=n_texts, length=length)
    prompt, device = checked_prompt(prompt_ids, model), device_of(model)
    logits, state = ModelDecoder(model).read(np.array(prompt))
    logits = logits.expand(n_texts, -1)  # (B, V)
    state = select_rows(state, torch.zeros(n_texts, dtype=torch.int64, device=device))

    # Prompt and text side by side, so that a text's history is a slice.
    tokens = torch.empty(n_texts, len(prompt) + length, dtype=torch.int64)
    tokens[:, : len(prompt)] = torch.tensor(prompt)
    mu = torch.full((n_texts,), first_mu(settings))
    for t in range(len(prompt), tokens.shape[1]):
        probabilities = next_probabilities(logits, settings, tokens[:, :t], mu)  # (B, V)
        uniforms = torch.rand(n_texts, generator=rng, dtype=torch.float64)
        drawn = draw_each(probabilities, uniforms).unsqueeze(-1)  # (B, 1)
        if "mirostat_tau" in settings.active:
            surprise_bits = -logits.log_softmax(-1).gather(-1, drawn)[:, 0] / math.log(2.0)
            mu = next_mu(mu, surprise_bits, settings.mirostat_tau, settings.mirostat_rate)
        tokens[:, t] = drawn[:, 0]
        yield tokens[:, t]
        with torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
            logits, state = model(drawn.to(device), state)
        logits = logits[:, 0].float().cpu()


def next_token_counts(probabilities: Tensor, n_draws: int, rng: torch.Generator) -> Tensor:
    """Draw from one distribution again and again and count: the bars that chance lays over theory.

    Raises SettingError if `n_draws` is negative.

    The result: int64 Tensor of shape (V,), sums to `n_draws`.

    Parameters
    ----------
    probabilities : float Tensor of shape (V,)
    n_draws : int, at least 0
    """
    if n_draws < 0:
        raise SettingError(f"n_draws must be at least 0, got {n_draws}")
    uniforms = torch.rand(n_draws, generator=rng, dtype=torch.float64)
    return draw_each(probabilities, uniforms).bincount(minlength=probabilities.shape[-1])
