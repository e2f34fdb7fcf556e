"""What heads do on random tokens that come twice: where nothing but the repetition can be found.

A model that reads ``x y z ... x y z ...`` can predict the second half only by looking back to the
first. A head does so by *prefix matching*, attending from a token to the one that followed its earlier
copy (an *induction head*); heads that attend to the copy itself find *duplicate tokens*. No prose is
in the way: neither frequency nor grammar nor nearness can be mistaken for it.

References
----------
Olsson et al. 2022, "In-context Learning and Induction Heads". https://arxiv.org/abs/2209.11895
"""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.analysis.attention_trace import trace_attention
from lm_core.errors import SettingError
from lm_core.models.transformer import TransformerLanguageModel


class RepetitionScores(NamedTuple):
    """Mean weights of each head, (layers, H), over the tokens of the second half, and the losses."""

    induction: Tensor
    """On the token after the earlier copy."""
    same_token: Tensor
    """On the earlier copy."""
    induction_control: Tensor
    same_token_control: Tensor
    """`induction_control` and `same_token_control`: on the same positions where the first half
    is other random tokens, and copies nothing."""
    losses: tuple[float, float]
    """Tuple of (float, float). Mean nats per token of the first half and of the second, without
    the first token of each, which nobody can know."""


def score_repetition(
    model: TransformerLanguageModel,
    rng: torch.Generator,
    *,
    length: int = 50,
    n_sequences: int = 16,
) -> RepetitionScores:
    """Read random tokens twice in a row and score every head.

    Raises SettingError if the vocabulary or the context is too small for the length.

    Parameters
    ----------
    model : TransformerLanguageModel, its token 0 is left out, which stands for the unknown
    rng : torch.Generator, draws the tokens, all different within a sequence
    length : int, of one half; both must fit into the context
    n_sequences : int, over which the scores are means
    """
    config = model.config
    longest = min((config.vocabulary_size - 1) // 2, config.context // 2)
    if not 2 <= length <= longest:
        raise SettingError(f"length must lie in [2, {longest}] for this model, got {length}")
    repeated, unrepeated, losses = [], [], []
    for _ in range(n_sequences):
        drawn = 1 + torch.randperm(config.vocabulary_size - 1, generator=rng)
        second, other = drawn[:length], drawn[length : 2 * length]
        trace = trace_attention(model, torch.cat([second, second]))
        repeated.append(_on_positions(trace.weights))
        losses.append(
            torch.stack([trace.losses[: length - 1].mean(), trace.losses[length:].mean()])
        )
        unrepeated.append(_on_positions(trace_attention(model, torch.cat([other, second])).weights))
    induction, same_token = torch.stack(repeated).mean(0)
    induction_control, same_token_control = torch.stack(unrepeated).mean(0)
    first_loss, second_loss = torch.stack(losses).mean(0).tolist()
    return RepetitionScores(
        induction, same_token, induction_control, same_token_control, (first_loss, second_loss)
    )


def _on_positions(weights: Tensor) -> Tensor:
    """Return each head's mean weight on the two targets of the second half, (2, layers, H)."""
    length = weights.shape[-1] // 2
    queries = torch.arange(length, 2 * length)
    after_copy, copy = queries - length + 1, queries - length
    return torch.stack([weights[..., queries, keys].mean(-1) for keys in (after_copy, copy)])
