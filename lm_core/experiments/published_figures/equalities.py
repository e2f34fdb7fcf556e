"""Claims that two computations are one: what was written by hand, or in another order, equals torch's layer."""

from collections.abc import Sequence

from lm_core.experiments.published_figures.record import Ours, reads
from lm_core.experiments.published_figures.sources import Sources


def _of_differences(differences: Sequence[float], reason: str) -> Ours:
    """Return the largest of some differences, over as many random networks."""
    largest = max(differences)
    words = f"differs by {largest:.1e}"
    return Ours(largest, reason, seeds=len(differences), words=words)


@reads("by_hand")
def _by_hand(sources: Sources, compared: str) -> Ours:
    """Return how far a layer by hand is from torch's; `compared` is one of `results.EQUALITIES`."""
    differences = sources.repetitions.differences[compared]
    return _of_differences(
        differences,
        f"Over {len(differences)} random networks the outputs differ by {max(differences):.1e} at most.",
    )


@reads("in_another_order")
def _in_another_order(sources: Sources, permuted: str) -> Ours:
    """Return how much a reversed input changes; `permuted` is one of `results.PERMUTED`."""
    found = sources.repetitions.permutations[permuted]
    differences = [one.difference for one in found]
    return _of_differences(
        differences,
        f"In {len(found)} random networks the outputs differ by {max(differences):.1e} at most,"
        " which is rounding. torch.allclose with its own tolerances calls"
        f" {sum(one.is_close for one in found)} of {len(found)} equal.",
    )
