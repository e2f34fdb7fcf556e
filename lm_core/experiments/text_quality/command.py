"""What models write at each temperature, measured beside the part of the book that none has read."""

import argparse
import time

import torch

from lm_core.experiments.text_quality.measuring import (
    book_passages,
    known_words,
    measured,
    passages_of,
)
from lm_core.experiments.text_quality.results import BOOK, MEASURES, QualityResults, WriterQuality
from lm_core.generation.memorisation import BookIndex
from lm_core.results import provenance
from lm_core.text.character_vocabulary import FULL
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import characters_of
from lm_core.training.checkpoints import folder_of, list_language_models, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of

HELP = "measure what language models write: real words, repetitions, quotations, copies"
TEMPERATURES = (0.5, 0.8, 1.0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("models", nargs="*", help="shipped names or folders (default: all)")
    parser.add_argument("--passages", type=int, default=32, help="of each (default: 32)")
    parser.add_argument("--characters", type=int, default=2_000, help="of each (default: 2,000)")
    QualityResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print and save a row for each model and temperature; models not named keep the rows that they have."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    book, known = load_book(FULL), known_words()
    read = BookIndex.build(book.train)
    size = arguments.passages, arguments.characters
    held_out = FULL.decode(book.validation.tolist())
    rows = [WriterQuality(BOOK, None, measured(book_passages(held_out, *size), known, read))]
    print(_row(rows[0]), flush=True)
    names = arguments.models or [m.name for m in list_language_models() if not m.snapshot_of]
    for name in names:
        model, meta = load_checkpoint(folder_of(name))
        vocabulary = vocabulary_of(meta)
        # A text without quotes and paragraphs is another text: copies of the book are not found in it.
        index = read if characters_of(vocabulary) is FULL else None
        for temperature in TEMPERATURES:
            passages = passages_of(
                model, vocabulary, temperature, n_passages=size[0], n_characters=size[1]
            )
            rows.append(WriterQuality(meta.name, temperature, measured(passages, known, index)))
            print(_row(rows[-1]), flush=True)
    made = provenance(
        device="cpu",
        seconds=time.perf_counter() - started,
        passages=arguments.passages,
        characters=arguments.characters,
        corpus_sha256=book.sha256,
    )
    named = {row.writer for row in rows}
    is_kept = bool(arguments.models) and arguments.out.exists()
    kept = QualityResults.load(arguments.out).writers if is_kept else ()
    others = (row for row in kept if row.writer not in named)
    QualityResults(made, (*rows, *others)).save(arguments.out)


def _row(row: WriterQuality) -> str:
    temperature = "" if row.temperature is None else f"{row.temperature:.1f}"
    found = "".join(
        f"{mean.mean:9.3f} ±{mean.standard_error:6.3f}" if mean else f"{'':>17}"
        for mean in map(row.measures.get, MEASURES)
    )
    return f"{row.writer:<26}{temperature:>4}{found}"
