"""What attention cost on one machine: measured by a command, kept with its provenance.

python -m lm_core cost
"""

import json
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

from torch import Tensor

from lm_core.analysis.approximate_attention import with_kernel, with_window
from lm_core.assets import RESULTS
from lm_core.errors import ResultError
from lm_core.experiments.attention_cost.generation_cost import WritingCost, measure_writing
from lm_core.experiments.attention_cost.measure import METHODS, AttentionCost, measure_costs
from lm_core.files import write_whole
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.evaluation import cold_window_losses

SCHEMA = 1
SHIPPED = RESULTS / "attention-cost.json"

LENGTHS = (64, 128, 256, 512, 1024, 2048, 4096, 8192)
WRITING_LENGTHS = (64, 128, 256, 512, 1024)
HEADS, WIDTH, WINDOW, N_FEATURES = 4, 32, 128, 64
_SIZES_OF_ATTENTION = {
    "heads": HEADS,
    "width": WIDTH,
    "window": WINDOW,
    "n_features": N_FEATURES,
}
WRITER = TransformerLanguageModelConfig(vocabulary_size=70, width=128, heads=4, layers=4)
"""Whose next character is timed."""

COMPARED_AT = 1024
SIZES = {METHODS[2]: (2, 4, 8, 16, 32, 64), METHODS[3]: (16, 32, 64, 128, 256, 512)}
"""Windows, and numbers of features: more is nearer to exact attention, and slower."""


class Approximation(NamedTuple):
    """One way to come near to exact attention.

    Attributes
    ----------
    method : str
        The local window, or the linear kernel.
    size : int
        The window in tokens, or the number of features.
    seconds : float
        As in an `AttentionCost`, at length `COMPARED_AT`.
    loss : float
        Nats per character of a trained model with this in place of its own attention.
    """

    method: str
    size: int
    seconds: float
    loss: float


@dataclass(frozen=True)
class CostResults:
    """All that was measured on a machine.

    Attributes
    ----------
    costs : tuple of AttentionCost
        Of all methods, by length.
    approximations : tuple of Approximation
    exact_loss : float
        Of the same model with its own attention.
    model : str
        Title of that model.
    writing : tuple of WritingCost
    machine, date, torch : str
        Where, when and with which version.
    """

    costs: tuple[AttentionCost, ...]
    approximations: tuple[Approximation, ...]
    exact_loss: float
    model: str
    writing: tuple[WritingCost, ...]
    machine: str
    date: str
    torch: str


def plan(
    lengths: Sequence[int] = LENGTHS,
    writing_lengths: Sequence[int] = WRITING_LENGTHS,
    **limits: float,
) -> Iterator[AttentionCost | WritingCost]:
    """Measure all methods, then one more character, one record at a time.

    Parameters
    ----------
    lengths, writing_lengths : ints
    **limits
        Of `measure_costs`: rounds, byte_limit, second_limit.
    """
    yield from measure_costs(lengths, generator(0), **_SIZES_OF_ATTENTION, **limits)
    yield from measure_writing(
        WRITER, writing_lengths, generator(0), rounds=int(limits.get("rounds", 3))
    )


def approximations(
    model: TransformerLanguageModel, tokens: Tensor, *, rounds: int = 7
) -> Iterator[Approximation]:
    """Put approximate attention into a trained model and see what it predicts, one record at a time.

    Parameters
    ----------
    model : TransformerLanguageModel
        In evaluation mode.
    tokens : int64 Tensor of shape (N,)
        Judged in cold windows as long as the model's context.
    rounds : int
        Of the measurement of time.
    """
    for method, sizes in SIZES.items():
        is_window = method == METHODS[2]
        for size in sizes:
            setting = {"window": size} if is_window else {"n_features": size}
            options = {"heads": HEADS, "width": WIDTH, "rounds": rounds, **setting}
            cost = next(measure_costs((COMPARED_AT,), generator(0), methods=(method,), **options))
            near = with_window(model, size) if is_window else with_kernel(model, size, generator(0))
            yield Approximation(method, size, cost.seconds, mean_loss_of(near, tokens))


def mean_loss_of(model: TransformerLanguageModel, tokens: Tensor) -> float:
    """Return nats per character in cold windows as long as the model's context."""
    length = model.config.context
    return float(cold_window_losses(model, tokens, window=length, stride=length, batch=64).mean())


def processor_name() -> str:
    """Return what the processor calls itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


def save_results(path: Path, results: CostResults) -> None:
    """Write a file of results, whole or not at all.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    record = {field.name: getattr(results, field.name) for field in fields(results)}
    write_whole(path, (json.dumps({"schema": SCHEMA, **record}) + "\n").encode())


def load_results(path: Path = SHIPPED) -> CostResults:
    """Read a file that `save_results` wrote.

    Raises
    ------
    ResultError
        If it is missing or of another schema.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.pop("schema") != SCHEMA:
            raise ResultError(f"{path} is of another schema than {SCHEMA}: measure it again")
        kinds = {"costs": AttentionCost, "approximations": Approximation, "writing": WritingCost}
        for name, kind in kinds.items():
            document[name] = tuple(kind(*row) for row in document[name])
        return CostResults(**document)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResultError(f"no readable results in {path}: {error}") from error
