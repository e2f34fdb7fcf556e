"""Where greedy decoding leaves the best beam, as the question asks."""

from lm_core.generation.beam_tree import BeamTree
from lm_core.generation.translation import Translation
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention.alignment import as_quote
from pages.shared import page
from pages.shared.ui.markdown import as_code

_SAME, _FIRST_HALF, _SECOND_HALF = (
    "Nowhere: it is the same",
    "In its first half",
    "In its second half",
)


def halves(n_tokens: int) -> dict[str, tuple[float, float] | None]:
    """Return between which tokens the two part by each answer; the middle one of an odd number is in the first half."""
    middle, end = float(_first_half(n_tokens)), float(n_tokens)
    return {_SAME: None, _FIRST_HALF: (0.0, middle), _SECOND_HALF: (middle, end)}


def where_they_part(greedy: Translation, tree: BeamTree, length_penalty: float) -> tuple[str, str]:
    """Return the right answer, and why it is."""
    best = tree.hypotheses[0]
    found = shipped_vocabulary().decode(best.tokens)
    place = _first_difference(best.tokens, greedy.target_ids)
    if place is None:
        return _SAME, (
            f"Both write {as_quote(found)}, because here the most probable token each time also"
            " leads to the best sentence that the beams find."
        )
    ours, theirs = (
        as_code(shipped_vocabulary().decode(tokens[place : place + 1]) or "■")
        for tokens in (best.tokens, greedy.target_ids)
    )
    both = (
        f"Its log-probability is **{best.log_probability:.1f}**, greedily"
        f" **{greedy.log_probability:.1f}**."
        if page.is_presenting()  # the title has the best one, and the tree both
        else f"The best of the beams is {as_quote(found)}, log-probability"
        f" **{best.log_probability:.1f}**; the greedy translation is {as_quote(greedy.text)},"
        f" **{greedy.log_probability:.1f}**."
    )
    why = (
        "Greedy decoding takes the best token of the moment and cannot take it back, so it misses a"
        " sentence that begins less well and ends better."
        if best.log_probability > greedy.log_probability
        else "The greedy sentence is more probable as a whole. The other one is longer, and wins"
        " because log-probabilities are divided by a power of the length."
        if best.log_probability / len(best.tokens) ** length_penalty
        > greedy.log_probability / len(greedy.target_ids) ** length_penalty
        else "The greedy sentence is more probable as a whole, but its beginning was dropped, because as many"
        " others as there are beams were more probable at that place."
    )
    n = len(best.tokens)
    is_early = place < _first_half(n)
    reason = f"At token {place + 1} of {n}: {ours} instead of {theirs}. {why} {both}"
    return _FIRST_HALF if is_early else _SECOND_HALF, reason


def _first_half(n: int) -> int:
    """Return how many of n tokens are the first half, the one in the middle included."""
    return (n + 1) // 2


def _first_difference(first: tuple[int, ...], second: tuple[int, ...]) -> int | None:
    """Return the first place at which two sequences differ; None for equal ones."""
    if first == second:
        return None
    pairs = zip(first, second, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
