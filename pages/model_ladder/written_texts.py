"""Texts that several models write at once from one prompt."""

import string
from time import monotonic
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.model_ladder.ladder_models import results
from pages.shared import page
from pages.shared.components.texts import generation_strip
from pages.shared.models.language_models import model_named

_CHARACTERS, _TOKENS = 110, 32  # length of a text by characters, and by subwords
_AT_ONCE, _PER_SECOND = 6, 20
_COLUMNS = 3


class Written(NamedTuple):
    """Texts that a class has written together, and since when, on the monotonic clock."""

    texts: tuple[tuple[CheckpointMeta, TextGeneration], ...]
    since: float

    @property
    def is_growing(self) -> bool:
        """Whether a text is not at its end yet."""
        return any(len(text.written) < _length(meta) for meta, text in self.texts)


def loss_of(meta: CheckpointMeta) -> float:
    """Return a model's loss on unseen text."""
    return results().named(meta.name).loss


def _length(meta: CheckpointMeta) -> int:
    return _CHARACTERS if vocabulary_of(meta).unit == "character" else _TOKENS


@st.cache_resource(max_entries=24, show_spinner=False)
def begin_texts(
    names: tuple[tuple[str, str], ...],
    prompt: str,
    temperature: float,
    seed: int,
    _writers: tuple[CheckpointMeta, ...],
) -> Written:
    """Return the texts of this prompt, which are the same for a whole class: it writes them once."""
    texts = []
    for meta in _writers:
        model = model_named(meta.name, meta.weights_sha256).model
        ids = tuple(vocabulary_of(meta).encode(prompt).tolist())
        with page.model_calls:
            texts.append(
                (meta, TextGeneration.begin(model, ids, SamplingSettings(temperature), seed))
            )
    return Written(tuple(texts), monotonic())


def draw_texts(written: Written, asked: page.Asked, was_growing: bool) -> None:
    """Draw the texts side by side, while they grow."""
    due = _AT_ONCE + int(_PER_SECOND * (monotonic() - written.since))
    for meta, text in written.texts:
        with page.model_calls:
            missing = min(due, _length(meta)) - len(text.written)
            text.write(max(0, min(missing, _PER_SECOND)))
    if was_growing and not written.is_growing:
        st.rerun()
    columns: list[DeltaGenerator] = []
    for i, (meta, text) in enumerate(written.texts):
        # Row by row, so that A, B, C, ... follow each other where a phone has them in one column.
        columns = columns or st.columns(_COLUMNS)
        with columns.pop(0):
            _text(string.ascii_uppercase[i], meta, text, asked, was_growing)


def _text(
    letter: str, meta: CheckpointMeta, text: TextGeneration, asked: page.Asked, is_growing: bool
) -> None:
    title = f"Text {letter}"
    if not asked.masks:
        title = f"{letter}: {meta.title}, {loss_of(meta):.2f}"
        title += " ← your guess" if asked.guess == letter else ""
    st.markdown(f"**{title}**")
    vocabulary = vocabulary_of(meta)
    with page.model_calls:
        shown = text.with_settings(text.settings)
    generation_strip(
        shown,
        vocabulary.spell(shown.ids),
        key=f"ladder_text_{letter}",
        label=title,
        unit=vocabulary.unit,
        is_growing=is_growing,
        follow=False,
    )
