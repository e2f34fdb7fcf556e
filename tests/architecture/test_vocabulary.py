"""One vocabulary: private words that were given up for the field's do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    path
    for folder in ("lm_core", "pages")
    for ending in ("py", "js")
    for path in (ROOT / folder).rglob(f"*.{ending}")
]
GIVEN_UP = {
    r"\bSight\b": "AttentionMask",
    r"knock_?out": "ablation",
    r"\bhabits?\b": "head patterns",
    r"[Mm]anu[s]cript": "generation session",
    r"\bStory\(": "TextGeneration",
    r"stepper": "decoder, playback bar",
    r"PairAlphabet|word parts?\b": "subwords, byte-pair encoding",
    r"passage filter": "n-gram membership filter",
    r"half[-]step": "assignment step, update step, E-step, M-step",
    r"\blotter": "random restarts",
    r"\bhonesty\b": "neighbourhood preservation",
    r"journal(?!_mode)": "metrics log",
    r"[sS]pare_?[wW]orker": "prewarmed worker",
    r"lockstep": "side by side",
    r"(?<![a-z])stamp|_STAMP": "provenance",
    r"def look\(self\)|time machine": "validation_loss; snapshots",
    r"\bREAD\b|\bASKED\b": "input and output embedding",
    r"closer look": "view",
    r"\b[Hh](?:angs?|ung) on\b": "depends on",
    r"\bgo(?:es)? by the\b": "is named, goes through",
    r"source documents": "the document by its name",
    r"[Tt]he darker|darkest|darker is": "the stronger the colour: in the dark theme it is the brighter",
    r"\b[Tt]he slides\b": "the document by its name",
}


@pytest.mark.parametrize("word", GIVEN_UP)
def test_a_word_that_was_given_up_stays_away(word):
    pattern = re.compile(word)
    found = [p.relative_to(ROOT) for p in SOURCES if pattern.search(p.read_text(encoding="utf-8"))]
    assert found == [], f"say {GIVEN_UP[word]}"
