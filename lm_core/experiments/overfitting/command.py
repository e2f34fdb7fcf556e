"""Measure overfitting: by capacity, data and noise; double descent; the book; several processes."""

import argparse
import time
from dataclasses import replace

import torch

from lm_core.experiments.overfitting import book, speed_up, study
from lm_core.experiments.overfitting.results import OverfittingResults
from lm_core.results import provenance
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book

HELP = "measure overfitting by capacity, data, noise and time, and the speed of several processes"

MACHINES = (1, 2, 4)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--networks", type=int, default=study.NETWORKS, help="of each kind")
    parser.add_argument("--draws", type=int, default=study.DRAWS, help="of points to be fitted")
    parser.add_argument(
        "--steps", type=int, default=book.STEPS, help="of each training on the book"
    )
    parser.add_argument(
        "--speeds", action="store_true", help="only time the processes anew, on a quiet machine"
    )
    OverfittingResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a row for each thing measured, then write them all."""
    torch.set_num_threads(1)
    if arguments.speeds:
        before = OverfittingResults.load(arguments.out)
        made = before.provenance | {"speeds_date": provenance(device="cpu", seconds=0)["date"]}
        replace(before, provenance=made, speeds=_speeds()).save(arguments.out)
        return
    began = time.monotonic()
    text = load_book(SOURCE)
    speeds = _speeds()
    sweep = _sweep(arguments.networks)
    descents = tuple(study.descents(arguments.draws))
    print(f"double descent: {len(descents)} curves, {time.monotonic() - began:.0f} s", flush=True)
    curves = []
    print("on the book           training  validation  lowest  recited")
    for name in book.RUNS:
        curve = book.train_on_book(
            name,
            torch.from_numpy(text.train).long(),
            torch.from_numpy(text.validation).long(),
            len(text.vocabulary),
            arguments.steps,
        )
        curves.append(curve)
        print(
            f"{name:<21} {curve.training[-1]:8.3f}  {curve.validation[-1]:10.3f}"
            f"  {min(curve.validation):6.3f}  {curve.recited[-1]:7.1f}",
            flush=True,
        )
    made = provenance(
        device="cpu",
        seconds=time.monotonic() - began,
        corpus=text.corpus,
        corpus_sha256=text.sha256,
        networks=arguments.networks,
        draws=arguments.draws,
        steps=arguments.steps,
        seed=study.SEED,
    )
    OverfittingResults(made, sweep, descents, tuple(curves), speeds).save(arguments.out)


def _speeds() -> tuple[speed_up.Speed, ...]:
    print("processes  ms a step  in all-reduce  largest difference")
    speeds = speed_up.measure(MACHINES)
    for speed in speeds:
        print(
            f"{speed.machines:<10} {1e3 * speed.seconds:9.1f}  {1e3 * speed.talking:13.1f}"
            f"  {speed.difference:18.1e}",
            flush=True,
        )
    return tuple(speeds)


def _sweep(networks: int) -> tuple[study.SweepPoint, ...]:
    print("varied       value  remedy          training  validation")
    points = []
    for point in study.sweep(networks):
        points.append(point)
        print(
            f"{point.varied:<11} {point.value:6g}  {point.remedy:<14}  {point.training:8.3f}"
            f"  {point.validation:10.3f}",
            flush=True,
        )
    return tuple(points)
