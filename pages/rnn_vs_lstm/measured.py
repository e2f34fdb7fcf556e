"""What was measured before the visitor came, as the page's charts want it."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.published import RECALL_LENGTHS, RECALL_LSTM, RECALL_RNN
from lm_core.experiments.rnn_vs_lstm.models import MODELS
from lm_core.experiments.rnn_vs_lstm.protocols import PROTOCOLS
from lm_core.experiments.rnn_vs_lstm.results import (
    RecallPoint,
    RecallResults,
    blind_chance,
    clockless_chance,
    results_path,
)
from pages.shared import charts

SEEN, SHUFFLED = "in training", "shuffled"
VOCABULARY = 512


class Measured(NamedTuple):
    """Results of one protocol: points, and the provenance to show under them."""

    points: tuple[RecallPoint, ...]
    provenance: str


@st.cache_data(max_entries=4, show_spinner=False)
def _read(path: Path, changed: int) -> Measured:
    del changed  # part of the key
    results = RecallResults.load(path)
    protocol = PROTOCOLS[results.protocol]
    how = f"{protocol.settings['epochs']} epochs, rate {protocol.settings['learning_rate']:g}"
    if clip := protocol.settings.get("clip"):
        how += f", clipped to {clip:g}"
    provenance = (
        f"{len(results):,} networks, trained {protocol.title} · {VOCABULARY} symbols · {how} ·"
        f" {results.device}, {results.seconds / 60:,.0f} min in all · {results.date[:10]}"
    )
    return Measured(tuple(results.points()), provenance)


def measured(protocol: str) -> Measured:
    """Return the shipped results of a protocol; what is wrong with them is told on the page."""
    path = results_path(protocol)
    try:
        return _read(path, path.stat().st_mtime_ns if path.exists() else 0)
    except ResultError as error:
        st.warning(str(error), icon=":material/hourglass_empty:")
        return Measured((), "")


def mean_row(point: RecallPoint) -> charts.AccuracyRow:
    """Return a point as a mark with its band: all seeds from the lowest to the highest."""
    low, high = min(point.accuracies), max(point.accuracies)
    n_seeds, title = len(point.accuracies), MODELS[point.model].title
    return charts.AccuracyRow("measured", title, point.length, point.mean, low, high, n_seeds)


def source_rows(models: list[str]) -> list[charts.AccuracyRow]:
    """Return the source's own figures for those of the models that it has."""
    figures = {"rnn": RECALL_RNN, "lstm": RECALL_LSTM}
    return [
        charts.AccuracyRow("source", f"source's {MODELS[model].title}", length, a, a, a, 1)
        for model in models
        for length, a in zip(RECALL_LENGTHS, figures.get(model, ()), strict=False)
    ]


def chance_rows(lengths: tuple[int, int], judged_by: str) -> list[charts.AccuracyRow]:
    """Return the lines of who guesses blindly, and of who sees the last symbol but has no clock."""
    first, last = lengths
    blind = {n: blind_chance(VOCABULARY, n) for n in range(first, last + 1)}
    lines = {f"chance {blind[first]:.1%}": blind}
    if judged_by == SEEN:
        clockless = {n: clockless_chance(n) for n in blind}
        lines = {"": blind, f"chance 1 / L, blind {blind[first]:.1%}": clockless}
    return [
        charts.AccuracyRow("chance", name, length, chance, chance, chance, 0)
        for name, line in lines.items()
        for length, chance in line.items()
    ]


def table(points: list[RecallPoint]) -> pd.DataFrame:
    """Return the points as a reader wants them, the source's figures beside them."""
    source = {(r.model, r.length): r.accuracy for r in source_rows(["rnn", "lstm"])}
    rows = []
    for point in points:
        row = mean_row(point)
        rows.append(
            {
                "Network": row.model,
                "L": row.length,
                "Mean": round(row.accuracy, 4),
                "Lowest": round(row.low, 4),
                "Highest": round(row.high, 4),
                "Seeds": row.seeds,
                "Source": source.get((f"source's {row.model}", row.length)),
                "Parameters": point.parameter_count,
            }
        )
    return pd.DataFrame(rows)
