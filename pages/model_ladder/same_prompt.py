"""Each model's text from the same prompt, with the same random numbers."""

import string
from time import monotonic
from typing import NamedTuple

import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from lm_core.generation.prompts import DEFAULT_PROMPT
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.model_ladder.rungs import results, trained_models
from pages.shared import page
from pages.shared.components.texts import generation_strip
from pages.shared.models.language_models import model_named
from pages.shared.turns import fragment, model_calls
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import PROMPT_CHARACTERS, checked_text, say_limits
from pages.shared.ui.what_was_read import read_and_say

PROMPT = "The prince looked at her and"
_CHARACTERS, _TOKENS = 110, 32
"""Length of a text by characters, and by subwords."""
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


def choose_prompt() -> tuple[str, float, int]:
    """Draw prompt, temperature and seed, and return them."""
    prompt = page.text("prompt", "Prompt", PROMPT, max_chars=PROMPT_CHARACTERS, width=230)
    say_limits({"prompt": PROMPT_CHARACTERS})
    temperature = page.slider("temperature", "Temperature", 0.0, 2.0, 0.7, 0.05, width=140)
    with st.popover("More", icon=":material/tune:"):
        seed = page.number("seed", "Seed", 0, 2**31 - 1, 1)
    return prompt, float(temperature), int(seed)


def same_prompt(screen: page.FirstScreen, prompt: str, temperature: float, seed: int) -> None:
    """Draw the texts side by side, unnamed until somebody has guessed which is the best model's."""
    with screen.picture:
        readable = read_and_say("prompt", prompt, _readable, PROMPT)
        writers = _in_an_order_of_their_own()
        written = _begun(
            tuple((meta.name, meta.weights_sha256) for meta in writers),
            readable,
            temperature,
            seed,
            writers,
        )
    asked = _ask(screen, writers)
    with screen.picture:
        st.markdown(
            f"**{len(writers)} models continue {as_code(readable)} with the same random numbers**"
        )
        fragment(_texts, run_every=1.0 if written.is_growing else None)(
            written, asked, was_growing=written.is_growing
        )
    if not asked.masks:
        page.note_beside(
            screen,
            "The n-gram spells words and loses the sentence, because it sees a few characters only; the"
            " better networks keep to a sentence and lose the thread of the next. A difference of 0.1 nats a"
            " character is hard to see in one short text. That is why the ladder measures it on a tenth"
            " of the book.",
        )


def _readable(typed: str) -> tuple[str, WhatWasRead]:
    text = SOURCE.normalise(checked_text(typed, most=PROMPT_CHARACTERS, name="The prompt"))
    kept = "".join(character for character in text if character in SOURCE)
    if typed.strip() and not kept.strip():
        st.info("The models read none of these characters, so they begin at a new sentence.")
    text = kept if kept.strip() else DEFAULT_PROMPT
    return text, sentence_as_read(typed, text, SOURCE)


def _in_an_order_of_their_own() -> tuple[CheckpointMeta, ...]:
    """Return the models that can write, in an order that tells nothing of their losses.

    A presenter's screen holds three of them: those of the highest, a middle and the lowest loss.
    """
    scored = {rung.name for rung in results().rungs}
    metas = [meta for name, meta in sorted(trained_models().items()) if name in scored]
    if page.is_presenting():
        by_loss = sorted(metas, key=_loss)
        metas = [by_loss[i] for i in sorted({0, len(metas) // 2, len(metas) - 1})]
    order = torch.randperm(len(metas), generator=generator(3)).tolist()
    return tuple(metas[i] for i in order)


def _ask(screen: page.FirstScreen, writers: tuple[CheckpointMeta, ...]) -> page.Asked:
    letters = string.ascii_uppercase[: len(writers)]
    losses = {letter: _loss(meta) for letter, meta in zip(letters, writers, strict=True)}
    worst = max(losses, key=losses.__getitem__)
    title = writers[letters.index(worst)].title
    return page.ask(
        screen,
        f"ladder_writer_of_{len(writers)}",
        "Which text is by the model with the highest loss?",
        letters,
        right=worst,
        reason=f"**{worst}** is by {title}, whose loss is {losses[worst]:.2f} nats a character; the"
        f" lowest here is {min(losses.values()):.2f}. A text of a few lines shows little of it,"
        " because chance draws every character.",
    )


def _loss(meta: CheckpointMeta) -> float:
    return results().named(meta.name).loss


def _length(meta: CheckpointMeta) -> int:
    return _CHARACTERS if vocabulary_of(meta).unit == "character" else _TOKENS


@st.cache_resource(max_entries=24, show_spinner=False)
def _begun(
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
        with model_calls:
            texts.append(
                (meta, TextGeneration.begin(model, ids, SamplingSettings(temperature), seed))
            )
    return Written(tuple(texts), monotonic())


def _texts(written: Written, asked: page.Asked, was_growing: bool) -> None:
    due = _AT_ONCE + int(_PER_SECOND * (monotonic() - written.since))
    for meta, text in written.texts:
        with model_calls:
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
    letter: str,
    meta: CheckpointMeta,
    text: TextGeneration,
    asked: page.Asked,
    is_growing: bool,
) -> None:
    title = f"Text {letter}"
    if not asked.masks:
        title = f"{letter}: {meta.title}, {_loss(meta):.2f}"
        title += " ← your guess" if asked.guess == letter else ""
    st.markdown(f"**{title}**")
    vocabulary = vocabulary_of(meta)
    with model_calls:
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
