"""The two sentences: prepared ones by phenomenon, or the visitor's own, and what each word surprises a model by."""

import hashlib
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.surprisal import readable_text
from lm_core.errors import TextError
from lm_core.experiments.minimal_pairs.benchmark import MinimalPair
from lm_core.experiments.minimal_pairs.by_word import bits_by_word, columns_of, lead_by_column
from lm_core.experiments.minimal_pairs.our_pairs import AGREEMENT, OUR_PAIRS, PHENOMENA_OF_OURS
from lm_core.experiments.minimal_pairs.results import MinimalPairResults
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM, WordUnigram
from lm_core.experiments.neural_language_model.word_results import WordResults
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import page
from pages.shared.models.book_models import model_of, snapshots_of
from pages.shared.ui.controls import begin_anew

OWN = "own"
_MOST_CHARACTERS = 120
_FIRST = OUR_PAIRS[AGREEMENT][0]


class JudgedPair(NamedTuple):
    """Two sentences, word beside word, and by how many bits the first is ahead for each model."""

    pair: MinimalPair
    phenomenon: str  # one of ours, or `OWN`
    # what stands at each place in the first and in the second sentence; empty where one has nothing
    # there
    words: tuple[tuple[str, str], ...]
    leads: dict[str, list[float]]  # after each place, by the model's name

    @property
    def name(self) -> str:
        """Unique to the sentences and the models."""
        return hashlib.sha256(" ".join([*self.pair, *self.leads]).encode()).hexdigest()[:8]

    @property
    def labels(self) -> tuple[str, ...]:
        """The words of each place as an axis has them."""
        return tuple(a if a == b else f"{a or '–'} / {b or '–'}" for a, b in self.words)

    def whole_lead(self, model: str) -> float:
        """Return by how many bits the whole first sentence is ahead."""
        return self.leads[model][-1]

    def decisive(self, model: str) -> int:
        """Return the place at which most is gained for the sentence that a model prefers."""
        lead, sign = [0.0, *self.leads[model]], 1 if self.whole_lead(model) >= 0 else -1
        return max(range(len(self.words)), key=lambda i: sign * (lead[i + 1] - lead[i]))


def choose_pair(row: DeltaGenerator, typed: DeltaGenerator, models: Sequence[str]) -> JudgedPair:
    """Draw the choice of phenomenon and pair, and return the pair as the models judge it.

    A visitor's own sentences are typed where `typed` is.
    """
    with row:
        phenomenon = page.choice(
            "phenomenon",
            "Phenomenon",
            PHENOMENA_OF_OURS | {OWN: "Your own two sentences"},
            AGREEMENT,
            width=255,
        )
    if phenomenon == OWN:
        with typed:
            return _judged(_typed(typed, models), OWN, models)
    pairs = OUR_PAIRS[phenomenon]
    begin_anew("pair", phenomenon, 0)
    with row:
        chosen = page.choice(
            "pair", "Pair", {i: _short(pair) for i, pair in enumerate(pairs)}, 0, width=330
        )
    return _judged(pairs[chosen], phenomenon, models)


def _short(pair: MinimalPair) -> str:
    """Return the words of a pair, both where they differ."""
    return " ".join(a if a == b else f"{a or '–'}/{b or '–'}" for a, b in _side_by_side(pair))


def _side_by_side(pair: MinimalPair) -> tuple[tuple[str, str], ...]:
    good, bad = pair.good.split(), pair.bad.split()
    return tuple(
        (" ".join(good[slice(*column.good)]), " ".join(bad[slice(*column.bad)]))
        for column in columns_of(good, bad)
    )


def _typed(place: DeltaGenerator, models: Sequence[str]) -> MinimalPair:
    """Draw the fields of both sentences, and return what all models read of them."""
    vocabularies = [vocabulary_of(snapshots_of(name)[-1]) for name in models if name != UNIGRAM]
    fields = place.columns(2)
    typed = []
    for field, name, label, start in zip(
        fields,
        ("sentence_1", "sentence_2"),
        ("Sentence 1, good English", "Sentence 2, with the mistake"),
        _FIRST,
        strict=True,
    ):
        with field:
            typed.append(page.text(name, label, start, max_chars=_MOST_CHARACTERS))
    pair, changed = page.read_or_keep(
        "own_pair", (typed[0], typed[1]), partial(_readable, vocabularies), (*_FIRST,)
    )
    for field, name, was_read in zip(fields, ("sentence_1", "sentence_2"), changed, strict=True):
        with field:
            page.show_what_was_changed(was_read, name)
    return pair


def _readable(
    vocabularies: Sequence[CharacterVocabulary], typed: tuple[str, str]
) -> tuple[MinimalPair, tuple[WhatWasRead, ...]]:
    """Return what all models read of two sentences; TextError if one is nothing, or they are the same."""
    raw = [
        " ".join(page.checked_text(text, most=_MOST_CHARACTERS, name="a sentence").split())
        for text in typed
    ]
    read = [" ".join(readable_text(text, *vocabularies).split()) for text in raw]
    if not all(read):
        raise TextError("both sentences must have words that the models read: type English words")
    if read[0] == read[1]:
        raise TextError(
            "the sentences must differ in at least one word, and the models read the same in both:"
            " change one word in the second"
        )
    changed = tuple(sentence_as_read(a, b, *vocabularies) for a, b in zip(raw, read, strict=True))
    return MinimalPair(*read), changed


# What models expect ---------------------------------------------------------------------------
def _judged(pair: MinimalPair, phenomenon: str, models: Sequence[str]) -> JudgedPair:
    columns = columns_of(pair.good.split(), pair.bad.split())
    known = page.shipped(MinimalPairResults).bits_of(pair.good) if phenomenon != OWN else {}
    leads = {}
    for name in models:
        bits = known[name][2:] if name in known else tuple(_bits(name, text) for text in pair)
        leads[name] = lead_by_column(columns, *bits)
    return JudgedPair(pair, phenomenon, _side_by_side(pair), leads)


def _bits(name: str, text: str) -> tuple[float, ...]:
    if name == UNIGRAM:
        return WordUnigram(page.shipped(WordResults).vocabulary).bits_by_word(text)
    with page.page_turns.lent():
        return _read_by(name, snapshots_of(name)[-1].weights_sha256, text)


@st.cache_data(max_entries=256, show_spinner=False)
def _read_by(name: str, weights_sha256: str, text: str) -> tuple[float, ...]:
    """Return the bits of each word, once for all visitors."""
    vocabulary = vocabulary_of(snapshots_of(name)[-1])
    model = model_of(name, weights_sha256)
    return bits_by_word(model, vocabulary, text, model_turn=lambda: page.model_calls)
