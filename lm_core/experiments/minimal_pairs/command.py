"""Which of two sentences does a model find likelier, the English one or the other? By phenomenon."""

import argparse
import time

import torch

from lm_core.experiments.minimal_pairs.benchmark import load_kinds
from lm_core.experiments.minimal_pairs.measuring import share_right
from lm_core.experiments.minimal_pairs.results import (
    PHENOMENA,
    PUBLISHED,
    PUBLISHED_OVERALL,
    KindScore,
    MeanShare,
    MinimalPairResults,
    Published,
)
from lm_core.results import provenance
from lm_core.training.checkpoints import folder_of, list_language_models, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of

HELP = "score language models on minimal pairs of sentences"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "models", nargs="*", help="shipped names or folders (default: all that read the book)"
    )
    parser.add_argument("--pairs", type=int, help="of each kind, the first ones (default: all)")
    MinimalPairResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a table and save a row for each model and kind; models not named keep the rows that they have."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    kinds = load_kinds(arguments.pairs)
    names = arguments.models or [m.name for m in list_language_models() if not m.snapshot_of]
    kept = (
        MinimalPairResults.load(arguments.out).scores
        if arguments.models and arguments.out.exists()
        else ()
    )
    scores: list[KindScore] = []
    for name in names:
        model, meta = load_checkpoint(folder_of(name))
        vocabulary = vocabulary_of(meta)
        for kind in kinds:
            right = round(share_right(model, vocabulary, kind.pairs), 4)
            scores.append(KindScore(meta.name, kind.name, kind.phenomenon, right, len(kind.pairs)))
    scored = {score.model for score in scores}
    results = MinimalPairResults(
        provenance(device="cpu", seconds=time.perf_counter() - started, pairs=arguments.pairs),
        (*(score for score in kept if score.model not in scored), *scores),
    )
    _print_table(results, sorted(scored))
    results.save(arguments.out)


def _print_table(results: MinimalPairResults, models: list[str]) -> None:
    """Print a line for each phenomenon: our models, then the paper's, then people."""
    found = [results.by_phenomenon(name) for name in models]
    print(f"{'':<28}" + "".join(f"{name:>26}" for name in [*models, *Published._fields]))
    for name, title in PHENOMENA.items():
        ours = [shares[name] for shares in found if name in shares]
        if ours:
            _print_row(title, ours, PUBLISHED[name])
    _print_row("all kinds", [results.overall(name) for name in models], PUBLISHED_OVERALL)


def _print_row(title: str, ours: list[MeanShare], theirs: Published) -> None:
    shares = [f"{share.right:.1%} ± {share.standard_error:.1%}" for share in ours]
    print(f"{title:<28}" + "".join(f"{s:>26}" for s in [*shares, *(f"{t:.1%}" for t in theirs)]))
