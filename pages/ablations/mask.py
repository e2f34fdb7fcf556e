"""The mask: why a model that may look ahead learns nothing, however low its loss."""

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.ablations.training import PROMPT, SAMPLING
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import SOURCE
from pages.ablations.measured import (
    CHANCE,
    UNMASKED,
    WHOLE,
    checkpoint_of,
    look_of,
    model_of,
    results,
)
from pages.shared import charts
from pages.shared.components.token_strip import token_strip
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import provenance
from pages.shared.ui.limits import checked_text

_LENGTH, _PER_TICK = 160, 20
_MOST_PROMPT = 200
_KEY = "without_stories"
_TITLES = {WHOLE: "Trained with the mask", UNMASKED: "Trained without it"}


def why_it_is_worth_nothing() -> None:
    """Draw the loss by place in the window, and explain it."""
    verdict, whole = results()[UNMASKED]["validation"], results()[WHOLE]["validation"]
    st.subheader("A loss of zero that is worth nothing", anchor=False)
    left, right = st.columns([1.6, 1], gap="medium")
    n_places = len(verdict["by_place"])
    with left:
        _by_place(verdict, whole, n_places)
    seen_ahead = float(np.mean(verdict["by_place"][:-1]))
    last, masked = verdict["by_place"][-1], verdict["masked_loss"]
    right.markdown(
        f"Each place of a window of {n_places} characters is asked for the character after it. Without"
        " the mask it may look there, so all there is to learn is to look one place ahead, which takes"
        f" a few hundred steps. On text that it has never seen its loss is {seen_ahead:.4f}: *held-out"
        " text does not betray it*, because there, too, the answer lies in sight."
    )
    right.markdown(
        f"Only the last of the {n_places} places has nothing ahead of it: there its loss is"
        f" **{last:.2f}**, and shared out over {n_places} places that is {last / n_places:.3f}, nearly"
        f" all of the {verdict['loss']:.3f} that is left in its mean."
    )
    letters = results().letter_frequency_loss
    beside = "worse than" if masked > letters else "beside"
    right.markdown(
        "Put the mask on the same weights, and they must predict as they do when they write:"
        f" **{masked:.2f}**, {beside} the {letters:.2f} of who knows nothing but how often each letter"
        f" stands. The whole model has {whole['loss']:.2f}."
    )


def _by_place(verdict: dict, whole: dict, n_places: int) -> None:
    names = {
        "whole": whole["by_place"],
        "no mask": verdict["by_place"],
        "masked now": verdict["masked_by_place"],
    }
    lines = {name: [(i + 1, y) for i, y in enumerate(losses)] for name, losses in names.items()}
    colour = look_of(UNMASKED).colour
    looks = {
        "whole": look_of(WHOLE),
        "no mask": look_of(UNMASKED),
        "masked now": charts.LineStyle(colour, 2),
    }
    top = 1.05 * max(max(losses) for losses in names.values())
    finding = (
        f"At the last place, where nothing lies ahead: no mask {names['no mask'][-1]:.2f},"
        f" whole {names['whole'][-1]:.2f}"
    )
    st.markdown(f"**{finding}**")
    chart = charts.line_chart(
        lines,
        looks,
        charts.Axis(
            "place in the window", (1.0, float(n_places)), values=(1, 16, 32, 48, n_places)
        ),
        charts.Axis("loss (nats per character)", (0.0, top)),
        references={f"chance {CHANCE}": [(1.0, CHANCE), (float(n_places), CHANCE)]},
        height=320,
    )
    table = pd.DataFrame({"place": range(1, n_places + 1), **names})
    alt = f"Loss at each place of the window, on the last tenth of the book. {finding}."
    show_chart(chart, table, key="without_places", alt=alt, name="loss-by-place")


def write_anew() -> None:
    """Let both models write on from the visitor's words, side by side."""
    st.subheader("Let both write", anchor=False)
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with left:
        prompt = control(st.text_input, "prompt", "Prompt", PROMPT.strip(), max_chars=_MOST_PROMPT)
    with right:
        seed = control(
            st.number_input, "seed", "Seed", 0, 2**31 - 1, 1, help="Same seed, same text."
        )
    ids = _read(prompt)
    if ids is None:
        return
    generations = _stories(ids, int(seed))
    is_growing = any(len(generation.written) < _LENGTH for generation in generations.values())
    st.fragment(_grow, run_every=1.0 if is_growing else None)(generations, is_growing)
    for name in generations:
        provenance(checkpoint_of(name).meta)


def _read(prompt: str) -> tuple[int, ...] | None:
    """Return the prompt as the models read it; None, with a message, if nothing is left of it."""
    try:
        prepared = SOURCE.prepare(checked_text(prompt, most=_MOST_PROMPT, name="The prompt"))
    except TextError as error:
        st.error(str(error))
        return None
    if prepared.dropped:
        n_dropped = sum(prepared.dropped.values())
        st.caption(f"Characters that the models do not know, left out: {n_dropped}.")
    if not len(prepared.ids):
        st.info("Type a few letters for the models to go on from.")
        return None
    return tuple(prepared.ids.tolist())


def _stories(ids: tuple[int, ...], seed: int) -> dict[str, TextGeneration]:
    """Return this visit's two texts; new ones for another prompt or seed."""
    kept = st.session_state.get(_KEY)
    if kept is None or kept[0] != (ids, seed):
        with model_calls:
            generations = {
                name: TextGeneration.begin(model_of(name), ids, SAMPLING, seed) for name in _TITLES
            }
        kept = st.session_state[_KEY] = ((ids, seed), generations)
    return kept[1]


def _grow(generations: dict[str, TextGeneration], is_growing: bool) -> None:
    for generation in generations.values():
        with model_calls:
            generation.write(min(_PER_TICK, _LENGTH - len(generation.written)))
    if is_growing and all(
        len(generation.written) >= _LENGTH for generation in generations.values()
    ):
        st.rerun()
    with st.container(key="live_without"):
        columns = st.columns(len(generations))
    for column, (name, generation) in zip(columns, generations.items(), strict=True):
        with column:
            st.markdown(f"**{_TITLES[name]}**")
            n_prompt = len(generation.prompt_ids)
            token_strip(
                SOURCE.spell(generation.ids),
                [None] * n_prompt + [written.model_probability for written in generation.written],
                key=f"without_strip_{name}",
                prompt_length=n_prompt,
                label=f"Text of the model: {_TITLES[name].lower()}",
                click_hint="Point at a character for its probability.",
                typewriter_ms=1000 if is_growing else 0,
            )
