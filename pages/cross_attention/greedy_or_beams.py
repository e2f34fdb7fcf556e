"""Where greedy decoding leaves the best beam, as the question asks."""

from lm_core.generation.beam_tree import BeamTree
from lm_core.generation.translation import Translation
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention.alignment import as_quote
from pages.shared import page
from pages.shared.ui.lesson import Prediction, show_verdict
from pages.shared.ui.markdown import as_code

SAME, FIRST_HALF, SECOND_HALF = (
    "Nowhere: it is the same",
    "In its first half",
    "In its second half",
)


def middle_of(n_tokens: int) -> float:
    """Return after how many tokens the second half begins; the middle one of an odd number is in the first."""
    return float((n_tokens + 1) // 2)


def say_verdict(
    prediction: Prediction, greedy: Translation, tree: BeamTree, place: int | None
) -> None:
    """Say, once it was guessed, where the two part, and why."""
    best = tree.hypotheses[0]
    found = shipped_vocabulary().decode(best.tokens)
    if place is None:
        right, reason = (
            SAME,
            (
                f"Both write {as_quote(found)}, because here the most probable token each time also"
                " leads to the most probable sentence that the beams find."
            ),
        )
    else:
        right = FIRST_HALF if place < middle_of(len(best.tokens)) else SECOND_HALF
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
        )
        reason = (
            f"At token {place + 1} of {len(best.tokens)}: {ours} instead of {theirs}. {why} {both}"
        )
    show_verdict(prediction, right=right, reason=reason)


def first_difference(first: tuple[int, ...], second: tuple[int, ...]) -> int | None:
    """Return the first place at which two sequences differ; None for equal ones."""
    if first == second:
        return None
    pairs = zip(first, second, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
