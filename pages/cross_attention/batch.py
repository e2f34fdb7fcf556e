"""Sentences of unequal length in one batch: padding, its mask, and what happens without."""

from typing import NamedTuple

import streamlit as st
from torch import Tensor

from lm_core.analysis.padded_batch import BatchReading, read_batch
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention.batch_chart import PADDING, batch_chart, batch_frame
from pages.cross_attention.subject import Subject
from pages.shared import page
from pages.shared.models.translation import EXAMPLES, translator
from pages.shared.numbers import percent
from pages.shared.ui.markdown import escaped

_SHORT, _LONG = "A man sleeps.", EXAMPLES[5].english
_SHARES = {"Nothing": 0.0, "About a tenth": 0.1, "More than half": 0.8}
_SHOWN = 90  # characters of a translation


class _Both(NamedTuple):
    masked: BatchReading
    unmasked: BatchReading
    symbols: tuple[tuple[str, ...], ...]
    texts: tuple[tuple[str, str], ...]
    """Of each sentence: its translation with the mask and without."""


@st.cache_data(max_entries=16, show_spinner=False)
def _read(model: str, sentence: str) -> _Both:
    vocabulary = shipped_vocabulary()
    rows = [vocabulary.read(text) for text in (_SHORT, sentence, _LONG)]
    with page.model_calls:
        masked, unmasked = (
            read_batch(translator(model), rows, is_masked=is_it) for is_it in (True, False)
        )
    written = zip(masked.translations, unmasked.translations, strict=True)
    texts = tuple((vocabulary.decode(one), vocabulary.decode(other)) for one, other in written)
    symbols = tuple(tuple(s or "end" for s in vocabulary.symbols(row)) for row in rows)
    return _Both(masked, unmasked, symbols, texts)


def sentences_in_a_batch(screen: page.FirstScreen, subject: Subject) -> None:
    """Draw a batch of three with its mask; what padding gets without one waits for the guess."""
    found = _read(subject.model, subject.sentence)
    lost = found.unmasked.on_padding[0]
    asked = page.ask(
        screen,
        "padding",
        f"*{_SHORT}* has {int(found.masked.lengths[0])} tokens and is filled up with padding to the length of the longest"
        " sentence. How much of the attention would padding get if nothing hid it?",
        _SHARES,
        right=lost,
        reason=f"**{percent(lost)}**. In training padding was always hidden, so nothing has taught the model to give it a"
        " low score. The mask sets these scores to −∞, and the softmax makes exactly 0 of that.",
    )
    with screen.picture:
        _draw(found, is_masked=asked.masks)
    page.note_beside(
        screen,
        "A computer multiplies rectangles, so the sentences of a batch are made equally long with *padding* (dots). The"
        " *padding mask* tells the model which tokens are real: then every sentence is translated as it would be alone.",
    )


def _draw(found: _Both, *, is_masked: bool) -> None:
    width = found.masked.weights.shape[1]
    rows = []
    for i, symbols in enumerate(found.symbols):
        tokens = [*symbols, *[PADDING] * (width - len(symbols))]
        visible = [float(place < len(symbols)) for place in range(width)]
        without = _rounded(found.unmasked.weights[i])
        rows += [
            (f"{i + 1}: the mask", tokens, visible),
            (f"{i + 1}: with it", tokens, _rounded(found.masked.weights[i])),
            (f"{i + 1}: without", tokens, [float("nan")] * width if is_masked else without),
        ]
    share = "?" if is_masked else percent(found.unmasked.on_padding[0])
    finding = f"Padding gets 0 of the attention with the mask, and {share} in sentence 1 without"
    frame = batch_frame(rows)
    st.markdown(f"**{finding}**")
    page.show_chart(
        batch_chart(frame, height=270),
        frame,
        key="padded_batch",
        alt=f"{finding}. Three sentences of {', '.join(str(len(s)) for s in found.symbols)} tokens.",
        name="padding-mask",
    )
    if not is_masked and not page.is_presenting():
        for i, (whole, lost) in enumerate(found.texts[:2], 1):
            st.markdown(
                f"Sentence {i} with the mask: *{escaped(whole)}* Without, because padding looks like words that still"
                f" wait: *{escaped(_cut(lost))}*"
            )


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"


def _rounded(weights: Tensor) -> list[float]:
    return [round(weight, 3) for weight in weights.tolist()]
