"""Search pairs of prompts whose answer changes with one word, and map which cell of the stream decides it."""

import argparse
import time

import torch

from lm_core.errors import SettingError
from lm_core.experiments.patching.results import MODELS, PatchingResults, Search
from lm_core.experiments.patching.search import search, told
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import provenance
from lm_core.training.checkpoints import folder_of, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of

HELP = "find pairs of prompts that differ in one word, and which cell of a transformer decides"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "models", nargs="*", default=MODELS, help="shipped names or folders (default: both writers)"
    )
    PatchingResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print what was tried and found by kind, each map, and where the answers are handed over; then write all."""
    torch.set_num_threads(1)
    started, searches = time.perf_counter(), []
    for name in arguments.models:
        model, meta = load_checkpoint(folder_of(name))
        if not isinstance(model, TransformerLanguageModel):
            raise SettingError(f"a model must be a transformer, got {meta.title}")
        searches.append(Search(meta.name, *search(model, vocabulary_of(meta))))
        print(*told(searches[-1]), sep="\n", flush=True)
    made = provenance(device="cpu", seconds=time.perf_counter() - started)
    PatchingResults(made, tuple(searches)).save(arguments.out)
