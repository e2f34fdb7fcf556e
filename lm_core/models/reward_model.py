"""A reward model: one number for a text, read off the hidden states of a writer that stays as it is.

The score is linear in the mean hidden state of a continuation, so that learning it from comparisons
is logistic regression: quick enough to do again after every vote.

References
----------
Ziegler et al. 2019, "Fine-Tuning Language Models from Human Preferences" (a linear reward head on the
language model, scores normalised on the writer's own texts). https://arxiv.org/abs/1909.08593
"""

from dataclasses import dataclass
from functools import partial

from torch import Tensor

from lm_core.errors import ShapeError
from lm_core.models.multi_head_attention import AttentionMask, KeysValues
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_blocks import BlockOutput, norm
from lm_core.results import StoredTensor


@dataclass(frozen=True)
class RewardModel:
    """A linear score of a text's features."""

    weights: StoredTensor  # what is learned, (D,)
    mean: float = (
        0.0  # of the scores of the writer's own texts, from which rewards are measured ...
    )
    deviation: float = 1.0  # ... in their standard deviations

    def scores(self, features: Tensor) -> Tensor:
        """Return the score (...) of features (..., D): differences are log odds of being preferred."""
        return features @ self.weights

    def rewards(self, features: Tensor) -> Tensor:
        """Return the scores (...) in standard deviations from the writer's mean."""
        return (self.scores(features) - self.mean) / self.deviation

    def normalised_on(self, features: Tensor) -> "RewardModel":
        """Return the same model with mean and deviation of the texts (N, D) of the writer."""
        scores = self.scores(features)
        deviation = float(scores.std()) if len(scores) > 1 else 0.0
        return RewardModel(self.weights, float(scores.mean()), deviation or 1.0)


def read_with_hidden_states(
    model: TransformerLanguageModel, tokens: Tensor
) -> tuple[Tensor, Tensor]:
    """Read texts of at most the model's context.

    `tokens`: int64 Tensor of shape (B, T).

    Returns
    -------
    logits : Tensor of shape (B, T, V)
    hidden : Tensor of shape (B, T, D), what the logits are computed from: the last block's output, normalised
    """
    kept: list[Tensor] = []

    def run_block(
        layer: int, x: Tensor, mask: AttentionMask, past: KeysValues | None
    ) -> BlockOutput:
        block = model.blocks[layer]
        output: BlockOutput = partial(block, attention=model.attention)(x, mask, past)
        kept[:] = [output.after_feed_forward]
        return output

    logits, _ = model.read(tokens, model.initial_state(len(tokens)), run_block=run_block)
    return logits, norm(model.output_norm, kept[0])


def continuation_features(hidden: Tensor, n_prompt: int) -> Tensor:
    """Return the mean hidden state (B, D) of the tokens after a prompt of `n_prompt`.

    Raises ShapeError if nothing follows the prompt.
    """
    if not 0 <= n_prompt < hidden.shape[1]:
        raise ShapeError(f"a prompt of {n_prompt} tokens leaves nothing of {hidden.shape[1]}")
    return hidden[:, n_prompt:].mean(1)
