"""Tuning the writer: by REINFORCE, by PPO or by DPO, one step at a time."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.experiments.preferences.prompts import N_PROMPT, TRAINING, encode_prompts, texts_of
from lm_core.experiments.preferences.rules import Rule
from lm_core.experiments.preferences.settings import DPO, LENGTH, PPO, TuningConfig
from lm_core.generation.rollouts import Rollouts, roll_out
from lm_core.models import low_rank
from lm_core.models.placement import device_of, moved
from lm_core.models.reward_model import RewardModel, continuation_features, read_with_hidden_states
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop, clip_by_norm
from lm_core.training.policy_gradient import (
    leave_one_out_advantages,
    log_probabilities,
    penalised_rewards,
    ppo_loss,
    reinforce_loss,
)
from lm_core.training.preference_losses import dpo_loss
from lm_core.training.resumable import Part, Parts, Resumable, Value


@dataclass(frozen=True)
class Rewarding:
    """What texts are rewarded with."""

    rule: Rule
    mean: float
    deviation: float
    """`mean` and `deviation`: of the rule's scores of the writer's own texts: rewards are in
    standard deviations from them."""
    model: RewardModel | None = None
    """In place of the rule."""

    def by_rule(self, written: Tensor) -> Tensor:
        """Return the rule's rewards (B,) of continuations (B, L)."""
        scores = torch.tensor([self.rule.score(text) for text in texts_of(written)])
        return (scores.to(written.device) - self.mean) / self.deviation

    def of(self, written: Tensor, hidden: Tensor) -> Tensor:
        """Return the rewards (B,) of continuations (B, L); hidden (B, T, D) is what the writer makes of them."""
        if self.model is None:
            return self.by_rule(written)
        return self.model.rewards(continuation_features(hidden, N_PROMPT))


class PreferencePairs(NamedTuple):
    """What DPO learns from: preferred and rejected texts, int64 (N, 4 + L) each."""

    preferred: Tensor
    rejected: Tensor


class TuningStep(NamedTuple):
    """What one optimizer step did."""

    step: int
    """From 1."""
    loss: float
    seconds: float
    gradient_norm: float
    """Before it was shortened."""
    reward: float | None
    kl: float | None
    r"""`reward` and `kl`: means over the texts that the batch was written with: the reward
    without the penalty, and log \\pi(y) - log \\pi_ref(y) in nats. None for DPO, which writes
    nothing."""

    @property
    def is_news(self) -> bool:
        """Whether it must not wait for the next line of a metrics log."""
        return False


