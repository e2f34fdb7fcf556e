"""Train CNNs and multilayer perceptrons of equal size on digits and on names, and score them."""

import argparse
import time
from dataclasses import asdict

import torch
from torch import Tensor

from lm_core.experiments.convolution.digits import MARGIN, load_digits, split_digits
from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import (
    CNN,
    DIGIT_NETWORKS,
    DIGIT_SEEDS,
    NAME_NETWORKS,
    NAME_SEEDS,
    STORAGE,
    DigitScore,
    NameScore,
    favourites,
    study_digits,
    study_names,
)
from lm_core.experiments.convolution.training import DIGIT_TRAINING, NAME_TRAINING, PLACES
from lm_core.models.character_cnn import CharacterCNN
from lm_core.models.image_networks import ImageNetwork
from lm_core.models.language_model import LanguageModel
from lm_core.results import provenance
from lm_core.text.names import NameSplit, load_names, split_names
from lm_core.training.weight_storage import stored_weights

HELP = "train CNNs and MLPs of equal size on digits and on names, and score them"

Digit = tuple[list[DigitScore], dict[tuple[str, str], ImageNetwork]]
Name = tuple[list[NameScore], dict[str, LanguageModel]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--digit-seeds", type=int, default=DIGIT_SEEDS)
    parser.add_argument("--name-seeds", type=int, default=NAME_SEEDS)
    ConvolutionResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a row for each training, then write them all."""
    torch.set_num_threads(1)
    names = split_names(load_names())  # first: without them nothing is trained in vain
    began = time.process_time()
    digits, digit_networks = _digits(arguments.digit_seeds)
    scores, models = _names(arguments.name_seeds, names)
    cnn = models[CNN]
    assert isinstance(cnn, CharacterCNN)
    made = provenance(
        device="cpu",
        seconds=time.process_time() - began,
        digits=asdict(DIGIT_TRAINING),
        names=asdict(NAME_TRAINING),
    )
    by_places: dict[str, dict[str, dict[str, Tensor]]] = {}
    for (name, places), network in digit_networks.items():
        by_places.setdefault(name, {})[places] = stored_weights(network, STORAGE)
    of_names = {name: stored_weights(model, STORAGE) for name, model in models.items()}
    favoured = favourites(cnn, names.train)
    ConvolutionResults(made, tuple(digits), tuple(scores), favoured, by_places, of_names).save(
        arguments.out
    )


def _digits(seeds: int) -> Digit:
    train, test = split_digits(load_digits())
    scores: list[DigitScore] = []
    networks: dict[tuple[str, str], ImageNetwork] = {}
    print("network              places   seed  parameters  centred  right by 1  by 2  seconds")
    for name in DIGIT_NETWORKS:
        for places in PLACES:
            for seed in range(seeds):
                score, network = study_digits(name, places, seed, train, test)
                scores.append(score)
                networks.setdefault((name, places), network)
                shares = "  ".join(f"{score.at(0, right):8.1%}" for right in range(MARGIN + 1))
                print(
                    f"{name:<20} {places:<8} {seed:4} {score.parameters:11,}  {shares}"
                    f"  {score.seconds:7.1f}",
                    flush=True,
                )
    return scores, networks


def _names(seeds: int, names: NameSplit) -> Name:
    scores: list[NameScore] = []
    models: dict[str, LanguageModel] = {}
    print("network  seed  parameters  train  validation  test  seconds")
    for name in NAME_NETWORKS:
        for seed in range(seeds):
            score, model = study_names(name, seed, names)
            scores.append(score)
            models.setdefault(name, model)
            print(
                f"{name:<8} {seed:4} {score.parameters:11,}  {score.train:.4f}"
                f"  {score.validation:.4f}  {score.test:.4f}  {score.seconds:6.1f}",
                flush=True,
            )
    return scores, models
