"""Many batches, one after another: what is missing from a file of results is trained."""

from collections.abc import Callable, Iterator, Sequence

import torch

from lm_core.experiments.rnn_vs_lstm.protocols import protocol_settings
from lm_core.experiments.rnn_vs_lstm.results import RecallResult, RecallResults
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.rnn_vs_lstm.training import RecallStep, RecallTraining

NETWORKS_AT_ONCE = 16
"""Enough to make the cost of a call negligible, few enough for their states to stay in the cache."""
SHUFFLED_FROM = 5
"""Seed of the random symbols on which trained networks are tried."""


def missing_batches(
    results: RecallResults, models: Sequence[str], lengths: Sequence[int], seeds: Sequence[int]
) -> list[RecallSettings]:
    """Return how to train what the results do not have yet, in batches of similar networks.

    Raises
    ------
    SettingError
        If a model is unknown, or a length or seed is out of its range.
    """
    batches = []
    for model in models:
        wanted = protocol_settings(results.protocol, model, lengths, seeds[:1])
        n_seeds = max(1, NETWORKS_AT_ONCE // len(wanted.lengths))
        for some in (seeds[k : k + n_seeds] for k in range(0, len(seeds), n_seeds)):
            # A batch is lengths x seeds; lengths with other seeds missing go into another batch.
            by_missing: dict[tuple[int, ...], list[int]] = {}
            for length in wanted.lengths:
                absent = tuple(s for s in some if not results.has(model, length, s))
                by_missing.setdefault(absent, []).append(length)
            batches += [
                protocol_settings(results.protocol, model, group, absent)
                for absent, group in by_missing.items()
                if absent
            ]
    return batches


def train_batch(
    settings: RecallSettings,
    device: torch.device,
    watch: Callable[[RecallStep], None] = lambda step: None,
) -> Iterator[RecallResult]:
    """Train a batch to its end and return one result a network."""
    training = RecallTraining(settings, device=device)
    for step in training:
        watch(step)
    return recall_results(training, step)


def recall_results(training: RecallTraining, last: RecallStep) -> Iterator[RecallResult]:
    """Return what the networks have come to by their last step.

    Seconds are shared out by length, since that is what the time goes with.
    """
    settings = training.settings
    shuffled = training.networks.accuracies(SHUFFLED_FROM).tolist()
    n_symbols = sum(length for length, _ in settings.networks)
    for network, accuracy, other in zip(settings.networks, last.accuracies, shuffled, strict=True):
        length, seed = network
        seconds = round(last.seconds * length / n_symbols, 3)
        yield RecallResult(
            settings.model, length, seed, round(accuracy, 6), round(other, 6), seconds
        )
