"""What a model writes after each saved step of its training, and how its loss fell."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lm_core.experiments.published import SOURCE_LSTM
from lm_core.generation.sampling import SamplingSettings
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import page
from pages.shared.charts.comparisons import learning_curve
from pages.shared.models.book_models import snapshots_of
from pages.shared.numbers import significant
from pages.shared.ui.markdown import escaped
from pages.war_and_peace.opening import Opening
from pages.war_and_peace.session import continuation

_LENGTH = {"character": 160, "token": 48}
"""Of a snapshot's text, by what the model writes at a time."""
_PASS = 2_852_510  # characters of the training part
_SAVED_OFTEN = "book-subword-transformer"  # in place of a model that was saved once


def during_training(opening: Opening, settings: SamplingSettings) -> None:
    """Draw a row of text for each saved training step, and the loss at each."""
    meta = opening.meta
    snapshots = snapshots_of(meta.snapshot_of or meta.name)
    if len(snapshots) == 1:
        snapshots = snapshots_of(_SAVED_OFTEN)
        st.caption(
            f"{escaped(meta.title)} was saved once only, at the end of its training, so this is"
            f" {escaped(snapshots[-1].title)}."
        )
    measured = "B" if all("B" in meta.losses for meta in snapshots) else "validation"
    if page.is_presenting():  # as many as a projector has room for: early on a text changes most
        last = len(snapshots) - 1
        snapshots = [snapshots[i] for i in sorted({0, last // 4, last // 2, last})]
    else:
        _learning_curve(snapshots, measured)
    for meta in snapshots:
        _snapshot(meta, meta.loss_of(measured), opening, settings)


def _learning_curve(snapshots: Sequence[CheckpointMeta], measured: str) -> None:
    columns = {
        "characters_seen": [meta.characters_seen for meta in snapshots],
        "loss": [meta.loss_of(measured) for meta in snapshots],
        "series": snapshots[-1].title,
    }
    frame = pd.DataFrame(columns).dropna()
    # Where it was measured in the same way.
    carried = SOURCE_LSTM.carried if measured == "B" else None
    published = {} if carried is None else {SOURCE_LSTM.title: carried}
    losses = frame["loss"].tolist()
    ends = min(1.0, *losses), max(4.5, *losses)
    page.show_chart(
        learning_curve(frame, losses=ends, references=published),
        frame,
        key="writing_learning",
        alt=f"Loss falls from {losses[0]:.2f} to {losses[-1]:.2f} nats per character.",
        name="learning-curve",
    )


def _snapshot(
    meta: CheckpointMeta, loss: float | None, opening: Opening, settings: SamplingSettings
) -> None:
    """Draw what a model writes after one of its steps, and say how far it is then."""
    seen = f"{meta.characters_seen:,} characters seen"
    if meta.corpus == WAR_AND_PEACE.name:
        seen = f"{significant(meta.characters_seen / _PASS, 2)} times the book"
    said = [f"**{meta.steps:,} steps**", seen]
    said += [] if loss is None else [f"{loss:.2f} nats/char"]
    at_step = opening._replace(meta=meta)
    n = _LENGTH[at_step.vocabulary.unit]
    text = at_step.vocabulary.decode(continuation(at_step, settings, n))
    if page.is_presenting():
        st.markdown(", ".join(said))
        st.text(text)
        return
    left, right = st.columns([1, 4])
    left.markdown("  \n".join(said))
    with right.container(border=True):
        st.text(text)
