"""Rollouts: texts that a policy writes to learn from, each after a prompt of its own."""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import ShapeError, require_at_least_1
from lm_core.generation.sampling import draw_each
from lm_core.models.language_model import LanguageModel


class Rollouts(NamedTuple):
    """B texts, prompts of P tokens and L written ones."""

    tokens: Tensor
    """int64, of shape (B, P + L)."""
    n_prompt: int
    """P."""
    log_probabilities: Tensor
    """Of shape (B, L). Of each written token by the model that wrote it, in nats."""

    @property
    def written(self) -> Tensor:
        """The continuations (B, L)."""
        return self.tokens[:, self.n_prompt :]


@torch.no_grad()
def roll_out(model: LanguageModel, prompts: Tensor, length: int, rng: torch.Generator) -> Rollouts:
    """Continue each prompt once, at temperature 1 with nothing cut off: samples of the policy itself.

    Raises ShapeError if the prompts have no tokens.

    Parameters
    ----------
    prompts : int64 Tensor of shape (B, P), P >= 1
        All of one length; repeat a prompt to continue it in several ways.
    length : int, L, at least 1
    rng : torch.Generator, of the processor wherever the model lies: so a seed writes the same texts
    """
    require_at_least_1(length=length)
    if prompts.dim() != 2 or not prompts.shape[1]:
        raise ShapeError(f"prompts must have shape (B, P), P >= 1, got {tuple(prompts.shape)}")
    logits, state = model(prompts, model.initial_state(len(prompts)))
    written, surprises = [], []
    for step in range(length):
        log_p = logits[:, -1].float().log_softmax(-1)  # (B, V)
        uniforms = torch.rand(len(prompts), generator=rng, dtype=torch.float64)
        drawn = draw_each(log_p.exp(), uniforms.to(log_p.device)).unsqueeze(-1)  # (B, 1)
        written.append(drawn)
        surprises.append(log_p.gather(-1, drawn))
        if step + 1 < length:
            logits, state = model(drawn, state)
    return Rollouts(torch.cat([prompts, *written], 1), prompts.shape[1], torch.cat(surprises, 1))
