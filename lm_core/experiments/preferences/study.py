"""What is measured: reward models by number of comparisons, tunings, and best-of-n."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import safetensors.torch
import torch
from torch import Tensor

from lm_core.experiments.preferences.comparisons import (
    Judged,
    Pool,
    fit_reward_model,
    judge_pairs,
    write_pool,
)
from lm_core.experiments.preferences.evaluation import Evaluation, evaluate_writer
from lm_core.experiments.preferences.prompts import HELD_OUT, TRAINING
from lm_core.experiments.preferences.rules import CALM, DIALOGUE, RULES, SHORT, Rule
from lm_core.experiments.preferences.settings import (
    DPO,
    N_COMPARISONS,
    PPO,
    REINFORCE,
    REWARD_MODEL,
    RULE,
    TuningConfig,
)
from lm_core.experiments.preferences.tuning import PreferencePairs, Rewarding, Tuning
from lm_core.files import write_whole
from lm_core.generation.best_of_n import best_of_n_kl, best_of_n_mean
from lm_core.models.reward_model import RewardModel
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import NonNegative, Positive, Share
from lm_core.rng import generator
from lm_core.training.preference_losses import agreement

TRAINING_TEXTS, HELD_OUT_TEXTS = 20, 64
SIZES = (5, 10, 20, 50, 100, 200, 400)
"""Numbers of comparisons that reward models are fitted to."""
DRAWS = 10
NS = (1, 2, 4, 8, 16, 32, 64)
"""Of best-of-n."""
_EVALUATED = (0.2, 0.27, 0.33, 0.4, 0.55, 0.75, 1.0)


def _run(rule: str, method: str, kl_weight: float, reward: str = REWARD_MODEL) -> TuningConfig:
    steps = 60 if method == DPO else 30
    return TuningConfig(rule, method, reward, kl_weight, steps=steps)


RUNS = (
    _run(SHORT, PPO, 0.3),
    _run(SHORT, PPO, 0.0),
    _run(SHORT, DPO, 0.1),
    _run(SHORT, REINFORCE, 0.3),
    _run(SHORT, REINFORCE, 0.0),
    _run(SHORT, PPO, 0.0, RULE),
    _run(CALM, PPO, 0.0),
    _run(CALM, PPO, 0.3),
    _run(CALM, DPO, 0.1),
    _run(SHORT, PPO, 1.0),
    _run(DIALOGUE, PPO, 0.0),
    _run(DIALOGUE, DPO, 0.1),
    _run(DIALOGUE, PPO, 0.3),
    _run(SHORT, PPO, 0.1),
)
"""The prepared tunings."""


class Accuracy(NamedTuple):
    """Held-out accuracies of reward models fitted to some number of comparisons."""

    comparisons: Positive
    accuracies: tuple[Share, ...]  # one for each draw of the comparisons


class BestOf(NamedTuple):
    """The best of n texts by a score."""

    n: Positive
    kl: NonNegative  # by the formula, nats
    reward: float  # mean by the rule, in standard deviations
    model_reward: float  # ... by the reward model


@dataclass(frozen=True)
class Task:
    """A rule with all that is learned of it from comparisons."""

    rewarding: Rewarding
    """By the rule, normalised on the writer's texts."""
    model: RewardModel
    """Of the first 400 comparisons."""
    judged: Judged
    """All pairs of the training pool."""
    held_out: Judged
    """All pairs of the held-out pool."""

    def rewarded_with(self, reward: str) -> Rewarding:
        """Return what a tuning is rewarded with: the rule, or the reward model in its place."""
        before = self.rewarding
        model = self.model if reward == REWARD_MODEL else None
        return Rewarding(before.rule, before.mean, before.deviation, model)


def write_pools(writer: TransformerLanguageModel) -> tuple[Pool, Pool]:
    """Return the continuations that are compared: of training beginnings and of held-out ones."""
    rng = generator(1)
    return (
        write_pool(writer, TRAINING, TRAINING_TEXTS, rng),
        write_pool(writer, HELD_OUT, HELD_OUT_TEXTS, rng),
    )


