"""The question of the first screen: the most surprising of four words."""

from collections.abc import Sequence
from typing import NamedTuple

from lm_core.analysis.surprisal import WordSurprisal
from pages.shared import page
from pages.shared.ui.markdown import as_code
from pages.surprisal.picture import Marks

_RANKS = (0, 3, 9, 20)
"""Places of the words that are offered, among all words from the most surprising on."""
_LONGEST = 16
"""Letters of a word that is offered."""


class Asked(NamedTuple):
    """The words among which the most surprising one is to be found."""

    # places among the text's words by the word, in the order of the text; the most surprising one
    # is among them
    places: dict[str, int]
    answer: str


def words_to_ask(words: Sequence[WordSurprisal]) -> Asked | None:
    """Return four different words of a text, one of them the most surprising; None if there are too few."""
    first: dict[str, int] = {}
    for place in sorted(range(len(words)), key=lambda i: -words[i].bits):
        spelled = words[place].word.strip(".,;:!?\"'()")
        if spelled.isalpha() and len(spelled) <= _LONGEST:
            first.setdefault(spelled, place)
    by_bits = list(first)
    if len(by_bits) <= _RANKS[-1]:
        return None
    chosen = sorted((by_bits[rank] for rank in _RANKS), key=first.__getitem__)
    return Asked({word: first[word] for word in chosen}, by_bits[0])


def ask(asked: Asked, words: Sequence[WordSurprisal], name: str) -> Marks:
    """Ask, and return what the picture marks: the four words, or the guess and the answer.

    `name`: str, unique to the text and the model: another text is another question.
    """
    bits = {word: words[place].bits for word, place in asked.places.items()}
    others = ", ".join(f"{as_code(word)} {bits[word]:.0f}" for word in bits if word != asked.answer)
    question = page.ask(
        None,
        f"surprisal_{name}",
        "Which of the four outlined words surprises the model most?",
        asked.places,
        right=asked.answer,
        reason=f"{as_code(asked.answer)} has **{bits[asked.answer]:.0f} bits**, because the words before"
        f" it hardly led to it; {others}.",
    )
    if question.masks:
        return Marks(asked=tuple(asked.places.values()))
    return Marks(guess=question.value, answer=asked.places[asked.answer])
