"""The text in the colours of its surprisal: by token or word, for one model or between two."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from lm_core.analysis.surprisal import TextScores, WordSurprisal, rank_limits
from pages.shared import page
from pages.shared.charts.predictions import percentage
from pages.shared.components.texts import (
    ANSWER,
    FIRST,
    GUESS,
    MASKED,
    RANKS,
    SECOND,
    SURPRISING,
    Tint,
    tinted_text,
)
from pages.shared.ui.text_input import TEXT_CHARACTERS
from pages.surprisal.readers import Reader

BY_SURPRISAL, BY_RANK = "Surprisal", "Rank"
_FULL_BITS = 14.0
"""Bits of a token, or between two models of a word, that take the full colour."""
_PASSAGE = 2_000
"""Tokens that are drawn of a longer text."""
_STRONGEST = 85


class Marks(NamedTuple):
    """Words that are asked about, guessed, and right, by their places among the words."""

    asked: Collection[int] = ()
    guess: int | None = None
    answer: int | None = None

    def roles(self, word: int) -> tuple[str, ...]:
        """Return the marks of a word."""
        roles = [MASKED] if word in self.asked else []
        roles += [GUESS] if word == self.guess else []
        roles += [ANSWER] if word == self.answer else []
        return tuple(roles)


def draw_text(
    reader: Reader,
    text: str,
    scores: TextScores,
    words: Sequence[WordSurprisal],
    coloured_by: str,
    marks: Marks,
    inspected: int | None,
) -> int | None:
    """Draw the text token by token, and return the place of the token just tapped, if any."""
    vocabulary = reader.vocabulary
    spelled = vocabulary.spell(scores.ids)
    first = _choose_passage(len(spelled))
    last = min(len(spelled), first + _PASSAGE) if len(spelled) > TEXT_CHARACTERS else len(spelled)
    limits = rank_limits(vocabulary)
    classes = scores.rank_classes(limits)
    word_of = word_of_token(words, scores.lengths)
    tints = []
    for i in range(first, last):
        roles = marks.roles(int(word_of[i]))
        bits = float(scores.surprisal[i])
        if MASKED in roles:
            tints.append(Tint(roles, 0, "What do you expect?"))
            continue
        if coloured_by == BY_RANK:
            colour, strength = RANKS[classes[i]], 70
        else:
            colour, strength = SURPRISING, _strength(bits)
        reading = (
            f"probability {percentage(2.0**-bits)}, surprisal {bits:.1f} bits, rank"
            f" {scores.ranks[i]:,} of {len(vocabulary):,}"
        )
        tints.append(Tint((colour, *roles), strength, reading))
    clicked = tinted_text(
        spelled[first:last],
        tints,
        key="surprisal_text",
        legend=_legend(coloured_by, limits),
        unit=vocabulary.unit,
        label=f"The text, each {vocabulary.unit} in the colour of its {coloured_by.lower()}",
        inspected=inspected - first
        if inspected is not None and first <= inspected < last
        else None,
        fills_place=page.is_presenting(),
    )
    return None if clicked is None else first + clicked


def draw_difference(
    first: Reader,
    second: Reader,
    words: Sequence[WordSurprisal],
    rival_words: Sequence[WordSurprisal],
    text: str,
) -> None:
    """Draw the text word by word in the colour of the model that expected the word more."""
    begin = _choose_passage(len(words))
    shown = range(begin, min(len(words), begin + _PASSAGE))
    tints = []
    for i in shown:
        difference = rival_words[i].bits - words[i].bits
        reading = (
            f"{words[i].bits:.1f} bits for {first.meta.title}, {rival_words[i].bits:.1f} for"
            f" {second.meta.title}"
        )
        tints.append(
            Tint((FIRST if difference > 0 else SECOND,), _strength(abs(difference)), reading)
        )
    tinted_text(
        [text[words[i].start : words[i].end] for i in shown],
        tints,
        key="surprisal_difference",
        legend=[
            (FIRST, f"{first.meta.title} gave it more probability"),
            (SECOND, f"{second.meta.title} gave it more probability"),
        ],
        unit="word",
        label="The text, each word in the colour of the model that gave it more probability",
        fills_place=page.is_presenting(),
    )


def _strength(bits: float) -> int:
    return round(_STRONGEST * min(1.0, bits / _FULL_BITS))


def _choose_passage(n: int) -> int:
    """Draw where the drawn passage of a long text begins, and return it; 0 for a text drawn whole."""
    if n <= TEXT_CHARACTERS:
        return 0
    starts = list(range(0, n, _PASSAGE))
    return page.pick("passage", "Passage from", starts, format_func=lambda start: f"{start:,}")


def _legend(coloured_by: str, limits: Sequence[int]) -> list[tuple[str, str]]:
    if coloured_by == BY_SURPRISAL:
        return [
            (
                SURPRISING,
                f"the stronger the colour, the more surprising; strongest from {_FULL_BITS:.0f} bits on",
            )
        ]
    labels = [
        "most probable" if limits[0] == 1 else f"top {limits[0]}",
        *(f"top {limit}" for limit in limits[1:]),
        "beyond",
    ]
    return list(zip(RANKS, labels, strict=True))


def word_of_token(words: Sequence[WordSurprisal], lengths: np.ndarray) -> np.ndarray:
    """Return for each token in which word its last character lies."""
    ends = lengths.cumsum()
    return np.searchsorted([word.end for word in words], ends, side="left")
