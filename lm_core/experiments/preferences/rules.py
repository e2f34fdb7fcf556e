"""What is liked, as rules that anybody can check: a number for a text, from its characters alone."""

import re
from collections.abc import Callable
from typing import NamedTuple

DIALOGUE, CALM, SHORT = "more dialogue", "calmer", "shorter sentences"

CALM_WORDS = frozenset(
    (
        "calm calmly evening gentle gently kind kindly peace peaceful quiet quietly rest silence "
        "silent silently sleep slow slowly smile smiled smiling soft softly tender tenderly warm"
    ).split()
)
AGITATED_WORDS = frozenset(
    (
        "afraid anger angrily angry battle blood cannon cried cry death despair enemy fear fire "
        "hurried killed loud loudly ran rage rushed scream screamed shot shouted shouting shouts "
        "suddenly terrible terror war wept wounded"
    ).split()
)
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
_QUOTES = '"“”'
_ENDS = re.compile(r"[.!?]")


class Rule(NamedTuple):
    """A rule that judges texts."""

    name: str
    formula: str
    """The rule in words, as exact as the code."""
    latex: str
    """The rule as a formula."""
    score: Callable[[str], float]
    """Callable of str -> float. In -1..1; 0 for a text without words."""


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case: letters, with apostrophes between them."""
    return [word.lower() for word in _WORD.findall(text)]


def dialogue_share(text: str) -> float:
    """Return the share of the characters that stand inside quotation marks, in 0..1.

    A quotation mark opens or closes in turn; what is never closed goes on to the end.
    """
    inside, is_open = 0, False
    for character in text:
        if character in _QUOTES:
            is_open = not is_open
        else:
            inside += is_open
    n_characters = sum(character not in _QUOTES for character in text)
    return inside / n_characters if n_characters else 0.0


def calmness(text: str) -> float:
    """Return calm words less agitated words and exclamation marks, per word, in -1..1."""
    words = words_of(text)
    if not words:
        return 0.0
    calm = sum(word in CALM_WORDS for word in words)
    agitated = sum(word in AGITATED_WORDS for word in words) + text.count("!")
    return max(-1.0, (calm - agitated) / len(words))


def sentence_ends(text: str) -> float:
    """Return the number of full stops, question and exclamation marks per word, at most 1."""
    words = words_of(text)
    return min(1.0, len(_ENDS.findall(text)) / len(words)) if words else 0.0


RULES = {
    rule.name: rule
    for rule in (
        Rule(
            DIALOGUE,
            "characters between quotation marks, divided by all characters",
            r"r = \frac{\text{characters between quotation marks}}{\text{all characters}}",
            dialogue_share,
        ),
        Rule(
            CALM,
            "calm words less agitated words and exclamation marks, divided by all words",
            r"r = \frac{\text{calm words} - \text{agitated words} - \text{number of !}}"
            r"{\text{all words}}",
            calmness,
        ),
        Rule(
            SHORT,
            "full stops, question and exclamation marks, divided by words; at most 1",
            r"r = \min\left(1, \frac{\text{number of . ? !}}{\text{all words}}\right)",
            sentence_ends,
        ),
    )
}
