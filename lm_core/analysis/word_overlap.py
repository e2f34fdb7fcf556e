"""Which words two texts have in common, each as often as both have it."""

from collections import Counter
from collections.abc import Sequence


def shared_places(words: Sequence[str], other: Sequence[str]) -> list[bool]:
    """Return for each word of a text whether another text has it, too, and as often so far; case counts.

    Examples
    --------
    >>> shared_places(["un", "chien", "et", "un", "chat"], ["un", "chat"])
    [True, False, False, False, True]
    """
    left = Counter(other)
    shared = []
    for word in words:
        shared.append(left[word] > 0)
        left[word] -= 1
    return shared


def share_kept(words: Sequence[str], other: Sequence[str]) -> float:
    """Return the share of a text's words that another one has, 0 to 1; 1 of none."""
    kept = shared_places(words, other)
    return sum(kept) / len(kept) if kept else 1.0
