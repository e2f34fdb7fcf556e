"""The causal mask: a model without it reaches a loss near zero, and has learned nothing of use."""

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.ablations.training import PROMPT, SAMPLING, WindowLosses
from lm_core.experiments.ablations.variants import VARIANTS
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.checkpoints import Checkpoint
from pages.ablations.curve_choice import results, style_of
from pages.ablations.training_curves import CHANCE
from pages.shared import page
from pages.shared.components.texts import generation_strip
from pages.shared.models.language_models import model_named
from pages.shared.ui.lesson import provenance

_LENGTH, _PER_TICK = 160, 20
_LONGEST_PROMPT = 200
_COPIES = 0.05
"""Of a unigram model's loss: below it, hardly anything but copying is left to learn."""
_TITLES = {"full": "Trained with the mask", "no-mask": "Trained without the mask"}


def loss_by_position() -> None:
    """Draw the loss by position in the window, and explain it."""
    unmasked, full = (results().trainings[n].validation for n in ("no-mask", "full"))
    st.header("Why a loss near zero means nothing", anchor=False)
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        _chart(unmasked, full)
    n = len(unmasked.by_position)
    ahead, last = float(np.mean(unmasked.by_position[:-1])), unmasked.by_position[-1]
    curve, chance = results().trainings["no-mask"].curve, results().unigram_loss
    at = next(i for i, loss in enumerate(curve.loss) if loss < _COPIES * chance)
    right.markdown(
        f"At each of {n} positions in a window, the model predicts the next character. Without the mask,"
        " attention reaches that character, so the model only learns to copy it. This takes few"
        f" steps: after {curve.step[at]} its loss is {curve.loss[at]:.2f}. On unseen text its loss is {ahead:.4f}: *held-out text does not reveal the"
        " error*, because there, too, the model sees the answer."
    )
    right.markdown(
        f"Only the last of the {n} positions has nothing ahead of it, so there alone the model has"
        f" to predict: the loss is **{last:.2f}**. Divided by {n} this is {last / n:.3f}, nearly"
        f" all of the mean loss of {unmasked.loss:.3f}: the mean hides that the model cannot"
        " predict."
    )
    unigram, masked = results().unigram_loss, unmasked.masked_loss
    assert masked is not None  # a model without the mask has this loss, too
    comparison = "worse than" if masked > unigram else "no better than"
    right.markdown(
        "With the mask put on the same weights, the model predicts as it does when it generates"
        " text: it has learned to look the next character up, so now it has nothing to go by. Its"
        f" loss is then **{masked:.2f}**, {comparison} the {unigram:.2f} of a *unigram model*,"
        " which knows only how frequent each character is. The loss of the full model is"
        f" {full.loss:.2f}."
    )


def _chart(unmasked: WindowLosses, full: WindowLosses) -> None:
    losses = {
        "full model": full.by_position,
        "no mask": unmasked.by_position,
        "masked now": unmasked.masked_by_position,
    }
    styles = {
        "full model": style_of("full"),
        "no mask": style_of("no-mask"),
        "masked now": style_of("no-mask")._replace(dash=2),
    }
    n = len(unmasked.by_position)
    finding = (
        f"Loss at the last position: no mask {losses['no mask'][-1]:.2f},"
        f" full model {losses['full model'][-1]:.2f}"
    )
    st.markdown(f"**{finding}**")
    top = 1.05 * max(max(values) for values in losses.values())
    chart = page.line_chart(
        {name: [(i + 1, y) for i, y in enumerate(values)] for name, values in losses.items()},
        styles,
        page.Axis("position in the window", (1.0, float(n)), values=(1, 16, 32, 48, n)),
        page.Axis("loss (nats per character)", (0.0, top)),
        references={f"chance {CHANCE}": [(1.0, CHANCE), (float(n), CHANCE)]},
        height=320,
    )
    table = pd.DataFrame({"position": range(1, n + 1), **losses})
    alt = f"Loss at each position of the window, on the last tenth of the book. {finding}."
    page.show_chart(chart, table, key="ablation_positions", alt=alt, name="loss-by-position")


def generate_side_by_side() -> None:
    """Let both models continue the visitor's prompt, side by side."""
    st.header("Generate text with both models", anchor=False)
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with left:
        prompt = page.text("prompt", "Prompt", PROMPT.strip(), max_chars=_LONGEST_PROMPT)
    with right:
        seed = page.number(
            "seed", "Seed", 0, 2**31 - 1, 1, help="The same seed draws the same text."
        )
    ids, was_read = page.read_or_keep("prompt", prompt, _read, PROMPT.strip())
    page.show_what_was_changed(was_read, "prompt")
    weights = tuple(_checkpoint(name).meta.weights_sha256 for name in _TITLES)
    generations = _generations(weights, ids, int(seed))
    is_growing = any(len(generation.written) < _LENGTH for generation in generations.values())
    page.fragment(_grow, run_every=1.0 if is_growing else None)(generations, is_growing)
    for name in generations:
        provenance(_checkpoint(name).meta)


def _read(prompt: str) -> tuple[tuple[int, ...], WhatWasRead]:
    """Return the ids of a prompt, and what of it was left out.

    Raises TextError if it is too long, or no character of it is known.
    """
    prepared = SOURCE.prepare(page.checked_text(prompt, most=_LONGEST_PROMPT, name="The prompt"))
    if not len(prepared.ids):
        raise TextError("the models read nothing of the prompt: type a few English letters")
    return tuple(prepared.ids.tolist()), sentence_as_read(prompt, prepared.text, SOURCE)


def _checkpoint(name: str) -> Checkpoint:
    return model_named(VARIANTS[name].checkpoint)


@st.cache_resource(max_entries=12, show_spinner=False)
def _generations(
    weights: tuple[str, ...], ids: tuple[int, ...], seed: int
) -> dict[str, TextGeneration]:
    """Return the two texts of a prompt and a seed, the same for a whole class, which writes them once."""
    del weights  # a part of the key
    with page.model_calls:
        return {
            name: TextGeneration.begin(_checkpoint(name).model, ids, SAMPLING, seed)
            for name in _TITLES
        }


def _grow(generations: dict[str, TextGeneration], was_growing: bool) -> None:
    for generation in generations.values():
        with page.model_calls:
            generation.write(max(0, min(_PER_TICK, _LENGTH - len(generation.written))))
    if was_growing and all(
        len(generation.written) >= _LENGTH for generation in generations.values()
    ):
        st.rerun()
    with st.container(key="live_ablations"):
        columns = st.columns(len(generations))
    for column, (name, generation) in zip(columns, generations.items(), strict=True):
        with page.model_calls:  # others may let it grow meanwhile
            shown = generation.with_settings(generation.settings)
        with column:
            st.markdown(f"**{_TITLES[name]}**")
            generation_strip(
                shown,
                SOURCE.spell(shown.ids),
                key=f"ablation_text_{name}",
                label=f"Text of the model: {_TITLES[name].lower()}",
                is_growing=was_growing,
            )
