"""What the units of a model go with, what happens when one is held, and what is kept of a chapter."""

import re
from collections.abc import Sequence
from dataclasses import astuple
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from lm_core.analysis.connectivity import state_before
from lm_core.analysis.continuations import NextMark, next_quotation_mark
from lm_core.analysis.surprisal import context_before
from lm_core.analysis.text_spans import KINDS, QUOTATION, inside_quotation, spans_of
from lm_core.analysis.unit_activations import CELL, Clamp, ReadableLSTM, read_activations
from lm_core.analysis.unit_search import UnitScore, chance_correlations, find_units
from lm_core.experiments.commands import Report
from lm_core.experiments.inside_a_writer import results
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.recurrent_language_model import LSTMLanguageModel
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary

MOST_UNITS, SHIFTS = 8, 40
BINS = 240
"""Bins of the chapter that is shipped as activations."""
_WRITTEN = 6_000  # characters that the model writes itself
_FEWEST_QUOTATIONS = 15
_TEMPERATURE, _SEED = 0.8, 1
PLACES, INTO = 32, 20
"""Quotations that are written on from, and how many of their characters are read."""
TEXTS, LENGTH = 16, 200
_READ_BEFORE, _CLAMP_TEMPERATURE = 2_000, 0.7
_HEADING = re.compile(r"\nCHAPTER [IVXL]+\n")


def measure_units(
    model: LSTMLanguageModel, vocabulary: CharacterVocabulary, ids: np.ndarray, report: Report
) -> dict[str, Any]:
    """Return the fields of `UnitResults` that are measured on a text."""
    text = vocabulary.decode(ids)
    activations = read_activations(model, ids, context_before(vocabulary))
    scores = report.each(
        _of_kind(kind, part, text, activations.of(part)) for part in results.PARTS for kind in KINDS
    )
    clamp = report(clamp_quotations(model, vocabulary, ids, scores))
    start, end = find_chapter(text)
    chapter = text[start:end]
    by_part = {part: activations.of(part) for part in results.PARTS}
    bins = {n: results.BinnedActivations.of(a[start:end], BINS) for n, a in by_part.items()}
    levels = {n: np.quantile(a, (0.02, 0.98), axis=0) for n, a in by_part.items()}
    return {
        "scores": scores,
        "clamp": clamp,
        "levels": {name: level.astype(np.float32) for name, level in levels.items()},
        "bins": {name: results.StoredBins.of(found) for name, found in bins.items()},
        "characters": len(chapter),
        "quotations": tuple(spans_of(inside_quotation(chapter))),
        "paragraphs": tuple(i for i, character in enumerate(chapter) if character == "\n"),
        "written": _written_by(model, vocabulary),
    }


def _of_kind(kind: str, part: str, text: str, activations: np.ndarray) -> results.KindScores:
    target = KINDS[kind](text)
    units = find_units(activations, target, MOST_UNITS)
    half = len(target) // 2
    chance = chance_correlations(activations[:half], target[:half], SHIFTS).mean()
    rounded = (UnitScore(each.unit, *(round(x, 4) for x in astuple(each)[1:])) for each in units)
    return results.KindScores(kind, part, tuple(rounded), round(float(chance), 4))


def clamp_quotations(
    model: LSTMLanguageModel,
    vocabulary: CharacterVocabulary,
    ids: np.ndarray,
    scores: Sequence[results.KindScores],
) -> results.ClampResults:
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
    return results.ClampResults(best.unit, CELL, len(chosen), counts)


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
