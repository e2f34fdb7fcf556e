"""A measurement on this server, in progress or finished."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from lm_core.experiments.attention_cost.measurement import AttentionCost, GenerationCost
from pages.shared.turns import model_calls

_SECONDS_A_TICK = 0.3
_NO_MEMORY = (
    "This server ran out of memory at the next length, so the chart shows what was measured until"
    " then. Measure again when fewer visitors and trainings share the server."
)


@dataclass
class Measuring:
    """One visitor's measurement, in progress or finished."""

    records: Iterator[AttentionCost | GenerationCost]
    found: list[AttentionCost | GenerationCost] = field(default_factory=list)
    is_running: bool = True
    message: str = ""

    def go_on(self) -> None:
        """Measure for a moment; at least one record."""
        until = time.monotonic() + _SECONDS_A_TICK
        while self.is_running:
            try:
                with model_calls:
                    record = next(self.records, None)
            except (MemoryError, RuntimeError):  # torch raises the latter for too little memory
                record, self.message = None, _NO_MEMORY
            if record is None:
                self.is_running = False
                return
            self.found.append(record)
            if time.monotonic() >= until:
                return
