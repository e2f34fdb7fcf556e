"""What a second processor brings to one training: `python -m tests.benchmarks.devices`.

The same run, batch and all, by one process and by two that share it; they take turns, and the ratio
is that of the medians. Rates are by the wall clock, so nothing else should run on the machine.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import contextlib
import statistics
import time
from dataclasses import replace
from functools import partial

import torch

from lm_core.experiments.war_and_peace.presets import DEEP, WIDE, WORDS
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.training.data_parallel import SharedTraining
from lm_core.training.language_modelling import Training
from lm_core.training.recipes import Recipe


def main() -> None:
    """Measure and print a line for each recipe."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="median of so many; default: 3")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each round; default: 5")
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    print("| recipe | one process, characters/s | two | speed-up |\n|---|---|---|---|")
    for recipe in (WORDS, DEEP, WIDE):
        rates = {n: [] for n in (1, 2)}
        for _ in range(parsed.rounds):
            for n_devices, measured in rates.items():
                measured.append(_rate(recipe, n_devices, parsed.seconds))
        one, two = (statistics.median(measured) for measured in rates.values())
        print(f"| {recipe.name} | {one:,.0f} | {two:,.0f} | {two / one:.2f} |", flush=True)


def _rate(recipe: Recipe, n_devices: int, seconds: float) -> float:
    """Return characters learned from in a second."""
    on_devices = partial(SharedTraining, n_devices=n_devices) if n_devices > 1 else Training
    text = torch.randint(0, recipe.model.vocabulary_size, (200_000,), generator=generator(0))
    config = replace(recipe.training, held_out=0.0)
    with contextlib.closing(on_devices(build(recipe.model), text, config)) as training:
        training.take_step()
        begin, first = time.perf_counter(), training.step
        while time.perf_counter() - begin < seconds:
            training.take_step()
        n_characters = (training.step - first) * config.batch * config.window
        return n_characters / (time.perf_counter() - begin)


if __name__ == "__main__":
    main()
