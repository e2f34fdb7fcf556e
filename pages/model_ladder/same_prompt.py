"""Each model's text from the same prompt, with the same random numbers."""

import string

import streamlit as st
import torch

from lm_core.generation.prompts import DEFAULT_PROMPT
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.checkpoints import CheckpointMeta
from pages.model_ladder.ladder_models import results, trained_models
from pages.model_ladder.written_texts import begin_texts, draw_texts, loss_of
from pages.shared import page
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import PROMPT_CHARACTERS, checked_text, say_limits

PROMPT, TEMPERATURE = "The prince looked at her and", 0.7


def choose_prompt() -> tuple[str, float, int]:
    """Draw prompt, temperature and seed, and return them."""
    prompt = page.text("prompt", "Prompt", PROMPT, max_chars=PROMPT_CHARACTERS, width=230)
    say_limits({"prompt": PROMPT_CHARACTERS})
    temperature = page.slider("temperature", "Temperature", 0.0, 2.0, TEMPERATURE, 0.05, width=140)
    with st.popover("More", icon=":material/tune:"):
        seed = page.number("seed", "Seed", 0, 2**31 - 1, 1)
    return prompt, float(temperature), int(seed)


def same_prompt(screen: page.FirstScreen, prompt: str, temperature: float, seed: int) -> None:
    """Draw the texts side by side, unnamed until somebody has guessed which is the best model's."""
    with screen.picture:
        readable = page.read_and_say("prompt", prompt, _readable, PROMPT)
        writers = _in_an_order_of_their_own()
        written = begin_texts(
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
        page.fragment(draw_texts, run_every=1.0 if written.is_growing else None)(
            written, asked, was_growing=written.is_growing
        )
    if not asked.masks:
        page.note_beside(
            screen,
            f"At a temperature of {TEMPERATURE:g} the n-gram spells words and loses the sentence, because it sees a few"
            " characters only; the better networks mostly keep to a sentence for longer and lose the thread of the next. A difference of 0.1 nats a"
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
        by_loss = sorted(metas, key=loss_of)
        metas = [by_loss[i] for i in sorted({0, len(metas) // 2, len(metas) - 1})]
    order = torch.randperm(len(metas), generator=generator(3)).tolist()
    return tuple(metas[i] for i in order)


def _ask(screen: page.FirstScreen, writers: tuple[CheckpointMeta, ...]) -> page.Asked:
    letters = string.ascii_uppercase[: len(writers)]
    losses = {letter: loss_of(meta) for letter, meta in zip(letters, writers, strict=True)}
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
