"""Train networks of growing size on a text whose entropy is known: the runs that a class makes, made beforehand."""

from functools import partial
from itertools import product

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.thirty_runs import lengths, scaling
from lm_core.experiments.thirty_runs.scaling import swept_by
from lm_core.rng import generator


@experiment(
    "train networks of growing size on a text whose entropy is known: does their loss fall on a line?",
    scaling.ScalingResults,
)
def run(report: Report) -> scaling.ScalingResults:
    """Train every size at every rate, by every optimizer, with every dropout, and every cell at every length."""
    source = scaling.shipped_source()
    examples = source.draw(generator(0))
    trained = partial(scaling.train_from_all_seeds, source, examples)
    dropped = partial(scaling.train_with_dropout, source, examples)
    found = (
        report.each(trained(s, r) for r, s in product(scaling.RATES, scaling.ALL_SIZES)),
        {by: report.each(trained(*row, by) for row in swept_by(by)) for by in scaling.SWEPT_BY},
        report.each(lengths.recall_from_all_seeds(*network) for network in lengths.NETWORKS),
        report.each(dropped(n, rate) for n, rate in product(scaling.FEW, scaling.DROPOUTS)),
    )
    made = report.provenance(steps=scaling.STEPS, batch=scaling.BATCH, seeds=scaling.SEEDS)
    return scaling.ScalingResults(made, round(source.entropy, 5), *found)
