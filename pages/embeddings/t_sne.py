"""The map by t-SNE, and its steps from random places on."""

import streamlit as st
import torch

from lm_core.analysis.t_sne import TsneStep, t_sne
from lm_core.rng import generator
from pages.embeddings.map_view import MapView, Picture, draw_map, explain
from pages.shared import page
from pages.shared.ui.controls import asked_by_link

STEP = "t_sne_step"
_ASKED = "t_sne_asked"
_PERPLEXITIES = (3, 5, 10, 20, 30, 50)
_STEPS, _EVERY = 500, 20
_AT_ONCE = 64
"""So many words are placed without a button: it takes a fifth of a second."""

Settings = tuple[str, str, bool, tuple[int, ...], int, int]


def choose_t_sne(view: MapView) -> Settings:
    """Draw perplexity and seed."""
    most = (len(view.words) - 2) // 2
    perplexity = page.pick(
        "perplexity",
        "Perplexity",
        _PERPLEXITIES,
        10,
        help="About how many neighbours each word is placed by.",
    )
    seed = page.number("seed", "Seed", 0, 9_999, 1)
    settings = (
        f"{view.choice.meta.name} {view.choice.meta.weights_sha256}",
        view.table,
        view.choice.subtract_mean,
        view.shown.ids,
        min(perplexity, most),
        seed,
    )
    if perplexity > most:
        st.caption(f"{len(view.words)} words: perplexity {most} at most.")
    return settings


def is_asked_for(settings: Settings) -> bool:
    """Return whether this visitor wants t-SNE of these settings to run; if not, draw the button."""
    asked = st.session_state.setdefault(_ASKED, [])
    if (asked_by_link(STEP) or len(settings[3]) <= _AT_ONCE) and settings not in asked:
        _run(settings)
    if settings in asked:
        return True
    st.info(
        "t-SNE moves the words until true neighbours are near each other. With so many words it takes"
        " a second."
    )
    page.button("t_sne_run", "Run t-SNE", "play_arrow", _run, settings, True, type="primary")
    return False


def _run(settings: Settings, to_the_end: bool = False) -> None:
    asked = st.session_state[_ASKED]
    asked.append(settings)
    del asked[:-8]
    if to_the_end:
        page.go_to(STEP, _STEPS // _EVERY)


def last_picture(view: MapView, settings: Settings) -> Picture:
    """Return the picture of the last step."""
    return _picture(_steps_of(settings, view)[-1], settings)


def draw_t_sne(view: MapView, settings: Settings) -> None:
    """Draw the steps of t-SNE, and the picture of the one that is chosen."""
    steps = _steps_of(settings, view)
    page.playback_bar(
        STEP,
        len(steps),
        lambda i: _draw_step(view, _picture(steps[i], settings)),
        label=f"t-SNE step, every {_EVERY}th",
    )


def _draw_step(view: MapView, picture: Picture) -> None:
    draw_map(view, picture)
    if not page.is_presenting():
        explain(view, picture)


def _steps_of(settings: Settings, view: MapView) -> list[TsneStep]:
    *_, perplexity, seed = settings
    return _t_sne_steps(str(settings), perplexity, seed, view.unit)


@st.cache_resource(max_entries=24, show_spinner="Running t-SNE")
def _t_sne_steps(key: str, perplexity: int, seed: int, _unit: torch.Tensor) -> list[TsneStep]:
    del key  # one text: of every word's number, Streamlit would make a hash of its own
    run, kept = t_sne(_unit, float(perplexity), generator(seed), steps=_STEPS), []
    for _ in range(_STEPS + 1):
        with page.model_calls:
            step = next(run)
        if step.step % _EVERY == 0:
            kept.append(step)
    return kept


def _picture(step: TsneStep, settings: Settings) -> Picture:
    *_, perplexity, seed = settings
    return Picture(
        step.points,
        ("", ""),
        f"Step {step.step} of {_STEPS}, perplexity {perplexity}, seed {seed}: the divergence from"
        f" the true neighbours is {step.divergence:.2f} nats. Axes mean nothing, sizes of clusters and gaps"
        " between them little, because only near neighbours are fitted. Another seed gives"
        " another map.",
    )