class Tuning(Resumable):
    """A tuning in progress; iterate over it for its steps.

    Parameters
    ----------
    reference : TransformerLanguageModel, the writer; it is not changed, and tuned is where it lies
    pairs : PreferencePairs, for DPO
    """

    def __init__(
        self,
        reference: TransformerLanguageModel,
        config: TuningConfig,
        rewarding: Rewarding,
        pairs: PreferencePairs | None = None,
    ) -> None:
        pairs = pairs or PreferencePairs(*torch.zeros(2, 0, N_PROMPT + LENGTH, dtype=torch.int64))
        if config.method == DPO and not len(pairs.preferred):
            raise SettingError("DPO needs at least one judged pair")
        self.reference, self.config, self._rewarding = reference, config, rewarding
        self._rng = generator(config.seed)
        self.policy = deepcopy(reference)
        self.updates = low_rank.add_low_rank_updates(self.policy, config.rank, self._rng)
        device = device_of(reference)
        self._prompts = encode_prompts(TRAINING).to(device)
        self._pairs = moved(pairs, device)
        self._batch: _Batch | None = None
        self._reward: float | None = None
        self._kl: float | None = None
        learned = [p for update in self.updates.values() for p in update.parameters()]
        self.loop = TrainingLoop(
            learned,
            self._dpo_loss if config.method == DPO else self._policy_loss,
            Adam(learned, lr=config.learning_rate),
            steps=config.steps * self.steps_per_batch,
            learning_rate=lambda step: config.learning_rate,
            clip=clip_by_norm(config.longest_gradient),
        )

    @property
    def steps_per_batch(self) -> int:
        """Optimizer steps on the same texts."""
        return self.config.epochs if self.config.method == PPO else 1

    @property
    def step(self) -> int:
        """Batches that have been learned from."""
        return self.loop.step // self.steps_per_batch

    @property
    def seconds(self) -> float:
        """Time spent in steps so far."""
        return self.loop.seconds

    def write(self, n_texts: int) -> Tensor:
        """Return the first beginnings with what the policy makes of them now, (n_texts, 4 + L)."""
        with low_rank.computed_once():
            rng = generator(self.config.seed)
            return roll_out(self.policy, self._prompts[:n_texts], LENGTH, rng).tokens

    def __iter__(self) -> Iterator[TuningStep]:
        """Yield the remaining batches, each as one step."""
        while self.loop.step < self.loop.steps:
            losses = [self.loop.take_step() for _ in range(self.steps_per_batch)]
            last = losses[-1]
            yield TuningStep(
                last.step // self.steps_per_batch,
                sum(step.loss for step in losses) / len(losses),
                last.seconds,
                last.gradient_norm,
                self._reward,
                self._kl,
            )

    def _parts(self) -> Parts:
        thin = Value(
            lambda: low_rank.thin_matrices(self.updates),
            lambda saved: low_rank.load_thin_matrices(self.updates, saved),
        )
        return {"loop": self.loop, "updates": thin, "rng": self._rng}

    def _beside(self) -> tuple[Part, ...]:
        return ()

    def state_dict(self) -> dict[str, Any]:
        """Return all that is needed to go on; a run counts batches, not the loop's steps on each."""
        return super().state_dict() | {"step": self.step, "seconds": self.seconds}

    # What is learned from ---------------------------------------------------------------------

    def _policy_loss(self) -> Tensor:
        """Return the loss of the texts at hand; new ones are written when these have been used up."""
        if self._batch is None or self.loop.step % self.steps_per_batch == 0:
            self._batch = self._write_batch()
        batch, config = self._batch, self.config
        log_policy = self._log_policy(batch.rollouts.tokens)
        if config.method == PPO:
            before = batch.rollouts.log_probabilities
            return ppo_loss(log_policy, before, batch.advantages, config.clip)
        return reinforce_loss(log_policy, batch.advantages)

    def _write_batch(self) -> "_Batch":
        """Write texts with the policy as it is, and work out what each one's reward is worth."""
        config = self.config
        drawn = torch.randperm(len(self._prompts), generator=self._rng)[: config.prompts]
        prompts = self._prompts[drawn].repeat_interleave(config.texts, 0)
        with low_rank.computed_once():
            rollouts = roll_out(self.policy, prompts, LENGTH, self._rng)
        with torch.no_grad():
            logits, hidden = read_with_hidden_states(self.reference, rollouts.tokens)
            log_reference = written_log_probabilities(logits, rollouts.tokens)
            rewards = self._rewarding.of(rollouts.written, hidden)
        log_policy = rollouts.log_probabilities
        total = penalised_rewards(rewards, log_policy, log_reference, config.kl_weight)
        self._reward = float(rewards.mean())
        self._kl = float((log_policy - log_reference).sum(-1).mean())
        advantages = leave_one_out_advantages(total.view(-1, config.texts)).flatten()
        return _Batch(rollouts, advantages)

    def _dpo_loss(self) -> Tensor:
        """Return the loss of some judged pairs, drawn with replacement."""
        n = max(1, self.config.prompts * self.config.texts // 2)
        drawn = torch.randint(len(self._pairs.preferred), (n,), generator=self._rng)
        tokens = torch.cat([pairs[drawn] for pairs in self._pairs])
        with torch.no_grad():
            logits, _ = self.reference(tokens, self.reference.initial_state(len(tokens)))
            log_reference = written_log_probabilities(logits, tokens).sum(-1)
        log_policy = self._log_policy(tokens).sum(-1)
        return dpo_loss(
            log_policy[:n],
            log_policy[n:],
            log_reference[:n],
            log_reference[n:],
            self.config.kl_weight,
        )

    def _log_policy(self, tokens: Tensor) -> Tensor:
        """Return the policy's log probability of every written token, (B, L), with a graph."""
        with low_rank.computed_once():
            logits, _ = self.policy(tokens, self.policy.initial_state(len(tokens)))
        return written_log_probabilities(logits, tokens)


class _Batch(NamedTuple):
    rollouts: Rollouts
    advantages: Tensor  # (B,)


def written_log_probabilities(logits: Tensor, tokens: Tensor) -> Tensor:
    """Return the log probability (B, L) of each token after the beginning.

    Parameters
    ----------
    logits : Tensor of shape (B, 4 + L, V), after each token of (B, 4 + L)
    tokens : int64 Tensor of shape (B, 4 + L)
    """
    return log_probabilities(logits[:, N_PROMPT - 1 : -1], tokens[:, N_PROMPT:])
