"""A tuning as a run: queued, watched, stopped and resumed like any training."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch

from lm_core.errors import CheckpointError, SettingError
from lm_core.experiments.preferences.prompts import N_PROMPT, texts_of
from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.preferences.rules import RULES
from lm_core.experiments.preferences.settings import (
    DPO,
    EXPERIMENT,
    REWARD_MODEL,
    RULE,
    WRITER,
    TuningConfig,
)
from lm_core.experiments.preferences.tuning import Rewarding, Tuning
from lm_core.experiments.preferences.votes import (
    Vote,
    checked_votes,
    pairs_of,
    reward_model_of,
    rule_votes,
)
from lm_core.files import parse_record
from lm_core.jobs.experiment import Experiment, ExperimentKind
from lm_core.jobs.records import RunConfig
from lm_core.jobs.registry import register
from lm_core.models.low_rank import merge, thin_matrices
from lm_core.models.registry import build, config_from_dict
from lm_core.training.checkpoints import SHIPPED, load_shipped, read_meta, save_tuned

VOTES = "votes"
_N_SAMPLES = 4


class PreferenceExperiment(Experiment):
    """A writer that is being tuned, as a run sees it. It stays on the processor: its steps are small."""

    training: Tuning

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        settings, votes = tuning_config(config)
        results = PreferenceResults.load()
        writer = load_shipped(WRITER)
        if writer.meta.weights_sha256 != config.start_sha256:
            raise CheckpointError(f"{WRITER} has other weights than the run began with")
        self._before = writer.meta
        self.training = Tuning(
            writer.model.requires_grad_(False),
            settings,
            _rewarding(results, settings, votes),
            pairs_of(results, votes or rule_votes(results, settings.rule))
            if settings.method == DPO
            else None,
        )

    def sample(self) -> str:
        """Return how the writer goes on after some beginnings, as it is now."""
        tokens = self.training.write(_N_SAMPLES)
        beginnings, written = texts_of(tokens[:, :N_PROMPT]), texts_of(tokens[:, N_PROMPT:])
        return "\n\n".join(f"[{a}]{b}" for a, b in zip(beginnings, written, strict=True))

    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write the tuned writer, its updates merged, as a checkpoint below `root`."""
        del quick
        tuning, before, name = self.training, self._before, self._config.name
        model = build(config_from_dict(self._config.model))
        model.load_state_dict(tuning.reference.state_dict())
        merge(model, thin_matrices(tuning.updates))
        return save_tuned(
            root,
            model,
            before,
            name=name if is_last else f"{name}-step-{tuning.step}",
            title=self._config.title,
            seed=tuning.config.seed,
            steps=before.steps + tuning.step,
            seconds=round(before.seconds + tuning.seconds, 1),
            recipe=dict(self._config.training) | {"starts_from": before.recipe},
            snapshot_of=None if is_last else name,
            experiment=EXPERIMENT,
        )


def preference_run(settings: TuningConfig, votes: Sequence[Vote] = ()) -> RunConfig:
    """Return the run of a tuning; equal settings are the same run.

    Raises SettingError if a vote is impossible, and CheckpointError if the writer is not there.

    `votes`: sequence of Vote, what is learned from in place of the rule's judgements, if there are any.
    """
    meta = read_meta(SHIPPED / WRITER)
    judge = f"{len(votes)} votes" if votes else settings.rule
    learned = "" if settings.method == DPO else f", {settings.reward}"
    return RunConfig(
        name="tuned-writer",
        title=f"{settings.method} for {judge}{learned}, KL weight {settings.kl_weight:g}",
        model=meta.config,
        training=asdict(settings) | {VOTES: [list(vote) for vote in checked_votes(votes)]},
        corpus=meta.corpus,
        corpus_sha256=meta.corpus_sha256,
        vocabulary=meta.vocabulary,
        start=WRITER,
        start_sha256=meta.weights_sha256,
        experiment=EXPERIMENT,
    )


def tuning_config(config: RunConfig) -> tuple[TuningConfig, tuple[Vote, ...]]:
    """Return how a run tunes, and the votes that it learns from, if any.

    Raises SettingError if a field is unknown or out of its range.
    """
    fields = dict(config.training)
    votes = checked_votes(fields.pop(VOTES, []))
    try:
        settings = parse_record(TuningConfig, fields)
    except SettingError as error:
        raise SettingError(f"fields of TuningConfig do not match: {error}") from error
    if votes and settings.reward == RULE and settings.method != DPO:
        raise SettingError("votes need the reward model: there is no rule behind them")
    return settings, votes


def _rewarding(
    results: PreferenceResults, settings: TuningConfig, votes: Sequence[Vote]
) -> Rewarding:
    measured = results.rules[settings.rule]
    model = reward_model_of(results, votes) if votes else measured.model
    return Rewarding(
        RULES[settings.rule],
        measured.mean,
        measured.deviation,
        model if settings.reward == REWARD_MODEL else None,
    )


def _prepare(config: RunConfig, text: str | None, device: torch.device) -> PreferenceExperiment:
    del text, device  # pairs and prompts are shipped; so small a model is as quick without a GPU
    return PreferenceExperiment(config)


def _settled(config: RunConfig) -> RunConfig:
    settings, votes = tuning_config(config)
    return replace(config, training=asdict(settings) | {VOTES: [list(vote) for vote in votes]})


register(EXPERIMENT, ExperimentKind(_prepare, _settled, uses_cards=False))
