"""How much of an accuracy is memory: what is left where every later symbol is random."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint
from pages.rnn_vs_lstm.accuracy import STYLES
from pages.shared.charts.comparisons import share_pairs
from pages.shared.numbers import percent
from pages.shared.ui.figures import show_chart


def memory_or_counting(points: Sequence[RecallPoint]) -> None:
    """Draw how much of each backbone's accuracy is left where every later symbol is random.

    Parameters
    ----------
    points : sequence of RecallPoint, of one length
    """
    frame = pd.DataFrame(
        {
            "model": BACKBONES[point.backbone].title,
            "first": point.mean,
            "second": point.shuffled().mean,
            "colour": STYLES[BACKBONES[point.backbone].title].colour,
        }
        for point in points
    )
    lost = frame.loc[(frame["first"] - frame["second"]).idxmax()]
    title = (
        f"At L = {points[0].length}, the {lost['model']} falls from {percent(lost['first'])} to"
        f" {percent(lost['second'])} once it can no longer count"
    )
    st.markdown(f"**{title}**")
    show_chart(
        share_pairs(frame, title="right last answers (hollow: shuffled sequences)"),
        frame.drop(columns="colour"),
        key="recall_shuffled",
        alt=f"{title}. "
        + "; ".join(
            f"{row.model}: {percent(row.first, 1)}, {percent(row.second, 1)}"
            for row in frame.itertuples()
        ),
        name="rnn-vs-lstm-shuffled",
    )
