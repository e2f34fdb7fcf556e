"""Score every head of the shipped transformers of the book, and of their snapshots."""

from pathlib import Path

from lm_core.experiments.attention.head_scores import (
    HELD_OUT,
    WINDOW,
    HeadResults,
    score_model,
    shipped_transformers,
)
from lm_core.experiments.commands import Report, experiment, option


@experiment(
    "score every attention head of the shipped transformers",
    HeadResults,
    option("models", help="checkpoint folders (default: all shipped)", nargs="*", type=Path),
    option("--windows", 128, f"of {WINDOW} tokens that are read"),
)
def run(report: Report) -> HeadResults:
    """Score each; models not named keep the scores that they have."""
    kept, windows = report.kept(HeadResults), report.options.windows
    scores = dict(kept.models) if kept else {}
    for folder in report.options.models or shipped_transformers():
        found = score_model(folder, windows)
        scores[found.model] = found
        report.each(found.lines())
    return HeadResults(report.provenance(windows=windows, window=WINDOW, held_out=HELD_OUT), scores)
