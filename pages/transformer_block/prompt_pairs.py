"""Two prompts that differ in one word: prepared ones that work on the model, measured, or the visitor's own."""

import contextlib
import hashlib
from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.errors import TextError
from lm_core.experiments.patching.results import PairMap, PatchingResults
from lm_core.text.what_was_read import WhatWasRead
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.models.head_links import most_tokens
from pages.shared.models.read_sentences import (
    MODEL,
    MOST_CHARACTERS,
    Sentence,
    readable,
    sentence_of,
    snapshots,
    titles,
)
from pages.shared.ui.text_input import read_or_keep
from pages.shared.ui.what_was_read import show_what_was_changed

_OWN = "Your own two prompts"
_OF_A_KIND = 2
"""Prepared pairs of each kind."""


class PromptPair(NamedTuple):
    """Prompt A, from whose run a cell is taken, and B, into whose run it is carried."""

    a: Sentence
    b: Sentence
    answers: tuple[int, int] | None
    """The tokens that are compared; None for those that the two prompts tell apart most."""

    @classmethod
    def of(cls, name: str, a: str, b: str) -> "PromptPair":
        """Return a pair as the model of a name reads it."""
        return cls(sentence_of(name, a), sentence_of(name, b), None)

    @property
    def key(self) -> tuple[str, str, str, str, tuple[int, int] | None]:
        """What identifies it: the model, both texts and the answers."""
        meta = self.b.meta
        return meta.name, meta.weights_sha256, self.a.text, self.b.text, self.answers

    @property
    def name(self) -> str:
        """Unique to the model and the two texts."""
        return hashlib.sha256(" ".join(map(str, self.key)).encode()).hexdigest()[:8]

    @property
    def different(self) -> tuple[int, ...]:
        """The tokens in which the two differ."""
        both = zip(self.a.symbols, self.b.symbols, strict=True)
        return tuple(i for i, (a, b) in enumerate(both) if a != b)


results = partial(page.shipped, PatchingResults)
"""Returns what was measured of the prepared pairs."""


def choose_pair(row: DeltaGenerator, more: DeltaGenerator, typed: DeltaGenerator) -> PromptPair:
    """Draw the choice of the pair and, behind *More*, of the model; return what the model reads of it.

    A visitor's own prompts are typed where `typed` is.
    """
    with more:
        name = page.choice("model", "Model", titles(), MODEL)
    meta = [*snapshots(name).values()][-1]
    prepared = _prepared(name, meta.weights_sha256)
    with row:
        chosen = page.choice("pair", "Prompts", [*prepared, _OWN], width=385)
    first = next(iter(prepared.values()), results().of(name).maps[0])
    if chosen != _OWN:
        pair = prepared[chosen]
        return _read(meta, (pair.a, pair.b), pair.answers)[0]
    with typed:
        left, right = st.columns(2)
        with left:
            a = page.text(
                "prompt_a",
                "Prompt A, from which a cell is taken",
                first.a,
                max_chars=MOST_CHARACTERS,
            )
        with right:
            b = page.text(
                "prompt_b", "Prompt B, into which it is carried", first.b, max_chars=MOST_CHARACTERS
            )
        read, changed = read_or_keep("prompts", (a, b), partial(_read, meta), (first.a, first.b))
        for place, name, was_read in zip(
            (left, right), ("prompt_a", "prompt_b"), changed, strict=True
        ):
            with place:
                show_what_was_changed(was_read, name)
        return read


@st.cache_resource(max_entries=8, show_spinner=False)
def _prepared(name: str, weights_sha256: str) -> dict[str, PairMap]:
    """Return the prepared pairs by their titles: of a model that was not searched, those that it can compare."""
    del weights_sha256  # of what is kept, it tells one model of a name from the next
    meta = [*snapshots(name).values()][-1]
    found = {}
    for pair in results().of(name).best(_OF_A_KIND):
        with contextlib.suppress(TextError):
            _read(meta, (pair.a, pair.b), pair.answers)
            found[_title(pair)] = pair
    return found


def _title(pair: PairMap) -> str:
    """Return B with both words, and the answers that are asked for."""
    words = [
        f"{a} / {b}" if a != b else b for a, b in zip(pair.a.split(), pair.b.split(), strict=True)
    ]
    return f"{' '.join(words)} …{pair.answers[0]} or{pair.answers[1]}?"


def _read(
    meta: CheckpointMeta, typed: tuple[str, str], answers: tuple[str, str] | None = None
) -> tuple[PromptPair, tuple[WhatWasRead, ...]]:
    """Return two prompts as a model reads them, and what of each was left out or changed.

    Raises TextError if one is too short or too long, they have not equally many tokens, or no token
    differs.
    """
    most = most_tokens(meta.name)
    texts, changed = zip(*(readable(meta, text, most=most) for text in typed), strict=True)
    a, b = (Sentence(meta, text) for text in texts)
    if len(a.symbols) != len(b.symbols):
        raise TextError(
            f"both prompts must have equally many tokens, so that each cell has its counterpart: A has"
            f" {len(a.symbols)} ({_cut(a)}), B has {len(b.symbols)} ({_cut(b)}). Exchange a word for one"
            " that is cut into as many tokens"
        )
    if a.symbols == b.symbols:
        raise TextError("the prompts must differ in at least one word: these two are the same")
    return PromptPair(a, b, _ids(a, answers)), changed


def _ids(sentence: Sentence, answers: tuple[str, str] | None) -> tuple[int, int] | None:
    """Return the tokens of two answers; None if none are given, or one is no single token here."""
    ids = [sentence.vocabulary.encode(answer) for answer in answers or ()]
    if len(ids) != 2 or any(len(found) != 1 for found in ids):
        return None
    return int(ids[0][0]), int(ids[1][0])


def _cut(sentence: Sentence) -> str:
    return " | ".join(visible(symbol) for symbol in sentence.symbols)
