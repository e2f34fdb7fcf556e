"""Search pairs of prompts whose answer changes with one word, and map which cell of the stream decides it."""

from lm_core.experiments.commands import Report, experiment, models
from lm_core.experiments.patching.results import MODELS, PatchingResults
from lm_core.experiments.patching.search import search_with, told


@experiment(
    "find pairs of prompts that differ in one word, and which cell of a transformer decides",
    PatchingResults,
    models("shipped names or folders (default: both writers)"),
)
def run(report: Report) -> PatchingResults:
    """Say what was tried and found by kind, each map, and where the answers are handed over."""
    searches = []
    for name in report.options.models or MODELS:
        searches.append(search_with(name))
        report.each(told(searches[-1]))
    return PatchingResults(report.provenance(), tuple(searches))
