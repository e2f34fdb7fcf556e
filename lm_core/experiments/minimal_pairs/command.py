"""Which of two sentences does a model find likelier, the English one or the other? By phenomenon."""

from lm_core.experiments.commands import Report, experiment, flag, models, option
from lm_core.experiments.minimal_pairs.benchmark import load_kinds
from lm_core.experiments.minimal_pairs.measuring import score_models, table
from lm_core.experiments.minimal_pairs.results import MinimalPairResults
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM


@experiment(
    "score language models on minimal pairs of sentences",
    MinimalPairResults,
    models(f"shipped names or folders, or {UNIGRAM} (default: all that read the book)"),
    option(
        "--pairs", help="of each kind of the benchmark, the first ones (default: all)", type=int
    ),
    flag("--ours", "score our own pairs alone; the benchmark's rows stay"),
)
def run(report: Report) -> MinimalPairResults:
    """Score each kind and our own pairs by each model; models not named keep the rows that they have."""
    kept = report.found(MinimalPairResults) or MinimalPairResults({}, ())
    kinds = [] if report.options.ours else load_kinds(report.options.pairs)
    made = report.provenance(pairs=report.options.pairs) if kinds else kept.provenance
    new = score_models(report.models(), kinds, made)
    report.each(table(new))
    return kept.updated(new)
