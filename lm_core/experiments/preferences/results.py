"""The results of teaching preferences: read and written here, and nowhere else."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lm_core.errors import ResultError, SettingError, ShapeError
from lm_core.experiments.preferences import study
from lm_core.experiments.preferences.comparisons import Pool
from lm_core.experiments.preferences.evaluation import Evaluation
from lm_core.experiments.preferences.prompts import HELD_OUT, TRAINING
from lm_core.experiments.preferences.rules import RULES
from lm_core.experiments.preferences.settings import EXPERIMENT, REWARDS, TuningConfig
from lm_core.models.reward_model import RewardModel
from lm_core.results import (
    Results,
    load_with_weights,
    provenance,
    results_path,
    save_with_weights,
    tensors_below,
)

SHIPPED = results_path(EXPERIMENT)
N_PAIRS = 300
"""Pairs that are shipped for voting; the first half to vote on, the other half is held out."""
_RUN, _MODEL, _BEST = "run", "reward_model", "candidate_rewards"
_TOKENS, _FEATURES = "tokens", "features"


@dataclass(frozen=True)
class TunedWriter:
    """One tuning, and what came of it.

    Attributes
    ----------
    config : TuningConfig
    points : tuple of Evaluation
        From before the first step to the last.
    matrices : dict of str to Tensor
        The low-rank updates at the end, as `lm_core.models.low_rank.thin_matrices` names them.
    seconds : float
        Processor time, evaluations included.
    """

    config: TuningConfig
    points: tuple[Evaluation, ...]
    matrices: dict[str, Tensor]
    seconds: float


@dataclass(frozen=True)
class Pair:
    """Two continuations of one beginning."""

    prompt: str
    left: str
    right: str


@dataclass(frozen=True)
class RuleResults:
    """What was measured for one rule.

    Attributes
    ----------
    mean, deviation : float
        Of the rule's scores of the writer's own texts.
    n_judged : int
        Pairs of the training pool whose texts the rule tells apart, of `n_pairs`.
    n_pairs : int
    accuracies : tuple of study.Accuracy
        Of reward models, by number of comparisons.
    best_of : dict of str to tuple of study.BestOf
        By what the best is chosen with.
    model : RewardModel
        Of 400 comparisons.
    """

    mean: float
    deviation: float
    n_judged: int
    n_pairs: int
    accuracies: tuple[study.Accuracy, ...]
    best_of: dict[str, tuple[study.BestOf, ...]]
    model: RewardModel


@dataclass(frozen=True)
class PreferenceResults:
    """Everything that the page shows.

    Attributes
    ----------
    provenance : dict
    rules : dict of str to RuleResults
    tuned : tuple of TunedWriter
    pairs : tuple of Pair
        `N_PAIRS` of them.
    tokens : int64 Tensor of shape (N_PAIRS, 2, 4 + L)
        Beginning and continuation, left and right.
    features : Tensor of shape (N_PAIRS, 2, D)
        Of the continuations.
    candidates : dict of str to tuple of str
        Continuations of each held-out beginning, among which best-of-n chooses.
    candidate_rewards : dict of str to Tensor of shape (beginnings, continuations)
        By the reward model of each rule.
    """

    provenance: dict[str, Any]
    rules: dict[str, RuleResults]
    tuned: tuple[TunedWriter, ...]
    pairs: tuple[Pair, ...]
    tokens: Tensor
    features: Tensor
    candidates: dict[str, tuple[str, ...]]
    candidate_rewards: dict[str, Tensor]

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
            torch.stack([training.tokens[p, i : i + 2] for p, i in places]),
            torch.stack([features[p, i : i + 2] for p, i in places]),
            dict(zip(HELD_OUT, held_out.texts, strict=True)),
            {name: task.model.rewards(held_out.features) for name, task in tasks.items()},
        )

    def save(self, path: Path) -> None:
        """Write the results, and the tensors beside them."""
        weights = {_TOKENS: self.tokens.short(), _FEATURES: self.features.half()}
        for name, measured in self.rules.items():
            weights[f"{_MODEL}.{name}"] = measured.model.weights.float()
            weights[f"{_BEST}.{name}"] = self.candidate_rewards[name].half()
        for number, run in enumerate(self.tuned):
            weights |= {f"{_RUN}.{number}.{name}": m for name, m in run.matrices.items()}
        data = {
            "rules": {name: _rule_record(measured) for name, measured in self.rules.items()},
            "tuned": [_run_record(run) for run in self.tuned],
            "pairs": [[pair.prompt, pair.left, pair.right] for pair in self.pairs],
            "candidates": self.candidates,
        }
        save_with_weights(path, Results(EXPERIMENT, self.provenance, data), weights)


def load_results(path: Path = SHIPPED) -> PreferenceResults:
    """Read what `PreferenceResults.save` wrote.

    Raises
    ------
    ResultError
        If a file is missing, damaged or of another version.
    """
    results, stored = load_with_weights(path, EXPERIMENT)
    try:
        data = results.data
        return PreferenceResults(
            results.provenance,
            {n: _rule(r, stored[f"{_MODEL}.{n}"]) for n, r in data["rules"].items() if n in RULES},
            tuple(
                _tuned(record, tensors_below(stored, f"{_RUN}.{number}."))
                for number, record in enumerate(data["tuned"])
            ),
            tuple(Pair(*texts) for texts in data["pairs"]),
            stored[_TOKENS].long(),
            stored[_FEATURES].float(),
            {prompt: tuple(texts) for prompt, texts in data["candidates"].items()},
            {name: stored[f"{_BEST}.{name}"].float() for name in data["rules"]},
        )
    except (KeyError, TypeError, ValueError, AttributeError, SettingError, ShapeError) as error:
        raise ResultError(
            f"{path.name} must hold rules, tunings and pairs: {error!r}; python -m lm_core"
            f" experiment {EXPERIMENT} makes it"
        ) from error


def save_tuned(path: Path, run: TunedWriter) -> None:
    """Write one tuning into a file of its own."""
    made = provenance(device="cpu", seconds=run.seconds)
    save_with_weights(path, Results(EXPERIMENT, made, _run_record(run)), run.matrices)


def load_tuned(path: Path, config: TuningConfig) -> TunedWriter:
    """Read what `save_tuned` wrote.

    Raises
    ------
    ResultError
        If it is of other settings, missing or damaged.
    """
    results, matrices = load_with_weights(path, EXPERIMENT)
    run = _tuned(results.data, matrices)
    if run.config != config:
        raise ResultError(f"{path} is a tuning of other settings: remove it to make it anew")
    return run


def _run_record(run: TunedWriter) -> dict[str, Any]:
    points = [list(point) for point in run.points]
    return {"config": asdict(run.config), "points": points, "seconds": run.seconds}


def _tuned(record: dict[str, Any], matrices: dict[str, Tensor]) -> TunedWriter:
    points = tuple(
        Evaluation._make([*numbers, tuple((prompt, text) for prompt, text in texts)])
        for *numbers, texts in record["points"]
    )
    return TunedWriter(TuningConfig(**record["config"]), points, matrices, record["seconds"])


def _rule_record(measured: RuleResults) -> dict[str, Any]:
    record = asdict(measured)
    del record["model"]
    return record | {"model_mean": measured.model.mean, "model_deviation": measured.model.deviation}


def _rule(record: dict[str, Any], weights: Tensor) -> RuleResults:
    return RuleResults(
        record["mean"],
        record["deviation"],
        record["n_judged"],
        record["n_pairs"],
        tuple(study.Accuracy(*entry) for entry in record["accuracies"]),
        {
            reward: tuple(study.BestOf(*entry) for entry in entries)
            for reward, entries in record["best_of"].items()
        },
        RewardModel(weights, record["model_mean"], record["model_deviation"]),
    )
