"""Train networks of growing size on a text whose entropy is known: the runs that a class makes, made beforehand."""

from functools import partial
from itertools import product

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.thirty_runs import lengths, scaling
from lm_core.rng import generator


@experiment(
    "train networks of growing size on a text whose entropy is known: does their loss fall on a line?",
    scaling.ScalingResults,
)
def run(report: Report) -> scaling.ScalingResults:
    """Train every size at every rate, and every cell at every length, from several seeds."""
    source = scaling.shipped_source()
    trained = partial(scaling.train_from_all_seeds, source, source.draw(generator(0)))
    found = (
        report.each(trained(s, r) for r, s in product(scaling.RATES, scaling.ALL_SIZES)),
        report.each(trained(s, r) for s, r in product(scaling.SWEPT_SIZES, scaling.SWEPT)),
        report.each(lengths.recall_from_all_seeds(*network) for network in lengths.NETWORKS),
    )
    made = report.provenance(steps=scaling.STEPS, batch=scaling.BATCH, seeds=scaling.SEEDS)
    return scaling.ScalingResults(made, round(source.entropy, 5), *found)
