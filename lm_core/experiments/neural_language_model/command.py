"""Train Bengio's model on names, in all sizes and from three starts; or on the words of the book."""

import argparse
import math
from dataclasses import asdict
from pathlib import Path

import torch
from torch import Tensor

from lm_core.experiments.neural_language_model.results import collect
from lm_core.experiments.neural_language_model.study import (
    TrainedNetwork,
    carry_out_or_read,
    letter_maps,
    sizes_of_the_grid,
    starts,
)
from lm_core.experiments.neural_language_model.training import MLPTrainingConfig
from lm_core.experiments.neural_language_model.word_results import (
    COUNTS_STORAGE,
    NETWORK_STORAGE,
    WordResults,
)
from lm_core.experiments.neural_language_model.words import (
    TRAINING,
    WordLosses,
    count_words,
    divided_words,
    score_words,
    train_on_words,
)
from lm_core.results import provenance
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import require, sha256_of
from lm_core.text.names import NameSplit, load_names, split_names
from lm_core.text.training_text import load_body
from lm_core.training.weight_storage import StoredModel

HELP = "train Bengio's model on names, in all sizes and from three starts, or on words of the book"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--runs",
        type=Path,
        default=Path("runs/neural-language-model"),
        help="folder that keeps each training: what it holds is not trained again",
    )
    parser.add_argument(
        "--words", action="store_true", help="train on the words of the book, not on names"
    )
    parser.add_argument("--out", type=Path, help="file to write (default: the shipped results)")


def run(arguments: argparse.Namespace) -> None:
    """Print a row for each training, then write them all."""
    torch.set_num_threads(1)
    if arguments.words:
        _words().save(arguments.out)
    else:
        _names(arguments)


def _words() -> WordResults:
    divided = divided_words(load_body())
    trained, counts = train_on_words(divided.train), count_words(divided)
    losses = score_words(divided, trained.network, counts)
    made = provenance(
        device="cpu",
        seconds=trained.seconds,
        corpus=WAR_AND_PEACE.name,
        corpus_sha256=sha256_of(require(WAR_AND_PEACE.name)),
        training=asdict(TRAINING),
        learned_from=len(divided.train),
        held_out=len(divided.held_out),
        unknown=round(float((divided.held_out == 1).mean()), 4),
    )
    print(_row_of_words(losses, trained.seconds))
    return WordResults(
        made,
        divided.vocabulary,
        StoredModel.of(trained.network, NETWORK_STORAGE),
        StoredModel.of(counts, COUNTS_STORAGE),
        losses,
    )


def _row_of_words(losses: WordLosses, seconds: float) -> str:
    counted = " ".join(f"{math.exp(loss):.1f}" for loss in losses.kneser_ney)
    return (
        f"perplexity of the network {math.exp(losses.network):.1f} after {seconds:.0f} s, of"
        f" Kneser-Ney with 0, 1, ... words {counted}, as shipped"
        f" {math.exp(losses.shipped_counts):.1f}, of both {math.exp(losses.mixture):.1f};"
        f" difference {losses.difference:.4f} ± {losses.standard_error:.4f} nats"
    )


def _names(arguments: argparse.Namespace) -> None:
    split = split_names(load_names())
    print("context embedding hidden start         seed     train  validation  test    seconds")
    of_starts, of_maps, grid = (
        [_carried_out(arguments.runs, config, split) for config in configs]
        for configs in (starts(), letter_maps(), sizes_of_the_grid())
    )
    collect(of_starts, of_maps, grid, split).save(arguments.out)


def _carried_out(
    folder: Path, config: MLPTrainingConfig, split: NameSplit
) -> tuple[TrainedNetwork, dict[str, Tensor]]:
    trained, tensors = carry_out_or_read(folder, config, split)
    print(_row(trained), flush=True)
    return trained, tensors


def _row(trained: TrainedNetwork) -> str:
    n = trained.config.network
    return (
        f"{n.context_size:7} {n.embedding_size:9} {n.hidden_size:6} {n.initialisation:<13}"
        f" {trained.config.seed:4} {trained.train:9.4f} {trained.validation:11.4f}"
        f" {trained.test:7.4f} {trained.seconds:8.1f}"
    )
