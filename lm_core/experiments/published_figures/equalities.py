"""Claims that two computations are one: what was written by hand, or in another order, equals torch's layer."""

from collections.abc import Callable, Sequence

from lm_core.experiments.published_figures.record import Ours, PublishedFigure, Rule, within
from lm_core.experiments.published_figures.sources import Sources

ROUNDING = within(1e-6, "eight times what a 32-bit number near 1 can be off")


def of_differences(differences: Sequence[float], reason: str) -> Ours:
    """Return the largest of some differences, over as many random networks."""
    largest = max(differences)
    words = f"differs by {largest:.1e}"
    return Ours(largest, reason, seeds=len(differences), words=words)


def _equal(name: str) -> Callable[[Sources], Ours]:
    def ours(sources: Sources) -> Ours:
        differences = sources.repetitions.differences[name]
        return of_differences(
            differences,
            f"Over {len(differences)} random networks the outputs differ by {max(differences):.1e} at"
            " most.",
        )

    return ours


def _permuted(name: str) -> Callable[[Sources], Ours]:
    def ours(sources: Sources) -> Ours:
        found = sources.repetitions.permutations[name]
        differences = [one.difference for one in found]
        return of_differences(
            differences,
            f"In {len(found)} random networks the outputs differ by {max(differences):.1e} at most,"
            " which is rounding. torch.allclose with its own tolerances calls"
            f" {sum(one.is_close for one in found)} of {len(found)} equal.",
        )

    return ours


def by_hand(
    name: str, document: str, measured: str, protocol: str, page: str, compared: str
) -> PublishedFigure:
    """Return the figure ``True`` of a layer by hand; `compared` is one of `results.EQUALITIES`."""
    ours = _equal(compared)
    return PublishedFigure(name, document, measured, "True", protocol, ours, ROUNDING, page)


def in_another_order(
    name: str,
    document: str,
    measured: str,
    protocol: str,
    permuted: str,
    *,
    written: str = "True",
    rule: Rule = ROUNDING,
) -> PublishedFigure:
    """Return a figure about a reversed input; `permuted` is one of `results.PERMUTED`."""
    ours, part = _permuted(permuted), {"part": "Equal words"}
    return PublishedFigure(
        name, document, measured, written, protocol, ours, rule, "positional-encoding", part
    )
