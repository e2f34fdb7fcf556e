"""Accuracy by length: the shipped results, their chart and their table."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.published import RECALL_LENGTHS, RECALL_LSTM, RECALL_RNN
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint, RecallResults
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS, blind_chance, clockless_chance
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.lines import Axis, Guesses, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, VERMILLION
from pages.shared.numbers import percent
from pages.shared.ui.messages import show_error

TRAINED_ON, SHUFFLED = "trained on", "shuffled"
VOCABULARY = 512
STYLES = {
    "RNN": LineStyle(VERMILLION),
    "wide RNN": LineStyle(VERMILLION, 1),
    "IRNN": LineStyle(ORANGE, 2),
    "GRU": LineStyle(GREEN, 1),
    "LSTM": LineStyle(BLUE),
    "open LSTM": LineStyle("#56B4E9", 1),
    "attention": LineStyle(PURPLE, 2),
}
"""Colour and dash of each backbone, the same wherever it is drawn."""
BROKEN_BELOW = 0.9
_PUBLISHED = {"rnn": RECALL_RNN, "lstm": RECALL_LSTM}
_SHARE = Axis("right last answers", (0.0, 1.02), values=(0, 0.25, 0.5, 0.75, 1), form=".0%")
_TICKS = (2, 4, 6, 8, 10, 12, 14, 16, 18, 24, 30, 40, 50, 70, 100)


class Measured(NamedTuple):
    """Results of one protocol: points, and the provenance to show under them."""

    points: tuple[RecallPoint, ...]
    provenance: str


@st.cache_data(max_entries=4, show_spinner=False)
def _read(path: Path, changed: int) -> dict[str, Measured]:
    del changed  # part of the key
    results = RecallResults.load(path)
    measured = {}
    for name, trained in results.trained.items():
        settings, networks = PROTOCOLS[name].settings, results.of_protocol(name)
        how = f"{settings['epochs']} epochs, learning rate {settings['learning_rate']:g}"
        if clip := settings.get("clip"):
            how += f", clipped to {clip:g}"
        minutes = sum(network.seconds for network in networks) / 60
        provenance = (
            f"{len(networks):,} networks, {PROTOCOLS[name].title} · {VOCABULARY} symbols · {how} ·"
            f" {trained.device}, {minutes:,.0f} min in all · {trained.date[:10]}"
        )
        measured[name] = Measured(tuple(results.points(name)), provenance)
    return measured


def measured(protocol: str) -> Measured:
    """Return the shipped results of a protocol; an error is shown on the page."""
    path = RecallResults.shipped()
    try:
        found = _read(path, path.stat().st_mtime_ns if path.exists() else 0)
    except ResultError as error:
        show_error(error, st.warning, icon=":material/hourglass_empty:")
        found = {}
    return found.get(protocol, Measured((), ""))


def not_measured(points: Sequence[RecallPoint], chosen: Sequence[str]) -> list[str]:
    """Return the titles of the chosen backbones of which there is no point."""
    known = {point.backbone for point in points}
    return [BACKBONES[name].title for name in chosen if name not in known]


def accuracy_chart(
    points: list[RecallPoint],
    lengths: tuple[int, int],
    *,
    judged_by: str = TRAINED_ON,
    live: dict[str, list[tuple[int, float]]] | None = None,
    guess: Guesses | None = None,
) -> Drawing:
    """Draw accuracy by length, with a band over the seeds and what chance gives.

    Parameters
    ----------
    points : list of RecallPoint, a line for each backbone among them
    lengths : pair of int, ends of the logarithmic axis
    judged_by : str, `TRAINED_ON`, with the published figures as grey dots, or `SHUFFLED`
    live : dict of str to (L, accuracy) pairs, networks in training, by the title of their backbone
    guess : Guesses, the length at which somebody expected the LSTM to fall below `BROKEN_BELOW`
    """
    lines: dict[str, list[tuple[int, float]]] = {}
    bands: dict[str, list[tuple[int, float, float]]] = {}
    for point in points:
        title, accuracies = BACKBONES[point.backbone].title, point.accuracies
        lines.setdefault(title, []).append((point.length, point.mean))
        bands.setdefault(title, []).append((point.length, min(accuracies), max(accuracies)))
    dots = {}
    if judged_by == TRAINED_ON and live is None:
        known = [name for name in _PUBLISHED if BACKBONES[name].title in lines]
        dots = {f"published: {BACKBONES[name].title}": _published(name) for name in known}
    ticks = tuple(tick for tick in _TICKS if lengths[0] <= tick <= lengths[1])
    return line_chart(
        lines,
        STYLES,
        Axis("length L of the sequence (symbols)", lengths, True, ticks),
        _SHARE,
        bands=bands,
        references=_chances(lengths, judged_by),
        dots=dots,
        rings=live,
        guess=guess,
        has_points=True,
        height=300,
    )


def accuracy_table(points: list[RecallPoint]) -> pd.DataFrame:
    """Return the points as a reader wants them, the published figures beside them."""
    published = {(name, n): share for name in _PUBLISHED for n, share in _published(name)}
    return pd.DataFrame(
        {
            "Backbone": BACKBONES[point.backbone].title,
            "L": point.length,
            "Mean": round(point.mean, 4),
            "Lowest": round(min(point.accuracies), 4),
            "Highest": round(max(point.accuracies), 4),
            "Seeds": len(point.accuracies),
            "Published": published.get((point.backbone, point.length)),
            "Parameters": point.parameter_count,
        }
        for point in points
    )


def _published(backbone: str) -> list[tuple[int, float]]:
    return list(zip(RECALL_LENGTHS, _PUBLISHED[backbone], strict=True))


def _chances(lengths: tuple[int, int], judged_by: str) -> dict[str, list[tuple[int, float]]]:
    """Return the lines of a blind guess, and of one that sees the last symbol but has no clock."""
    span = range(lengths[0], lengths[1] + 1)
    blind = [(n, blind_chance(VOCABULARY, n)) for n in span]
    if judged_by == SHUFFLED:
        return {f"chance {percent(blind[0][1], 1)}": blind}
    return {
        "": blind,
        f"chance 1 / L, blind {percent(blind[0][1], 1)}": [(n, clockless_chance(n)) for n in span],
    }
