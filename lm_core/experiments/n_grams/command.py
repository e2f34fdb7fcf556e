"""Count the n-grams of the names and of War and Peace, and score every smoothing on held-out text."""

import time

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.n_grams import scoring
from lm_core.experiments.n_grams.results import BOOK, NAMES, NGramResults, NGramScore, StoredTable


@experiment("count n-grams, and score every smoothing on held-out text", NGramResults)
def run(report: Report) -> NGramResults:
    """Score each text and n; what is shipped are counts that are high enough."""
    began = time.process_time()
    scores: list[NGramScore] = []
    stored: dict[str, tuple[StoredTable, ...]] = {}
    for name, divided in ((NAMES, scoring.divided_names()), (BOOK, scoring.divided_book())):
        scores += report.each(scoring.score_text(name, divided))
        counted = zip(scoring.count(divided.train, divided), scoring.MINIMUM[name], strict=True)
        stored[name] = tuple(StoredTable.of(table.after(minimum)) for table, minimum in counted)
    all_names = scoring.bigrams_of_all_names()
    report(f"bigrams of all names on all names: {all_names:.4f} nats")
    made = report.provenance(seconds=time.process_time() - began, **scoring.MADE_FROM)
    return NGramResults(made, tuple(scores), all_names, dict(scoring.MINIMUM), stored)
