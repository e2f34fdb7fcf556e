"""One model at several moments of its training, each given the same prompt and random numbers."""

import pandas as pd
import streamlit as st

from lm_core.experiments.published import SOURCE_LSTM
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.figures import show_chart
from pages.war_and_peace.library import model_of, moments_of, provenances
from pages.war_and_peace.opening import Opening

_LENGTH = 160
_PASS = 2_852_510  # characters of the training part


def time_machine(opening: Opening, settings: SamplingSettings) -> None:
    """Draw a row of text for every kept moment, and the loss at each."""
    name = opening.meta.snapshot_of or opening.meta.name
    moments = moments_of(name)
    if len(moments) == 1:
        st.info(f"Only the end of training is kept of {opening.meta.title}: choose another model.")
        return
    measured = "B" if all("B" in meta.losses for meta in moments) else "validation"
    frame = pd.DataFrame(
        {
            "characters_seen": [meta.characters_seen for meta in moments],
            "loss": [meta.losses[measured] for meta in moments],
            "series": moments[-1].title,
        }
    )
    show_chart(
        charts.learning_curve(frame, references=_references(measured)),
        frame,
        key="writing_learning",
        alt=f"Loss ({measured}) falls from {frame['loss'].iloc[0]:.2f} to"
        f" {frame['loss'].iloc[-1]:.2f} nats per character.",
        name="learning-curve",
    )
    for meta in moments:
        passes = meta.characters_seen / _PASS
        left, right = st.columns([1, 4])
        left.markdown(
            f"**{meta.steps:,} steps**  \n{passes:.2g} times the book  \n"
            f"{meta.losses[measured]:.2f} nats/char"
        )
        with right.container(border=True):
            st.text(_text_at(meta.name, meta.weights_sha256, opening.ids, opening.seed, settings))


def _references(protocol: str) -> dict[str, float]:
    """Return the source's figure to draw beside ours, where it was measured in the same way."""
    return {SOURCE_LSTM.title: SOURCE_LSTM.carried} if protocol == "B" else {}


@st.cache_data(max_entries=64, show_spinner="Writing")
def _text_at(
    name: str, weights_sha256: str, ids: tuple[int, ...], seed: int, settings: SamplingSettings
) -> str:
    with model_calls:
        generation = TextGeneration.begin(model_of(name, weights_sha256), ids, settings, seed)
        generation.write(_LENGTH)
    return vocabulary_of(provenances()[name]).decode(generation.ids)
