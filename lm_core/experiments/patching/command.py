"""Search pairs of prompts whose answer changes with one word, and map which cell of the stream decides it."""

import argparse
import time

from lm_core.experiments.patching.results import MODELS, PatchingResults
from lm_core.experiments.patching.search import search_with, told
from lm_core.results import provenance

HELP = "find pairs of prompts that differ in one word, and which cell of a transformer decides"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    models = "shipped names or folders (default: both writers)"
    parser.add_argument("models", nargs="*", default=MODELS, help=models)
    PatchingResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print what was tried and found by kind, each map, and where the answers are handed over; then write all."""
    started, searches = time.perf_counter(), []
    for name in arguments.models:
        searches.append(search_with(name))
        print(*told(searches[-1]), sep="\n", flush=True)
    made = provenance(device="cpu", seconds=time.perf_counter() - started)
    PatchingResults(made, tuple(searches)).save(arguments.out)
