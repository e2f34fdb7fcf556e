"""What is reported of k-means and of Gaussian mixtures."""

from lm_core.experiments.published_figures.record import Ours, of_seeds, reads
from lm_core.experiments.published_figures.sources import Sources

_BEST, _FLOWERS = 5, 150
_MANY = 5  # wrong points of a drawing of 100 that are called many


@reads("errors_of_em")
def _errors_of_em(sources: Sources) -> Ours:
    errors = [restart.em_errors for restart in sources.repetitions.iris]
    return of_seeds(
        errors,
        f"{errors.count(min(errors))} of {len(errors)} random starts end at {min(errors)} errors, the"
        f" others at up to {max(errors)}.",
        min(errors),
    )


@reads("loss_of_em")
def _loss_of_em(sources: Sources) -> Ours:
    restarts = sources.repetitions.iris
    fewest = min(restarts, key=lambda restart: restart.em_errors)
    lowest = min(restarts, key=lambda restart: restart.em_loss)
    return Ours(
        fewest.em_loss,
        f"With {fewest.em_errors} errors it is {fewest.em_loss:.1f}. The lowest of all starts is"
        f" {lowest.em_loss:.1f}, with {lowest.em_errors} errors: the likeliest groups are not the species.",
        seeds=len(restarts),
    )


@reads("losses_of_em")
def _losses_of_em(sources: Sources) -> Ours:
    losses = [restart.em_loss for restart in sources.repetitions.iris]
    at_least = sum(loss >= 199.5 for loss in losses)
    return of_seeds(
        losses,
        f"{at_least} of {len(losses)} random starts end at 200 or above; they lie between"
        f" {min(losses):.1f} and {max(losses):.1f}.",
    )


@reads("most_errors_of_em")
def _most_errors_of_em(sources: Sources) -> Ours:
    shares = [100 * restart.em_errors / _FLOWERS for restart in sources.repetitions.iris]
    beyond = sum(share > 30 for share in shares)
    return of_seeds(
        shares,
        f"The worst of {len(shares)} random starts has {max(shares):.0f} % of the flowers wrong;"
        f" {beyond} of them have more than 30 %.",
        max(shares),
    )


@reads("errors_of_k_means")
def _errors_of_k_means(sources: Sources) -> Ours:
    errors = [restart.k_means_errors for restart in sources.repetitions.iris]
    return of_seeds(
        errors,
        f"{errors.count(min(errors))} of {len(errors)} random starts end at {min(errors)} errors, none"
        f" lower, and the worst at {max(errors)}.",
        min(errors),
    )


@reads("wrong_points")
def _wrong_points(sources: Sources, data: str) -> Ours:
    errors = sources.repetitions.blobs[data]
    none, many = errors.count(0), sum(error >= _MANY for error in errors)
    return of_seeds(
        errors,
        f"In {none} of {len(errors)} drawings of 100 points none is wrong, in {many}"
        f" ({many / len(errors):.0%}) {_MANY} or more are; the most is {max(errors)}.",
    )