def pools_once(writer: TransformerLanguageModel, file: Path) -> tuple[Pool, Pool]:
    """Write the continuations that are compared into a file, or read those that it has."""
    parts = ("training.", "held_out.")
    if not file.exists():
        pools = zip(parts, write_pools(writer), strict=True)
        stored = {f"{part}{n}": t for part, pool in pools for n, t in pool.tensors().items()}
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, safetensors.torch.save(stored))
    stored = safetensors.torch.load(file.read_bytes())
    training, held_out = (
        Pool.of_tensors({n.removeprefix(p): t for n, t in stored.items() if n.startswith(p)})
        for p in parts
    )
    return training, held_out


def prepare_task(rule: Rule, training: Pool, held_out: Pool) -> Task:
    """Judge the pairs of both pools by a rule, and fit a reward model to the first 400."""
    scores = training.judged(rule)
    judged = judge_pairs(scores)
    features = training.features.flatten(0, 1)
    model = fit_reward_model(features, judged.first(N_COMPARISONS), features)
    rewarding = Rewarding(rule, float(scores.mean()), float(scores.std()))
    return Task(rewarding, model, judged, judge_pairs(held_out.judged(rule)))


def accuracies(task: Task, training: Pool, held_out: Pool) -> list[Accuracy]:
    """Fit reward models to comparisons drawn at random, and score each on the held-out ones."""
    features, unseen = training.features.flatten(0, 1), held_out.features.flatten(0, 1)
    rng, found = generator(2), []
    for size in SIZES:
        shares = []
        for _ in range(DRAWS):
            drawn = torch.randperm(len(task.judged.preferred), generator=rng)[:size]
            model = fit_reward_model(features, task.judged.at(drawn), features)
            preferred, rejected = (model.scores(unseen[places]) for places in task.held_out)
            shares.append(round(agreement(preferred, rejected), 4))
        found.append(Accuracy(size, tuple(shares)))
    return found


def best_of(task: Task, held_out: Pool, reward: str) -> list[BestOf]:
    """Return what the best of n is worth, chosen by the reward model or by the rule."""
    by_rule = (
        held_out.judged(task.rewarding.rule) - task.rewarding.mean
    ) / task.rewarding.deviation
    by_model = task.model.rewards(held_out.features).double()
    chosen_by = by_model if reward == REWARD_MODEL else by_rule

    def mean(values: Tensor, n: int) -> float:
        return round(float(best_of_n_mean(chosen_by, values, n).mean()), 4)

    return [BestOf(n, round(best_of_n_kl(n), 4), mean(by_rule, n), mean(by_model, n)) for n in NS]


def pairs_for_dpo(task: Task, training: Pool) -> PreferencePairs:
    """Return the texts of the 400 comparisons that the reward model learns from, too."""
    tokens = training.tokens.flatten(0, 1)
    return PreferencePairs(*(tokens[places] for places in task.judged.first(N_COMPARISONS)))


def evaluated_at(config: TuningConfig) -> tuple[int, ...]:
    """Return after how many batches a prepared tuning is evaluated."""
    return tuple(sorted({max(1, round(config.steps * share)) for share in _EVALUATED}))


def tune(
    writer: TransformerLanguageModel, config: TuningConfig, task: Task, training: Pool
) -> Iterator[tuple[Evaluation, Tuning]]:
    """Tune the writer, and yield it whenever it is evaluated, before the first step too."""
    pairs = pairs_for_dpo(task, training) if config.method == DPO else None
    rewarding = task.rewarded_with(config.reward)
    tuning = Tuning(writer, config, rewarding, pairs)
    yield evaluate_writer(tuning.policy, writer, rewarding, task.model, step=0), tuning
    steps = evaluated_at(config)
    for step in tuning:
        if step.step in steps:
            yield (
                evaluate_writer(tuning.policy, writer, rewarding, task.model, step=step.step),
                tuning,
            )


def rules() -> tuple[Rule, ...]:
    """Return the rules in the order in which they are offered."""
    return tuple(RULES.values())
