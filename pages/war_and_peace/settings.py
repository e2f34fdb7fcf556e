"""The settings of the sampling chain."""

import streamlit as st

from lm_core.generation.sampling import SamplingSettings
from pages.shared import page


def choose_temperature(unit: str) -> float:
    """Draw the slider of the temperature of a model that writes characters or tokens, and return it."""
    return page.slider(
        "temperature", "Temperature", 0.0, 2.0, 0.7, 0.05, width=210,
        help="Divides the logits, the scores before the softmax. At 1 the probabilities are the model's"
             " own. Below 1 their differences grow, so the text gets safer; above 1 they shrink, so it"
             f" gets wilder. At 0 the most probable {unit} is always taken.",
    )  # fmt: skip


def choose_other_settings(temperature: float, unit: str) -> SamplingSettings:
    """Draw the settings of the sampling chain after the temperature, and return them all."""
    harm = " On single letters it soon does harm: after a line or two nearly every letter is a repetition."
    left, right = st.columns(2)
    with left:
        top_k = page.slider(
            "top_k", "Top-k", 0, 70, 0, 1,
            help=f"Keep exactly the k most probable {unit}s, so that none of the many improbable ones is drawn;"
            " 0 keeps all.",
        )  # fmt: skip
        top_p = page.slider(
            "top_p", "Top-p", 0.05, 1.0, 1.0, 0.01,
            help=f"Keep the smallest set of {unit}s whose probabilities reach p: few where the model is sure,"
            " many where it is not, because then it takes many to reach p. 1 keeps all.",
        )  # fmt: skip
        min_p = page.slider(
            "min_p", "Min-p", 0.0, 0.5, 0.0, 0.01,
            help=f"Keep the {unit}s that are at least this share as probable as the best one, so more are kept"
            " where the best one is improbable itself; 0 keeps all.",
        )  # fmt: skip
    with right:
        penalty = page.slider(
            "repetition_penalty", "Repetition penalty", 1.0, 2.0, 1.0, 0.05,
            help=f"Makes the last 64 {unit}s less probable: their positive logits are divided by this"
                 " number and negative ones multiplied, so that the text repeats itself less. 1 switches it"
                 f" off.{harm if unit == 'character' else ''}",
        )  # fmt: skip
        sigma = page.slider(
            "top_n_sigma", "Top-n-sigma", 0.0, 5.0, 0.0, 0.1,
            help=(f"Keep the {unit}s whose logits lie within n standard deviations of the best one, so"
                " that the temperature does not change which ones are kept; 0 keeps all."),
        )  # fmt: skip
        typical = page.slider(
            "typical_p", "Locally typical", 0.05, 1.0, 1.0, 0.01,
            help=f"Keep the {unit}s whose surprise is nearest to the average, until together they have this"
            " probability, so what is much more or less surprising than usual is left out; 1 switches it off.",
        )  # fmt: skip
        tau = page.slider(
            "mirostat_tau", "Mirostat 2: target surprisal (bits)", 0.0, 5.0, 0.0, 0.1,
            help=f"After each {unit} the cut-off is adjusted so that the text has this many bits of surprise on"
            " average; 0 switches it off.",
        )  # fmt: skip
    return SamplingSettings(
        temperature,
        top_k,
        top_p,
        min_p,
        typical,
        sigma,
        repetition_penalty=penalty,
        mirostat_tau=tau,
    )


def settings_note(settings: SamplingSettings) -> None:
    """Say under which settings the picture below was made; let it be made again."""
    active = ", ".join(
        f"{name.replace('_', ' ')} {getattr(settings, name):g}"
        for name in sorted(settings.active - {"mirostat_rate"})
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Settings: {active or 'plain sampling, temperature 1'}.")
        st.button("Use the settings above", icon=":material/refresh:", type="tertiary")
