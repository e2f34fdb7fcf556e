"""Train CNNs and multilayer perceptrons of equal size on digits and on names, and score them."""

from itertools import product

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.convolution import study
from lm_core.experiments.convolution.digits import load_digits, split_digits
from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.training import DIGIT_TRAINING, NAME_TRAINING, PLACES
from lm_core.text.names import load_names, split_names


@experiment(
    "train CNNs and MLPs of equal size on digits and on names, and score them",
    ConvolutionResults,
    option("--digit-seeds", study.DIGIT_SEEDS),
    option("--name-seeds", study.NAME_SEEDS),
)
def run(report: Report) -> ConvolutionResults:
    """Train each network from each seed; the weights of the first are stored."""
    names = split_names(load_names())  # first: without them nothing is trained in vain
    parts = split_digits(load_digits())
    kinds = product(study.DIGIT_NETWORKS, PLACES, range(report.options.digit_seeds))
    digits = [(report(s), n) for s, n in (study.study_digits(*kind, *parts) for kind in kinds)]
    named = product(study.NAME_NETWORKS, range(report.options.name_seeds))
    of_names = [(report(s), n) for s, n in (study.study_names(*kind, names) for kind in named)]
    trainings = {"digits": DIGIT_TRAINING, "names": NAME_TRAINING}
    made = report.provenance(seconds=report.processor_seconds, **trainings)
    return ConvolutionResults.of_study(made, digits, of_names, names.train)
