"""All that is measured of attention: every method by length, and what approximations cost a model."""

import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from lm_core.analysis.approximate_attention import with_kernel, with_window
from lm_core.experiments.attention_cost.measurement import (
    METHODS,
    AttentionCost,
    GenerationCost,
    LayerSizes,
    measure_attention,
    measure_generation,
)
from lm_core.experiments.attention_cost.results import Approximation
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.evaluation import cold_window_losses

LENGTHS = (64, 128, 256, 512, 1024, 2048, 4096, 8192)
GENERATION_LENGTHS = (64, 128, 256, 512, 1024)
GENERATION_MODEL = TransformerLanguageModelConfig(vocabulary_size=70, width=128, heads=4, layers=4)
"""The model whose next character is timed."""

COMPARED_LENGTH = 1024
EVALUATED_CHARACTERS = 65_536
SIZES = {METHODS[2]: (2, 4, 8, 16, 32, 64), METHODS[3]: (16, 32, 64, 128, 256, 512)}
"""Windows, and numbers of features: larger ones are closer to exact attention, and slower."""


def measure_all(
    lengths: Sequence[int] = LENGTHS,
    generation_lengths: Sequence[int] = GENERATION_LENGTHS,
    **limits: Any,
) -> Iterator[AttentionCost | GenerationCost]:
    """Measure all methods, then one more character, one record at a time.

    Parameters
    ----------
    **limits
        Of `measure_attention`: rounds, byte_limit, second_limit.
    """
    yield from measure_attention(lengths, generator(0), **limits)
    yield from measure_generation(
        GENERATION_MODEL, generation_lengths, generator(0), rounds=limits.get("rounds", 3)
    )


def measure_approximations(
    model: TransformerLanguageModel, tokens: Tensor, *, rounds: int = 7
) -> Iterator[Approximation]:
    """Put approximate attention into a trained model and evaluate it, one record at a time.

    Parameters
    ----------
    model : TransformerLanguageModel, in evaluation mode
    tokens : int64 Tensor of shape (N,), evaluated on in cold windows as long as the model's context
    rounds : int, of the measurement of time
    """
    for method, sizes in SIZES.items():
        for size in sizes:
            if method == METHODS[2]:
                layer, changed = LayerSizes(window=size), with_window(model, size)
            else:
                layer = LayerSizes(n_features=size)
                changed = with_kernel(model, size, generator(0))
            methods = (method,)
            (cost,) = measure_attention(
                (COMPARED_LENGTH,), generator(0), methods=methods, sizes=layer, rounds=rounds
            )
            yield Approximation(method, size, cost.seconds, mean_loss(changed, tokens))


def mean_loss(model: TransformerLanguageModel, tokens: Tensor) -> float:
    """Return nats per character in cold windows as long as the model's context."""
    length = model.config.context
    return float(cold_window_losses(model, tokens, window=length, stride=length, batch=64).mean())


def processor_name() -> str:
    """Return the processor's name, as the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
