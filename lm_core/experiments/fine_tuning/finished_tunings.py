"""What a folder of finished tunings holds: a line for each point, and the adapters."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import safetensors.torch

from lm_core.experiments.fine_tuning import study
from lm_core.experiments.fine_tuning.labelled_texts import Task
from lm_core.experiments.fine_tuning.results import Adapter
from lm_core.experiments.fine_tuning.settings import LORA, FineTuningConfig
from lm_core.experiments.fine_tuning.study import Point
from lm_core.experiments.fine_tuning.training import FineTuning, learned_weights
from lm_core.experiments.masked_language_model.segments import Segments
from lm_core.files import write_whole
from lm_core.models.masked_language_model import MaskedLanguageModel

POINTS, RATES, AUXILIARY = "points.jsonl", "rates.jsonl", "auxiliary.jsonl"


def tune_once(
    encoder: MaskedLanguageModel, config: FineTuningConfig, task: Task, book: Segments, runs: Path
) -> None:
    """Carry out one tuning, unless its point is there."""
    key = (config.task, config.method, config.n_labelled, config.seed)
    if key in {point[:4] for point in records_of(runs / POINTS, Point)}:
        return
    began = time.process_time()
    tuning = FineTuning(encoder, config, task.training, len(task.labels))
    for _ in tuning:
        pass
    point = study.score(tuning, task, book, time.process_time() - began)
    if config.method == LORA and config.seed == 0:
        halved = {n: w.half() for n, w in learned_weights(tuning.model).items()}
        write_whole(
            _adapter_file(runs, config.task, config.n_labelled), safetensors.torch.save(halved)
        )
    append(runs / POINTS, [point])


def append(path: Path, records: Iterator[Any] | Sequence[Any]) -> None:
    """Write records below those of a file, a line each, as they come."""
    with path.open("a", buffering=1) as file:
        for record in records:
            file.write(f"{json.dumps(record)}\n")
            sys.stdout.write(f"{' '.join(map(str, record))}\n")
            sys.stdout.flush()


def records_of(path: Path, make: Callable[..., NamedTuple]) -> Iterator[Any]:
    """Yield the records of a file; none if there is no such file."""
    lines = path.read_text().splitlines() if path.exists() else ()
    return (make(*json.loads(line)) for line in lines)


def adapters_of(tasks: dict[str, Task], runs: Path) -> Iterator[Adapter]:
    """Yield the adapters that are shipped, of the fewest and of the most examples."""
    for name, task in tasks.items():
        for n_labelled in (study.SHIPPED_SIZE, study.sizes_of(len(task.training.lengths))[-1]):
            stored = _adapter_file(runs, name, n_labelled).read_bytes()
            yield Adapter(name, n_labelled, safetensors.torch.load(stored))


def _adapter_file(runs: Path, task: str, n_labelled: int) -> Path:
    return runs / f"{task.replace(' ', '-')}-{n_labelled}.safetensors"
