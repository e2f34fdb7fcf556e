"""Train the network that the page at /counting opens on, and keep it after every epoch."""

import argparse
import time
from dataclasses import replace

import torch

from lm_core.experiments.counting.results import CONFIG, CountingResults
from lm_core.experiments.counting.training import train_counting

HELP = "train the small network that learns to count"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    CountingResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Train, write all epochs, and print the last one's loss."""
    torch.set_num_threads(1)
    for _ in train_counting(replace(CONFIG, epochs=1)):
        pass  # torch's first optimizer loads its compiler, which takes longer than the training
    started = time.thread_time()
    epochs = tuple(train_counting(CONFIG))
    CountingResults.of(epochs, time.thread_time() - started).save(arguments.out)
    print(f"{epochs[-1].loss:.4f} nats per number in epoch {epochs[-1].epoch}: {arguments.out}")
