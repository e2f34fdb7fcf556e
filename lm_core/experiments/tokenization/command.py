"""Count the words of the book, and learn its subwords, for the pages on tokens; minutes of one core."""

import argparse
import time
from pathlib import Path

import numpy as np
import torch

from lm_core.experiments.tokenization.book_statistics import (
    BOOK_SUBWORDS,
    KNOWN_WORDS,
    MOST_MERGES,
    BookStatistics,
    count_units,
    count_words,
    ranked_counts,
)
from lm_core.experiments.tokenization.integer_inputs import InputLosses, input_losses, pair_counts
from lm_core.files import write_whole
from lm_core.results import provenance
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.corpora import require, sha256_of
from lm_core.text.tokenizers.byte_pair_training import even_sizes, train_counting_tokens
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from lm_core.text.training_text import load_body, load_book

HELP = "count the words of the book and learn its subwords"
_SHUFFLED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--results",
        type=Path,
        default=BookStatistics.shipped(),
        help="file to write (default: the shipped one)",
    )
    parser.add_argument(
        "--tokenizer",
        type=Path,
        default=BOOK_SUBWORDS,
        help="file to write (default: the shipped one)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Write both files; print what was counted."""
    torch.set_num_threads(1)
    begin = time.monotonic()
    text = load_body()
    tokenizer, sizes = train_counting_tokens(text, list(even_sizes(MOST_MERGES)))
    write_whole(arguments.tokenizer, to_tokenizer_json(tokenizer))
    for size in sizes:
        print(f"{size.vocabulary_size:6,} symbols  {size.n_tokens:9,} tokens", flush=True)
    ranked, vocabularies = count_words(text)
    inputs = _losses_by_input()
    print(f"next character: {inputs}")
    results = BookStatistics(
        provenance=provenance(
            device="cpu",
            seconds=time.monotonic() - begin,
            corpus=WAR_AND_PEACE.name,
            corpus_sha256=sha256_of(require(WAR_AND_PEACE.name)),
        ),
        n_characters=len(text),
        n_words=len(text.split()),
        sizes=sizes,
        units=count_units(text),
        words=tuple(word for word, _ in ranked[:KNOWN_WORDS]),
        ranked=ranked_counts([count for _, count in ranked]),
        vocabularies=vocabularies,
        inputs=inputs,
    )
    results.save(arguments.results)


def _losses_by_input() -> InputLosses:
    """Guess the book's next character from the last, numbered as in the vocabulary and shuffled."""
    counts = pair_counts(load_book(SOURCE).train, len(SOURCE))
    rng = np.random.default_rng(0)
    shuffled = [rng.permutation(len(SOURCE)) for _ in range(_SHUFFLED)]
    return input_losses(counts, [np.arange(len(SOURCE)), *shuffled])
