"""Train the network that the page at /counting opens on, and keep it after every epoch."""

import time
from dataclasses import replace

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.counting.results import CONFIG, CountingResults
from lm_core.experiments.counting.training import train_counting


@experiment("train the small network that learns to count", CountingResults)
def run(report: Report) -> CountingResults:
    """Train, and say what each epoch's loss is."""
    for _ in train_counting(replace(CONFIG, epochs=1)):
        pass  # torch's first optimizer loads its compiler, which takes longer than the training
    started = time.thread_time()
    epochs = tuple(train_counting(CONFIG))
    report(f"{epochs[-1].loss:.4f} nats per number in epoch {epochs[-1].epoch}")
    return CountingResults.of(epochs, time.thread_time() - started)
