"""Which of two sentences does a model find likelier, the English one or the other? By phenomenon."""

from lm_core.experiments.commands import Report, experiment, models, option
from lm_core.experiments.minimal_pairs.benchmark import load_kinds
from lm_core.experiments.minimal_pairs.measuring import score_kinds, table
from lm_core.experiments.minimal_pairs.results import MinimalPairResults


@experiment(
    "score language models on minimal pairs of sentences",
    MinimalPairResults,
    models("shipped names or folders (default: all that read the book)"),
    option("--pairs", help="of each kind, the first ones (default: all)", type=int),
)
def run(report: Report) -> MinimalPairResults:
    """Score each kind by each model; models not named keep the rows that they have."""
    pairs, kept = report.options.pairs, report.kept(MinimalPairResults)
    kinds = load_kinds(pairs)
    scores = [score for name in report.models() for score in score_kinds(name, kinds)]
    scored = sorted({score.model for score in scores})
    others = (score for score in (kept.scores if kept else ()) if score.model not in scored)
    results = MinimalPairResults(report.provenance(pairs=pairs), (*others, *scores))
    report.each(table(results, scored))
    return results
