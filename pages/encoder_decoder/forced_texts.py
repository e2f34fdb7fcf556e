"""What models write after a wrong word, and what each expects next."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.translation_support import word_certainties
from lm_core.analysis.word_overlap import share_kept, shared_places
from lm_core.generation.translated_words import words_of
from lm_core.generation.translation import Translation
from pages.encoder_decoder.schedule import SAMPLED
from pages.encoder_decoder.tints import LEGEND, tint_of
from pages.shared import page
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.components.texts import MASKED, ON, Tint, TintedText, tinted_texts
from pages.shared.models.translation import ATTENTION, ONE_VECTOR, TRANSFORMER, traced
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code

NAMES = {
    ONE_VECTOR: "One vector, teacher forcing",
    SAMPLED: "One vector, scheduled sampling",
    ATTENTION: "Attention, teacher forcing",
}


class Forced(NamedTuple):
    """One model's translation left alone, and made to begin otherwise."""

    free: Translation
    forced: Translation
    n_forced: int  # tokens of the beginning

    @property
    def following(self) -> list[str]:
        """The words after the beginning."""
        words = words_of(self.forced.target_symbols)
        return [word.text for word in words if word.start >= self.n_forced and word.text]

    @property
    def n_kept(self) -> int:
        """Words after the beginning that the translation left alone has as well."""
        return sum(shared_places(self.following, self._left_alone))

    @property
    def share_kept(self) -> float:
        """Their share of the words after the beginning, 0 to 1."""
        return share_kept(self.following, self._left_alone)

    @property
    def _left_alone(self) -> list[str]:
        return [word.text for word in words_of(self.free.target_symbols)]


def draw_forced(
    place: DeltaGenerator,
    beside: DeltaGenerator,
    sentence: str,
    models: dict[str, Forced],
    is_masked: bool,
    step: int,
) -> None:
    """Draw the texts after the wrong word, and what comes next."""
    one = models[ONE_VECTOR]
    with place:
        _texts(sentence, models, step, is_masked)
    if not is_masked and not page.is_presenting():
        with beside:
            _next_bars(one.forced, min(one.n_forced + step, len(one.forced.steps) - 1))


def _texts(sentence: str, models: dict[str, Forced], step: int, is_masked: bool) -> None:
    """Draw the words written so far, tinted by the transformer's support, the forced ones marked."""
    one = models[ONE_VECTOR]
    texts = []
    if not page.is_presenting():
        texts = [_text("One vector, left alone", sentence, one.free, 0, len(one.free.steps))]
    for name, of in models.items():
        if name != ONE_VECTOR and not page.is_presenting():
            title = f"{NAMES[name]}, left alone"
            texts.append(_text(title, sentence, of.free, 0, len(of.free.steps)))
        text = _text(NAMES[name], sentence, of.forced, of.n_forced, of.n_forced + step + 1)
        if is_masked and name == ONE_VECTOR:
            n = sum(ON in tint.roles for tint in text.tints)
            waiting = Tint((MASKED,), 0, "what follows?")
            text = text._replace(words=[*text.words[:n], "?"], tints=[*text.tints[:n], waiting])
        texts.append(text)
    tinted_texts(
        texts,
        key="forced_texts",
        label="Translations",
        hint="Point at a word: how certain the model was, and the transformer.",
        legend=[(ON, "forced"), *LEGEND],
        fills_place=page.is_presenting(),
    )


def _text(title: str, sentence: str, of: Translation, n_forced: int, written: int) -> TintedText:
    judged = word_certainties(traced(TRANSFORMER, sentence, of.target_ids), sentence)
    own = word_certainties(of)
    words = [word for word in words_of(of.target_symbols) if word.start < written]
    if page.is_presenting() and words and not words[-1].text:
        words.pop()  # the end would often take a line for itself
    tints = [
        Tint((ON,), 60, "forced")
        if word.start < n_forced
        else tint_of(judged[i], own=own[i].probability)
        for i, word in enumerate(words)
    ]
    return TintedText(title, [word.text for word in words], tints)


def _next_bars(of: Translation, place: int) -> None:
    """Draw what could have come in place of one token."""
    step = of.steps[place]
    tokens = [candidate.token for candidate in step.candidates]
    table = prediction_table(
        [candidate.symbol or "(end)" for candidate in step.candidates],
        {"": np.array([candidate.probability for candidate in step.candidates])},
        most=6,
        marked=tokens.index(step.token) if step.token in tokens else None,
    )
    before = as_code(of.steps[place - 1].symbol) if place else "the start"
    st.markdown(f"**One vector: next subword after {before}**")
    page.show_chart(
        prediction_bars(table, unit="subword", mark="written"),
        key="forced_next",
        alt="; ".join(f"{c.symbol or 'end'} {percent(c.probability)}" for c in step.candidates[:4]),
        name="next-subword",
        is_small=True,
    )
