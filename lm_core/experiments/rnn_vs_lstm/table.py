"""What both protocols came to, as a table in Markdown, the published figures first."""

from collections.abc import Iterator

from lm_core.experiments.published import RECALL_LENGTHS, RECALL_LSTM, RECALL_RNN
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint, RecallResults
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS

_LENGTHS_SHOWN = (8, 10, 12, 14, 16, 18, 30, 50, 100)
_FULL_BAND = 20  # seeds


def table() -> Iterator[str]:
    """Yield the lines of a Markdown table: a row for each backbone and protocol, the published first."""
    columns = [f"L = {length}" for length in _LENGTHS_SHOWN]
    titles = ["Backbone", "Parameters", "Training", *columns, "L = 18, shuffled"]
    yield _row(titles)
    yield _row(["---"] * len(titles))
    for title, figures in {"RNN": RECALL_RNN, "LSTM": RECALL_LSTM}.items():
        known = dict(zip(RECALL_LENGTHS, figures, strict=True))
        cells = [f"*{known[n]:.3f}*" if n in known else "" for n in _LENGTHS_SHOWN]
        yield _row([f"*Published {title}, one run*", "", "original settings", *cells, ""])
    results = RecallResults.load()
    for protocol in results.trained:
        points = results.points(protocol)
        for backbone in dict.fromkeys(point.backbone for point in points):
            by_length = {point.length: point for point in points if point.backbone == backbone}
            cells = [_cell(by_length[n]) if n in by_length else "" for n in _LENGTHS_SHOWN]
            at_18 = by_length.get(18)
            size = f"{at_18.parameter_count:,}" if at_18 else ""
            shuffled = f"{at_18.shuffled().mean:.3f}" if at_18 else ""
            titles = [BACKBONES[backbone].title, size, PROTOCOLS[protocol].title]
            yield _row([*titles, *cells, shuffled])


def _cell(point: RecallPoint) -> str:
    """Return a mean, its range unless all seeds agree, and the number of seeds unless it is 20."""
    low, high = min(point.accuracies), max(point.accuracies)
    text = f"{point.mean:.3f}"
    if f"{low:.2f}" != f"{high:.2f}":
        text += f" ({low:.2f} to {high:.2f})"
    n_seeds = len(point.accuracies)
    return text if n_seeds == _FULL_BAND else f"{text}, {n_seeds} seed{'s' * (n_seeds > 1)}"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
