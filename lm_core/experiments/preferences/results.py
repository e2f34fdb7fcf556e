"""The results of teaching preferences."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from lm_core.errors import ResultError
from lm_core.experiments.preferences import study
from lm_core.experiments.preferences.comparisons import Pool
from lm_core.experiments.preferences.evaluation import Evaluation
from lm_core.experiments.preferences.prompts import HELD_OUT, TRAINING
from lm_core.experiments.preferences.settings import EXPERIMENT, REWARDS, TuningConfig
from lm_core.models.low_rank import thin_matrices
from lm_core.models.reward_model import RewardModel
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import Count, NonNegative, Recorded, StoredTensor, provenance

N_PAIRS = 300
"""Pairs that are shipped for voting; the first half to vote on, the other half is held out."""


@dataclass(frozen=True)
class TunedWriter:
    """One tuning, and what came of it."""

    config: TuningConfig
    points: tuple[Evaluation, ...]  # from before the first step to the last
    matrices: dict[str, StoredTensor]  # low-rank updates, as `low_rank.thin_matrices` names them
    seconds: NonNegative  # of the processor, evaluations included


class Pair(NamedTuple):
    """Two continuations of one beginning."""

    prompt: str
    left: str
    right: str


@dataclass(frozen=True)
class RuleResults:
    """What was measured for one rule."""

    mean: float  # of the rule's scores of the writer's own texts
    deviation: float
    n_judged: Count  # pairs of the training pool whose texts the rule tells apart
    n_pairs: Count  # ... of so many
    accuracies: tuple[study.Accuracy, ...]  # of reward models, by number of comparisons
    best_of: dict[str, tuple[study.BestOf, ...]]  # by what the best is chosen with
    model: RewardModel  # of 400 comparisons


@dataclass(frozen=True)
class FinishedTuning(Recorded, name="preferences-tuning", experiment=EXPERIMENT):
    """One tuning in a file of its own, so that a study can go on."""

    run: TunedWriter

    @classmethod
    def once(
        cls,
        file: Path,
        writer: TransformerLanguageModel,
        config: TuningConfig,
        task: study.Task,
        training: Pool,
    ) -> TunedWriter:
        """Carry out a tuning to its end, or read it; ResultError if the file's is of other settings."""
        if not file.exists():
            began, points = time.process_time(), []
            matrices: dict[str, Tensor] = {}
            for evaluation, tuning in study.tune(writer, config, task, training):
                points.append(evaluation)
                matrices = thin_matrices(tuning.updates)
            seconds = round(time.process_time() - began, 1)
            halved = {name: matrix.half() for name, matrix in matrices.items()}
            run = TunedWriter(config, tuple(points), halved, seconds)
            cls(provenance(device="cpu", seconds=seconds), run).save(file)
        return cls.load(file).of(config)

    def of(self, config: TuningConfig) -> TunedWriter:
        """Return the tuning; ResultError if it is of other settings."""
        if self.run.config != config:
            raise ResultError("a tuning has other settings: remove its file to make it anew")
        return self.run


@dataclass(frozen=True)
class PreferenceResults(Recorded, name=EXPERIMENT):
    """Everything that the page shows."""

    rules: dict[str, RuleResults]
    tuned: tuple[TunedWriter, ...]
    pairs: tuple[Pair, ...]  # `N_PAIRS` of them
    tokens: StoredTensor  # beginning and continuation, left and right, int16 (N_PAIRS, 2, 4 + L)
    features: StoredTensor  # of the continuations, (N_PAIRS, 2, D) in half precision
    candidates: dict[str, tuple[str, ...]]  # by held-out beginning, for best-of-n to choose from
    candidate_rewards: dict[str, StoredTensor]  # by rule, of its reward model, (beginnings, texts)

    @classmethod
    def of_study(
        cls,
        made: dict[str, Any],
        tasks: Mapping[str, study.Task],
        pools: tuple[Pool, Pool],
        tuned: tuple[TunedWriter, ...],
    ) -> "PreferenceResults":
        """Measure what takes seconds, and put it together with the tunings."""
        training, held_out = pools
        rules = {
            name: RuleResults(
                round(task.rewarding.mean, 5),
                round(task.rewarding.deviation, 5),
                len(task.judged.preferred),
                training.tokens.shape[0] * training.tokens.shape[1] // 2,
                tuple(study.accuracies(task, training, held_out)),
                {reward: tuple(study.best_of(task, held_out, reward)) for reward in REWARDS},
                task.model,
            )
            for name, task in tasks.items()
        }
        n_each = -(-N_PAIRS // len(TRAINING))
        places = [(p, 2 * k) for k in range(n_each) for p in range(len(TRAINING))][:N_PAIRS]
        texts, features = training.texts, training.features
        return cls(
            made,
            rules,
            tuned,
            tuple(Pair(TRAINING[p], texts[p][i], texts[p][i + 1]) for p, i in places),
            torch.stack([training.tokens[p, i : i + 2] for p, i in places]).short(),
            torch.stack([features[p, i : i + 2] for p, i in places]).half(),
            dict(zip(HELD_OUT, held_out.texts, strict=True)),
            {name: task.model.rewards(held_out.features).half() for name, task in tasks.items()},
        )
