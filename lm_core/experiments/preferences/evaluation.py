"""What a tuned writer is worth: reward and KL on beginnings that it did not learn from, and texts."""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.experiments.preferences.prompts import HELD_OUT, N_PROMPT, encode_prompts, texts_of
from lm_core.experiments.preferences.settings import LENGTH
from lm_core.experiments.preferences.tuning import Rewarding
from lm_core.generation.rollouts import roll_out
from lm_core.models.low_rank import computed_once
from lm_core.models.placement import device_of
from lm_core.models.reward_model import RewardModel, continuation_features, read_with_hidden_states
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import Count, NonNegative
from lm_core.rng import generator
from lm_core.training.policy_gradient import token_kl

SEED = 9
N_SHOWN = 4
"""Texts that are kept of an evaluation, after different beginnings."""


class Evaluation(NamedTuple):
    """A writer at one step of its tuning."""

    step: Count  # batches that it has learned from
    kl: float  # from the reference, nats per text
    kl_error: NonNegative  # standard error, as all that are called so
    reward: float  # by the rule, in standard deviations of the reference's own texts
    reward_error: NonNegative
    model_reward: float  # by the reward model, likewise
    model_error: NonNegative
    texts: tuple[tuple[str, str], ...]  # some beginnings and continuations, the same each time


@torch.no_grad()
def evaluate_writer(
    policy: TransformerLanguageModel,
    reference: TransformerLanguageModel,
    rewarding: Rewarding,
    model: RewardModel,
    *,
    step: int,
    texts_each: int = 4,
) -> Evaluation:
    """Let a writer continue the held-out beginnings, from one seed, and score what it wrote.

    Parameters
    ----------
    rewarding : Rewarding, whose rule is the true reward
    model : RewardModel, scored beside it
    step : int, that is noted
    texts_each : int, continuations of each beginning
    """
    prompts = encode_prompts(HELD_OUT).to(device_of(policy)).repeat_interleave(texts_each, 0)
    with computed_once():
        rollouts = roll_out(policy, prompts, LENGTH, generator(SEED))
        policy_logits, _ = policy(rollouts.tokens, policy.initial_state(len(prompts)))
    logits, hidden = read_with_hidden_states(reference, rollouts.tokens)
    of_tokens = slice(N_PROMPT - 1, -1)
    kl = token_kl(policy_logits[:, of_tokens], logits[:, of_tokens]).sum(-1)
    by_rule = rewarding.by_rule(rollouts.written)
    by_model = model.rewards(continuation_features(hidden, N_PROMPT))
    texts = texts_of(rollouts.written)
    shown = range(0, len(texts), len(texts) // N_SHOWN)
    kept = tuple((HELD_OUT[i // texts_each], texts[i]) for i in shown)[:N_SHOWN]
    return Evaluation(
        step, *_mean_and_error(kl), *_mean_and_error(by_rule), *_mean_and_error(by_model), kept
    )


def _mean_and_error(values: Tensor) -> tuple[float, float]:
    error = float(values.std()) / len(values) ** 0.5
    return round(float(values.mean()), 4), round(error, 4)
