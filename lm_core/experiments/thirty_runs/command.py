"""Train networks of growing size on a text whose entropy is known: the runs that a class makes, made beforehand."""

from collections.abc import Iterator

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.thirty_runs import scaling
from lm_core.rng import generator


@experiment(
    "train networks of growing size on a text whose entropy is known: does their loss fall on a line?",
    scaling.ScalingResults,
)
def run(report: Report) -> scaling.ScalingResults:
    """Train every size at every rate from several seeds."""
    source = scaling.shipped_source()
    examples = source.draw(generator(0))

    def trained() -> Iterator[scaling.ScaledNetwork]:
        for rate in scaling.RATES:
            for size in (*scaling.SIZES, scaling.NEXT):
                above = (
                    scaling.loss_above_entropy(source, examples, size, rate, seed)
                    for seed in range(scaling.SEEDS)
                )
                n = scaling.network_of(size, source.following.shape[1]).parameter_count
                yield scaling.ScaledNetwork(rate, n, tuple(round(nats, 5) for nats in above))

    made = report.provenance(steps=scaling.STEPS, batch=scaling.BATCH, seeds=scaling.SEEDS)
    return scaling.ScalingResults(made, round(source.entropy, 5), report.each(trained()))
