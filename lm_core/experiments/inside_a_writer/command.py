"""Find the units of the LSTM that keep track of quotations, names, words, sentences and paragraphs."""

import argparse
import re
import time
from collections.abc import Sequence
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

from lm_core.analysis.connectivity import state_before
from lm_core.analysis.continuations import NextMark, next_quotation_mark
from lm_core.analysis.surprisal import context_before
from lm_core.analysis.text_spans import KINDS, QUOTATION, inside_quotation, spans_of
from lm_core.analysis.unit_activations import CELL, Clamp, ReadableLSTM, read_activations
from lm_core.analysis.unit_search import UnitScore, chance_correlations, find_units
from lm_core.errors import SettingError
from lm_core.experiments.inside_a_writer.results import (
    MODEL,
    PARTS,
    ClampResults,
    KindScores,
    StoredBins,
    UnitResults,
    binned,
)
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.recurrent_language_model import LSTMLanguageModel
from lm_core.results import provenance
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.training_text import load_book
from lm_core.training import checkpoints
from lm_core.training.checkpoints import load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of

HELP = "find what the units of the LSTM of the book keep track of"
MOST_UNITS, SHIFTS = 8, 40
BINS = 240
"""Bins of the chapter that is shipped as activations."""
_WRITTEN = 6_000
"""Characters that the model writes itself."""
_FEWEST_QUOTATIONS = 15
_TEMPERATURE, _SEED = 0.8, 1
PLACES, INTO = 32, 20
"""Quotations that are written on from, and how many of their characters are read."""
TEXTS, LENGTH = 16, 200
_READ_BEFORE, _CLAMP_TEMPERATURE = 2_000, 0.7
_HEADING = re.compile(r"\nCHAPTER [IVXL]+\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--model",
        type=Path,
        default=checkpoints.SHIPPED / MODEL,
        help="checkpoint folder (default: the shipped one)",
    )
    parser.add_argument(
        "--characters",
        type=int,
        default=120_000,
        help="of the held-out tenth that are read (default: 120,000)",
    )
    UnitResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print the best units of each kind with their controls, then write all."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    model, meta = load_checkpoint(arguments.model)
    if not isinstance(model, LSTMLanguageModel):
        raise SettingError(f"the model must be an LSTM, got {meta.title}")
    vocabulary = vocabulary_of(meta)
    ids = load_book(vocabulary).validation[: arguments.characters]
    text = vocabulary.decode(ids)
    activations = read_activations(model, ids, context_before(vocabulary))
    scores = tuple(
        _of_kind(kind, part, text, activations.of(part)) for part in PARTS for kind in KINDS
    )
    for score in scores:
        print(_row(score), flush=True)
    clamp = clamp_quotations(model, vocabulary, ids, scores)
    for name, marks in clamp.marks.items():
        print(f"inside {clamp.places} quotations, unit {clamp.unit} {name}: {marks}", flush=True)
    start, end = find_chapter(text)
    chapter = text[start:end]
    made = provenance(
        device="cpu",
        seconds=time.perf_counter() - started,
        weights_of=meta.weights_sha256,
        characters=len(text),
        shifts=SHIFTS,
    )
    by_part = {part: activations.of(part) for part in PARTS}
    UnitResults(
        made,
        meta.name,
        scores,
        clamp,
        {n: np.quantile(a, (0.02, 0.98), axis=0).astype(np.float32) for n, a in by_part.items()},
        {n: StoredBins.of(binned(a[start:end], BINS)) for n, a in by_part.items()},
        len(chapter),
        tuple(spans_of(inside_quotation(chapter))),
        tuple(i for i, character in enumerate(chapter) if character == "\n"),
        _written_by(model, vocabulary),
    ).save(arguments.out)


def _of_kind(kind: str, part: str, text: str, activations: np.ndarray) -> KindScores:
    target = KINDS[kind](text)
    units = find_units(activations, target, MOST_UNITS)
    half = len(target) // 2
    chance = chance_correlations(activations[:half], target[:half], SHIFTS).mean()
    rounded = (UnitScore(each.unit, *(round(x, 4) for x in astuple(each)[1:])) for each in units)
    return KindScores(kind, part, tuple(rounded), round(float(chance), 4))


def clamp_quotations(
    model: LSTMLanguageModel,
    vocabulary: CharacterVocabulary,
    ids: np.ndarray,
    scores: Sequence[KindScores],
) -> ClampResults:
    """Write on inside quotations of the second half, the unit that keeps track of them free and held."""
    best = next(s for s in scores if (s.kind, s.part) == (QUOTATION, CELL)).units[0]
    text, half = vocabulary.decode(ids), len(ids) // 2
    spans = spans_of(inside_quotation(text))
    places = [start + INTO for start, end in spans if start >= half and end - start > INTO]
    chosen = [
        places[i] for i in np.linspace(0, len(places) - 1, min(PLACES, len(places))).astype(int)
    ]
    clamps = {
        "free": None,
        "off": Clamp(best.unit, best.outside),
        "on": Clamp(best.unit, best.inside),
    }
    counts = dict.fromkeys(clamps, NextMark(0, 0, 0))
    for seed, place in enumerate(chosen):
        read = torch.from_numpy(ids[max(0, place - _READ_BEFORE) : place])
        start = state_before(model, read, len(read) - 1)
        for name, clamp in clamps.items():
            marks = next_quotation_mark(
                ReadableLSTM(model, clamp, start),
                read[-1:].numpy(),
                vocabulary,
                SamplingSettings(_CLAMP_TEMPERATURE),
                TEXTS,
                LENGTH,
                generator(seed),
            )
            counts[name] = NextMark(*(a + b for a, b in zip(counts[name], marks, strict=True)))
    return ClampResults(best.unit, CELL, len(chosen), counts)


def _written_by(model: LSTMLanguageModel, vocabulary: CharacterVocabulary) -> str:
    """Return what the model writes after the end of a paragraph."""
    begun = TextGeneration.begin(
        model, context_before(vocabulary), SamplingSettings(_TEMPERATURE), _SEED
    )
    return vocabulary.decode([token.token for token in begun.write(_WRITTEN)])


def find_chapter(text: str) -> tuple[int, int]:
    """Return where the first whole chapter with many quotations begins and ends that lies in the second half.

    Without such a chapter, the second half.
    """
    half = len(text) // 2
    headings = list(_HEADING.finditer(text, half))
    for heading, following in pairwise(headings):
        start, end = heading.end(), following.start()
        if len(spans_of(inside_quotation(text[start:end]))) >= _FEWEST_QUOTATIONS:
            return start, end
    return half, len(text)


def _row(scores: KindScores) -> str:
    best = scores.units[0]
    return (
        f"{scores.kind:<28}{scores.part}  unit {best.unit:>3}  found {best.correlation:+.3f}"
        f"  held out {best.held_out:+.3f}  shifted {scores.chance:.3f}"
        f"  on inside {best.on_inside:.1%}, outside {best.on_outside:.1%}"
    )
