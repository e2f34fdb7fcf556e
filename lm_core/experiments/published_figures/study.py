"""All repetitions, over seeds and restarts."""

import time
from collections.abc import Callable
from functools import partial

from torch import Generator

from lm_core.experiments.published_figures import repetitions, results
from lm_core.experiments.published_figures.repetitions import Permutation
from lm_core.results import provenance
from lm_core.rng import generator

SEEDS = range(20)
BLOB_SEEDS = range(200)
RESTARTS = range(1, 201)


def repeat(
    seeds: range = SEEDS, blob_seeds: range = BLOB_SEEDS, restarts: range = RESTARTS
) -> results.Repetitions:
    """Carry out every repetition.

    Parameters
    ----------
    seeds : range of int, of the trainings and of the compared layers
    blob_seeds : range of int, of drawn points, within 0..999
    restarts : range of int, on the irises, within 1..999
    """
    began = time.process_time()
    blobs = {
        name: tuple(repetitions.blob_errors(name, seed) for seed in blob_seeds)
        for name in (repetitions.BALANCED, repetitions.UNBALANCED)
    }
    compared: dict[str, Callable[[Generator], float]] = {
        results.RNN: repetitions.rnn_difference,
        results.LSTM: repetitions.lstm_difference,
        results.ONE_HEAD: partial(repetitions.attention_difference, 3, 1),
        results.TWO_HEADS: partial(repetitions.attention_difference, 4, 2),
    }
    permuted: dict[str, Callable[[Generator], Permutation]] = {
        results.ENCODER: repetitions.encoder_permutation,
        results.CROSS_ATTENTION: repetitions.cross_attention_permutation,
        results.TRANSFORMER: repetitions.transformer_permutation,
    }
    counting = tuple(repetitions.counting_losses(seed) for seed in seeds)
    iris = tuple(repetitions.iris_restart(number) for number in restarts)
    return results.Repetitions(
        provenance(device="CPU, 1 thread", seconds=time.process_time() - began),
        counting,
        iris,
        blobs,
        tuple(repetitions.temperature_distribution()),
        tuple(repetitions.worked_queries()),
        {name: tuple(f(generator(n)) for n in seeds) for name, f in compared.items()},
        {name: tuple(f(generator(n)) for n in seeds) for name, f in permuted.items()},
    )
