"""t-SNE as a walk: run on request, kept, and looked at step by step."""

import streamlit as st
import torch

from lm_core.analysis.t_sne import TsneStep, t_sne
from lm_core.rng import generator
from pages.embeddings.map_picture import MapView, Picture, draw_map
from pages.shared.server import model_calls
from pages.shared.ui.controls import asked_by_link, control
from pages.shared.ui.playback import playback_bar

_STEP = "t_sne_step"
_ASKED = "t_sne_asked"
_PERPLEXITIES = (3, 5, 10, 20, 30, 50)
_STEPS, _EVERY = 500, 20
Settings = tuple[str, str, bool, tuple[int, ...], int, int]


def choose_walk(view: MapView) -> Settings | None:
    """Draw perplexity, seed and the button; return the settings if this visitor asked for them."""
    most = (len(view.words) - 2) // 2
    perplexity = control(
        st.select_slider,
        "perplexity",
        "Perplexity",
        _PERPLEXITIES,
        10,
        help="How many neighbours each word reckons with.",
    )
    seed = int(control(st.number_input, "seed", "Seed", 0, 9_999, 1))
    settings = (
        view.choice.meta.name,
        view.table,
        view.choice.subtract_mean,
        view.shown.ids,
        min(perplexity, most),
        seed,
    )
    asked = st.session_state.setdefault(_ASKED, [])
    if asked_by_link(_STEP) and settings not in asked:
        asked.append(settings)
    is_asked = settings in asked
    if st.button(
        "Run t-SNE",
        type="primary",
        icon=":material/play_arrow:",
        disabled=is_asked,
        key="t_sne_run",
    ):
        asked.append(settings)
        del asked[:-8]
        st.session_state[_STEP] = _STEPS // _EVERY
        is_asked = True
    if perplexity > most:
        st.caption(f"{len(view.words)} words: perplexity {most} at most.")
    return settings if is_asked else None


def draw_walk(view: MapView, settings: Settings | None) -> None:
    """Draw the walk's controls and its picture of now; nothing runs before it is asked for."""
    if settings is None:
        st.info(
            "t-SNE moves the words until near ones stay together. It takes a second, so it runs when"
            " you ask for it; perplexity and seed may be chosen first."
        )
        return
    steps = _walked(settings, view.unit)
    playback_bar(
        _STEP,
        len(steps),
        lambda i: draw_map(view, _picture(steps[i], settings)),
        label=f"Every {_EVERY}th step",
        start=len(steps) - 1,
        seconds_per_step=0.5,
    )


@st.cache_resource(max_entries=24, show_spinner="Running t-SNE")
def _walked(settings: Settings, _unit: torch.Tensor) -> list[TsneStep]:
    *_, perplexity, seed = settings
    walk, kept = t_sne(_unit, float(perplexity), generator(seed), steps=_STEPS), []
    for _ in range(_STEPS + 1):
        with model_calls:
            step = next(walk)
        if step.step % _EVERY == 0:
            kept.append(step)
    return kept


def _picture(step: TsneStep, settings: Settings) -> Picture:
    *_, perplexity, seed = settings
    return Picture(
        step.points,
        ("", ""),
        f"Step {step.step} of {_STEPS}, perplexity {perplexity}, seed {seed}: the picture's"
        f" divergence from the true neighbours is {step.divergence:.2f} nats. Axes, sizes of clusters"
        " and gaps between them mean nothing; another seed gives another map.",
    )
