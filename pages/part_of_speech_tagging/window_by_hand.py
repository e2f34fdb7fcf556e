"""One window multiplied by hand, and what becomes of it as the window grows or a word is deleted."""

import streamlit as st

from lm_core.experiments.part_of_speech_tagging.worked_window import (
    LONGEST,
    PAD,
    TAGS,
    VECTORS,
    WIDTH,
    WorkedWindow,
    padding_share,
    worked_window,
)
from pages.shared import page
from pages.shared.numbers import percent


def window_by_hand() -> None:
    """Draw the choice of word and window, and the product of each place."""
    words = tuple(VECTORS)
    word = page.segments("worked_word", "Word to be tagged", words, "the")
    n = page.slider("worked_window", "Words to either side", 0, LONGEST, 2, width=220)
    place = words.index(word)
    found = worked_window(words, place, n)
    page.show_rows(
        ("Word", "its numbers", f"weights for *{TAGS[0]}*", "products", "sum"),
        [_row(found, i) for i in range(len(found.words))],
        sideways="worked_window_rows",
    )
    st.markdown(_explained(found, words, place, n))


def _row(found: WorkedWindow, i: int) -> tuple[str, ...]:
    numbers, weights = found.vectors[i].tolist(), found.weights[i, :, 0].tolist()
    products = [a * b for a, b in zip(numbers, weights, strict=True)]
    return (found.words[i], *map(_listed, (numbers, weights, products)), _signed(sum(products)))


def _explained(found: WorkedWindow, words: tuple[str, ...], place: int, n: int) -> str:
    scores = ", ".join(
        f"*{tag}* {_signed(score)}" for tag, score in zip(TAGS, found.scores.tolist(), strict=True)
    )
    shorter = words[:-2] + words[-1:]
    last = worked_window(words, len(words) - 1, n).words
    after = worked_window(shorter, len(shorter) - 1, n).words
    moved = sum(a != b for a, b in zip(last, after, strict=True))
    return (
        f"The {found.vectors.numel()} numbers stand one behind another as x, and W has the shape"
        f" [{found.vectors.numel()}, {len(TAGS)}]: a row for each number, a column for each tag. The sums add up to"
        f" the scores x W: {scores}. Each place has weights of its own, so the network knows which word"
        f" is the one in the middle. *{PAD}* fills what lies beyond the sentence, because every window must be"
        " equally long; here it is zeros.\n\n"
        "A longer window is no remedy, for three reasons. "
        f"**Weights**: {found.n_weights} here, {2 * WIDTH * len(TAGS)} more for each further word on either side."
        f" **Padding**: {percent(padding_share(words, n))} of all places hold *{PAD}*, so the weights far out"
        f" mostly meet zeros. **Shift**: delete *{words[-2]}*, and in the window of *{words[-1]}* {moved} of"
        f" {len(last)} places hold another word, although the sentence means nearly the same."
    )


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(_signed, numbers))


def _signed(number: int) -> str:
    return str(number).replace("-", "−")
