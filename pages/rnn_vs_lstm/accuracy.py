"""Accuracy by length: the shipped results, their chart and their table."""

import pandas as pd
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.published import RECALL_LENGTHS, RECALL_LSTM, RECALL_RNN
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint, RecallResults
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS, blind_chance, clockless_chance
from pages.shared import page
from pages.shared.charts.comparisons import share_pairs
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, VERMILLION
from pages.shared.numbers import percent

TRAINED_ON, SHUFFLED = "trained on", "shuffled"
VOCABULARY = 512
TITLES = {name: backbone.title for name, backbone in BACKBONES.items()}
STYLES = {
    "RNN": page.LineStyle(VERMILLION),
    "wide RNN": page.LineStyle(VERMILLION, 1),
    "IRNN": page.LineStyle(ORANGE, 2),
    "GRU": page.LineStyle(GREEN, 1),
    "LSTM": page.LineStyle(BLUE),
    "open LSTM": page.LineStyle("#56B4E9", 1),
    "attention": page.LineStyle(PURPLE, 2),
}
"""Colour and dash of each backbone, the same wherever it is drawn."""
BROKEN_BELOW = 0.9
_PUBLISHED = {
    name: dict(zip(RECALL_LENGTHS, shares, strict=True))
    for name, shares in (("rnn", RECALL_RNN), ("lstm", RECALL_LSTM))
}
_SHARE = page.Axis("right last answers", (0.0, 1.02), values=(0, 0.25, 0.5, 0.75, 1), form=".0%")
_TICKS = (2, 4, 6, 8, 10, 12, 14, 16, 18, 24, 30, 40, 50, 70, 100)


def measured() -> RecallResults:
    """Return the shipped results; where they cannot be read, say so and go on without."""
    try:
        return page.shipped(RecallResults)
    except ResultError as error:
        page.show_error(error, st.warning, icon=":material/hourglass_empty:")
        return RecallResults({}, {}, {})


def provenance(results: RecallResults, protocol: str) -> str:
    """Return what was trained by a protocol, how, on what and when; nothing where nothing was."""
    networks, settings = results.of_protocol(protocol), PROTOCOLS[protocol].settings
    if not networks:
        return ""
    clipped = f", clipped to {settings['clip']:g}" if "clip" in settings else ""
    trained, minutes = results.trained[protocol], sum(each.seconds for each in networks) / 60
    return (
        f"{len(networks):,} networks, {PROTOCOLS[protocol].title} · {VOCABULARY} symbols ·"
        f" {settings['epochs']} epochs, learning rate {settings['learning_rate']:g}{clipped} ·"
        f" {trained.device}, {minutes:,.0f} min in all · {trained.date[:10]}"
    )


def accuracy_chart(
    points: list[RecallPoint],
    lengths: tuple[int, int],
    *,
    judged_by: str = TRAINED_ON,
    live: dict[str, list[tuple[int, float]]] | None = None,
    guess: page.Guesses | None = None,
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
        title, length, accuracies = TITLES[point.backbone], point.length, point.accuracies
        lines.setdefault(title, []).append((length, point.mean))
        bands.setdefault(title, []).append((length, min(accuracies), max(accuracies)))
    is_comparable = judged_by == TRAINED_ON and live is None
    dots = {
        f"published: {TITLES[name]}": list(shares.items())
        for name, shares in _PUBLISHED.items()
        if is_comparable and TITLES[name] in lines
    }
    ticks = tuple(tick for tick in _TICKS if lengths[0] <= tick <= lengths[1])
    return page.line_chart(
        lines,
        STYLES,
        page.Axis("length L of the sequence (symbols)", lengths, True, ticks),
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
    return pd.DataFrame(
        {
            "Backbone": TITLES[point.backbone],
            "L": point.length,
            "Mean": round(point.mean, 4),
            "Lowest": round(min(point.accuracies), 4),
            "Highest": round(max(point.accuracies), 4),
            "Seeds": len(point.accuracies),
            "Published": _PUBLISHED.get(point.backbone, {}).get(point.length),
            "Parameters": point.parameter_count,
        }
        for point in points
    )


def memory_or_counting(points: list[RecallPoint]) -> None:
    """Draw how much of each backbone's accuracy is left where every later symbol is random."""
    frame = pd.DataFrame(
        {
            "model": TITLES[point.backbone],
            "first": point.mean,
            "second": point.shuffled().mean,
            "colour": STYLES[TITLES[point.backbone]].colour,
        }
        for point in points
    )
    lost = max(points, key=lambda point: point.mean - point.shuffled().mean)
    title = (
        f"At L = {lost.length}, the {TITLES[lost.backbone]} falls from {percent(lost.mean)} to"
        f" {percent(lost.shuffled().mean)} once it can no longer count"
    )
    st.markdown(f"**{title}**")
    rows = frame.itertuples()
    shares = (f"{row.model}: {percent(row.first, 1)}, {percent(row.second, 1)}" for row in rows)
    page.show_chart(
        share_pairs(frame, title="right last answers (hollow: shuffled sequences)"),
        frame.drop(columns="colour"),
        key="recall_shuffled",
        alt=f"{title}. {'; '.join(shares)}",
        name="rnn-vs-lstm-shuffled",
    )


def _chances(lengths: tuple[int, int], judged_by: str) -> dict[str, list[tuple[int, float]]]:
    """Return the lines of a blind guess, and of one that sees the last symbol but has no clock."""
    span = range(lengths[0], lengths[1] + 1)
    blind = [(n, blind_chance(VOCABULARY, n)) for n in span]
    said = percent(blind[0][1], 1)
    if judged_by == SHUFFLED:
        return {f"chance {said}": blind}
    return {"": blind, f"chance 1 / L, blind {said}": [(n, clockless_chance(n)) for n in span]}
