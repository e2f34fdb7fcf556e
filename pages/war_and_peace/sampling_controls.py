"""The controls of the sampling chain, in the order in which the chain applies them."""

import streamlit as st

from lm_core.generation.sampling import SamplingSettings
from pages.shared.ui.controls import control
from pages.war_and_peace.copying import choose_shortest_copy


def desk_controls(unit: str) -> tuple[SamplingSettings, int]:
    """Draw the controls; return the chain's settings and the shortest passage called copied.

    Parameters
    ----------
    unit : str
        What the model writes at a time: ``character`` or ``token``.
    """
    often = st.columns([1, 1, 1, 0.55], vertical_alignment="bottom")
    with often[0]:
        temperature = control(
            st.slider,
            "temperature",
            "Temperature",
            0.0,
            2.0,
            0.7,
            0.05,
            help="Divides the logits. 1 = as the model says, below 1 = surer, above 1 = wilder,"
            f" 0 = always the most probable {unit}.",
        )
    with often[1]:
        top_k = control(
            st.slider,
            "top_k",
            "Top-k",
            0,
            70,
            0,
            help=f"Keep exactly the k most probable {unit}s; 0 keeps all.",
        )
    with often[2]:
        top_p = control(
            st.slider,
            "top_p",
            "Top-p",
            0.05,
            1.0,
            1.0,
            0.01,
            help=f"Keep the smallest set of {unit}s whose probabilities reach p; 1 keeps all.",
        )
    with often[3], st.popover("More", icon=":material/tune:", width="stretch"):
        rare = _rarer_settings(unit)
        shortest_copy = choose_shortest_copy()
    settings = SamplingSettings(temperature=temperature, top_k=top_k, top_p=top_p, **rare)
    return settings, shortest_copy


def settings_note(settings: SamplingSettings) -> None:
    """Say under which of the desk's settings a picture below it was made; let it be made again."""
    active = ", ".join(
        f"{name.replace('_', ' ')} {getattr(settings, name):g}"
        for name in sorted(settings.active)
        if name != "mirostat_rate"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Under the desk's settings: {active or 'plain sampling, temperature 1'}.")
        st.button("Take over the settings above", icon=":material/refresh:", type="tertiary")


def _rarer_settings(unit: str) -> dict[str, float]:
    harm = " On single letters it does harm soon: every letter is a repetition."
    return {
        "repetition_penalty": control(
            st.slider,
            "penalty",
            "Repetition penalty",
            1.0,
            2.0,
            1.0,
            0.05,
            help=f"Divides the positive logits of the last 64 {unit}s, multiplies negative ones."
            f" 1 = off.{harm if unit == 'character' else ''}",
        ),
        "top_n_sigma": control(
            st.slider,
            "n_sigma",
            "Top-n-sigma",
            0.0,
            5.0,
            0.0,
            0.1,
            help="Keep logits within n standard deviations of the best one; 0 = off.",
        ),
        "typical_p": control(
            st.slider,
            "typical",
            "Locally typical",
            0.05,
            1.0,
            1.0,
            0.01,
            help=f"Keep {unit}s about as surprising as the entropy, until they reach this mass;"
            " 1 = off.",
        ),
        "min_p": control(
            st.slider,
            "min_p",
            "Min-p",
            0.0,
            0.5,
            0.0,
            0.01,
            help=f"Keep {unit}s at least this share as probable as the best one; 0 = off.",
        ),
        "mirostat_tau": control(
            st.slider,
            "mirostat",
            "Mirostat 2: surprise aimed at (bits)",
            0.0,
            5.0,
            0.0,
            0.1,
            help=f"Moves a cut so that written {unit}s are this surprising on average; 0 = off.",
        ),
    }
