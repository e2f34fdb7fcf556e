"""Train transformers on short windows and read long ones; called again, it goes on where it stopped."""

from dataclasses import asdict, replace
from itertools import product

import torch

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.positional_encoding.beyond_length import (
    POSITIONS,
    SEEDS,
    TRAINED,
    TRAINING,
    read_beyond,
    train_reader,
)
from lm_core.experiments.positional_encoding.results import BeyondLengthResults
from lm_core.experiments.positional_encoding.scores_by_distance import learned_codes
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book


@experiment(
    "train transformers on windows of 64, and ask them at 512 positions", BeyondLengthResults
)
def run(report: Report) -> None:
    """Train what the results do not hold yet; each training is written as soon as it is over."""
    book, path = load_book(SOURCE), report.options.out
    validation = torch.from_numpy(book.validation)
    results = BeyondLengthResults.load(path) if path.exists() else None
    for seed, position in product(SEEDS, POSITIONS):
        known = results.of(position) if results else ()
        if any(reading.seed == seed for reading in known):
            continue
        model = train_reader(position, seed, book)
        reading = report(read_beyond(model, validation, seed))
        made = report.provenance(book, training=asdict(TRAINING))
        if results is None:  # the first kind is the learned one: its table is kept
            results = BeyondLengthResults(made, TRAINED, learned_codes(model), (reading,))
        else:
            seconds = made["seconds"] + results.provenance["seconds"]
            results = replace(
                results,
                provenance=results.provenance | {"seconds": seconds},
                readings=(*results.readings, reading),
            )
        results.save(path)
