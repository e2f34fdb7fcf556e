"""What is tuned in the experiment: tasks, methods, numbers of labelled examples, and how long."""

from dataclasses import dataclass

from lm_core.errors import SettingError, require_fields_at_least_1, require_positive
from lm_core.models.task_heads import SEQUENCE, SPAN, TOKENS

EXPERIMENT = "fine-tuning"
ENCODER = "book-masked-transformer"
"""The shipped masked language model that has read the book first."""
CAUSAL = "book-subword-transformer"
"""The shipped causal model of the same sizes and subwords, for GPT's recipe."""

SCRATCH, FROZEN, TUNED, LORA = "from scratch", "frozen", "fine-tuned", "LoRA"
METHODS = (SCRATCH, FROZEN, TUNED, LORA)

AUTHOR, PAIR, TAG, SPEAKER = "author", "next sentence", "part of speech", "speaker"
KIND = {AUTHOR: SEQUENCE, PAIR: SEQUENCE, TAG: TOKENS, SPEAKER: SPAN}
"""What is asked of a text in each task."""
TASKS = tuple(KIND)

STEPS = {10: 40, 30: 40, 100: 60, 300: 100, 1_000: 160, 3_000: 200, 10_000: 320}
"""Optimizer steps by number of labelled examples, the same for every method."""
SIZES = tuple(STEPS)

LEARNING_RATES = {SCRATCH: 1e-3, FROZEN: 3e-2, TUNED: 5e-4, LORA: 2e-3}
"""Highest of Adam's: chosen on training texts, see `lm_core.experiments.fine_tuning.study.compare_rates`."""


def steps_for(n_labelled: int) -> int:
    """Return the optimizer steps for a number of labelled examples: those of the next size in `STEPS`.

    Examples
    --------
    >>> steps_for(10), steps_for(20), steps_for(50_000)
    (40, 40, 320)
    """
    return next((STEPS[size] for size in SIZES if size >= n_labelled), STEPS[SIZES[-1]])


@dataclass(frozen=True)
class FineTuningConfig:
    """Settings of one tuning."""

    task: str
    """Of `TASKS`."""
    method: str
    """Of `METHODS`."""
    n_labelled: int
    """Examples that are learned from."""
    seed: int = 0
    """Draws the examples, the new layer, all new weights and the batches."""
    steps: int | None = None
    """None for `steps_for` the examples."""
    learning_rate: float | None = None
    """Adam's highest, after a tenth of the steps; None for the method's own."""
    rank: int = 8
    """Of LoRA's updates."""
    batch: int = 32
    """Examples a step; all of them if there are fewer."""
    dtype: str = "bfloat16"
    """``float32`` or ``bfloat16``: arithmetic of the encoder."""

    def __post_init__(self) -> None:
        known = (("task", TASKS), ("method", METHODS), ("dtype", ("float32", "bfloat16")))
        for name, values in known:
            if getattr(self, name) not in values:
                raise SettingError(f"{name} must be one of {values}, got {getattr(self, name)!r}")
        require_fields_at_least_1(self, "n_labelled n_steps rank batch")
        require_positive(learning_rate=self.peak)

    @property
    def n_steps(self) -> int:
        """Optimizer steps."""
        return steps_for(self.n_labelled) if self.steps is None else self.steps

    @property
    def peak(self) -> float:
        """Highest learning rate."""
        given = self.learning_rate
        return LEARNING_RATES[self.method] if given is None else given
