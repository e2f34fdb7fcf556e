"""What is reported of k-means and of Gaussian mixtures."""

from functools import partial

from lm_core.experiments.published_figures.record import (
    IN_SPREAD,
    NEVER_ABOVE,
    NEVER_BELOW,
    Ours,
    PublishedFigure,
    Verdict,
    judged,
    of_seeds,
    within,
)
from lm_core.experiments.published_figures.repetitions import BALANCED, UNBALANCED
from lm_core.experiments.published_figures.sources import Sources

_NOTES = "Repository christianb93/MachineLearning, doc/GMM"
_BLOG = "Blog post on k-means and Gaussian mixtures"
_IRIS = {
    "data": "Iris",
    "clusters": "3",
    "initialisation": "random points",
}
_FROM_CLUSTERS = _IRIS | {"em_initialisation": "from the k-means clusters"}
_BEST, _FLOWERS = 5, 150
_MANY = 5
"""Wrong points of a drawing of 100 that are called many."""


def _em_errors(sources: Sources) -> Ours:
    errors = [restart.em_errors for restart in sources.repetitions.iris]
    return Ours(
        min(errors),
        f"{errors.count(min(errors))} of {len(errors)} random starts end at {min(errors)} errors, the"
        f" others at up to {max(errors)}.",
        min(errors),
        max(errors),
        len(errors),
        values=tuple(errors),
    )


def _em_loss(sources: Sources) -> Ours:
    restarts = sources.repetitions.iris
    fewest = min(restarts, key=lambda restart: restart.em_errors)
    lowest = min(restarts, key=lambda restart: restart.em_loss)
    return Ours(
        fewest.em_loss,
        f"With {fewest.em_errors} errors it is {fewest.em_loss:.1f}. The lowest of all starts is"
        f" {lowest.em_loss:.1f}, with {lowest.em_errors} errors: the likeliest groups are not the species.",
        seeds=len(restarts),
    )


def _bad_loss(sources: Sources) -> Ours:
    losses = [restart.em_loss for restart in sources.repetitions.iris]
    at_least = sum(loss >= 199.5 for loss in losses)
    return of_seeds(
        losses,
        f"{at_least} of {len(losses)} random starts end at 200 or above; they lie between"
        f" {min(losses):.1f} and {max(losses):.1f}.",
    )


def _bad_errors(sources: Sources) -> Ours:
    shares = [100 * restart.em_errors / _FLOWERS for restart in sources.repetitions.iris]
    beyond = sum(share > 30 for share in shares)
    return Ours(
        max(shares),
        f"The worst of {len(shares)} random starts has {max(shares):.0f} % of the flowers wrong;"
        f" {beyond} of them have more than 30 %.",
        min(shares),
        max(shares),
        len(shares),
    )


def _k_means(sources: Sources) -> Ours:
    errors = [restart.k_means_errors for restart in sources.repetitions.iris]
    return Ours(
        min(errors),
        f"{errors.count(min(errors))} of {len(errors)} random starts end at {min(errors)} errors, none"
        f" lower, and the worst at {max(errors)}.",
        min(errors),
        max(errors),
        len(errors),
    )


def _blobs(name: str, sources: Sources) -> Ours:
    errors = sources.repetitions.blobs[name]
    none, many = errors.count(0), sum(error >= _MANY for error in errors)
    return of_seeds(
        errors,
        f"In {none} of {len(errors)} drawings of 100 points none is wrong, in {many}"
        f" ({many / len(errors):.0%}) {_MANY} or more are; the most is {max(errors)}.",
    )


FIGURES = (
    PublishedFigure(
        "iris-em-errors",
        _NOTES,
        "Irises in the wrong group, EM",
        f"{_BEST}",
        "150 flowers, Gaussian mixture of 3 components, 200 iterations, a good start.",
        _em_errors,
        IN_SPREAD,
        "clustering",
        _FROM_CLUSTERS,
        "of 150",
    ),
    PublishedFigure(
        "iris-em-loss",
        _NOTES,
        "Negative log-likelihood of the irises, EM",
        "181",
        "150 flowers, Gaussian mixture of 3 components, a good start: about.",
        _em_loss,
        within(1.0, "they say about"),
        "clustering",
        _FROM_CLUSTERS,
    ),
    PublishedFigure(
        "iris-bad-loss",
        _NOTES,
        "The same after a bad start",
        "200",
        "150 flowers, Gaussian mixture of 3 components: about.",
        _bad_loss,
        IN_SPREAD,
        "clustering",
        _IRIS,
    ),
    PublishedFigure(
        "iris-bad-errors",
        _NOTES,
        "Most irises in the wrong group, EM",
        "30",
        "150 flowers, Gaussian mixture of 3 components: up to, after bad starts.",
        _bad_errors,
        NEVER_ABOVE,
        "clustering",
        _IRIS,
        "%",
    ),
    PublishedFigure(
        "iris-k-means",
        _NOTES,
        "Fewest irises in the wrong group, k-means",
        "16",
        "150 flowers, 3 clusters: never below.",
        _k_means,
        NEVER_BELOW,
        "clustering",
        _IRIS,
        "of 150",
    ),
    PublishedFigure(
        "k-means-equal-groups",
        _BLOG,
        "Wrong points of two equal groups, k-means",
        "0",
        "100 points around (5, 1) and (1, 4), standard deviation 0.6, 10 iterations; one drawing.",
        partial(_blobs, BALANCED),
        IN_SPREAD,
        "clustering",
        {"data": BALANCED, "clusters": "2"},
        "of 100",
    ),
    PublishedFigure(
        "k-means-unequal-groups",
        _BLOG,
        "Wrong points of groups of 95 and 5 %, k-means",
        "many",
        "100 points, standard deviations 0.8 and 0.5, 10 iterations; one drawing.",
        partial(_blobs, UNBALANCED),
        judged(Verdict.HOLDS),
        "clustering",
        {"data": UNBALANCED, "clusters": "2"},
        "of 100",
    ),
)
