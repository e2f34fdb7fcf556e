"""Tasks on captions, the instructions that name them, and what a right answer is.

A text begins with its instruction, as T5's do: ``first word: A man sleeps.``

References
----------
Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer"
(T5). https://arxiv.org/abs/1910.10683
Wei et al. 2022, "Finetuned Language Models Are Zero-Shot Learners" (FLAN).
https://arxiv.org/abs/2109.01652
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import normalised

TRAINED, REGROUPED, UNKNOWN, NONE = "trained", "regrouped", "unknown", "none"
CONDITIONS = (TRAINED, REGROUPED, UNKNOWN, NONE)
"""A phrasing of the training; a new one of known words; one whose words no instruction had; no instruction."""

COLOURS = frozenset("black white red blue green yellow orange purple pink brown gray grey".split())
NO_COLOUR = "none"
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@dataclass(frozen=True)
class Task:
    """What is to be made of a caption, and how one may ask for it."""

    title: str
    answer: Callable[[SentencePair], str]
    """What is right, of a caption and its French translation."""
    trained: tuple[str, ...]
    """Phrasings that are learned from; of a held-out task none is."""
    regrouped: str
    unknown: str
    is_held_out: bool = False
    is_sentence: bool = False
    """Whether an answer is a translation, of which several are right: it is scored by BLEU."""

    def instruction(self, condition: str, place: int = 0) -> str | None:
        """Return a phrasing under one of the `CONDITIONS`; None if there is none.

        `place`: int, of several phrasings of the training, which one follows.
        """
        if condition == TRAINED:
            return None if self.is_held_out else self.trained[place % len(self.trained)]
        return {REGROUPED: self.regrouped, UNKNOWN: self.unknown, NONE: ""}[condition]


def instructed(instruction: str, sentence: str) -> str:
    """Return what the encoder reads.

    Examples
    --------
    >>> instructed("reverse", "A man sleeps."), instructed("", "A man sleeps.")
    ('reverse: A man sleeps.', 'A man sleeps.')
    """
    return f"{instruction}: {sentence}" if instruction else sentence


def words_of(sentence: str) -> list[str]:
    """Return the words of a sentence without its punctuation.

    Examples
    --------
    >>> words_of("Two young, White males don't sleep.")
    ['Two', 'young', 'White', 'males', "don't", 'sleep']
    """
    return _WORD.findall(normalised(sentence))


def first_colour(sentence: str) -> str:
    """Return the first word that names a colour, in small letters; ``none`` where there is none."""
    words = (word.lower() for word in words_of(sentence))
    return next((word for word in words if word in COLOURS), NO_COLOUR)


def _reversed(sentence: str) -> str:
    return " ".join(reversed(words_of(sentence)))


def _of_french(change: Callable[[str], str]) -> Callable[[SentencePair], str]:
    return lambda pair: change(pair.target)


def _of_english(change: Callable[[str], str]) -> Callable[[SentencePair], str]:
    return lambda pair: change(pair.source)


def _word_at(place: int) -> Callable[[str], str]:
    return lambda sentence: words_of(sentence)[place]


def _phrasings(what: str, *others: str) -> tuple[str, ...]:
    return what, *(f"{other} the {what}" for other in ("give", "say", "what is")), *others


FRENCH, LAST_FRENCH = "french", "last-french"
TASKS = {
    FRENCH: Task(
        "translate",
        _of_french(normalised),
        (
            "translate to French",
            "in French",
            "give the sentence in French",
            "what is the sentence in French",
        ),
        "write the sentence in French",
        "as a Parisian tells it",
        is_sentence=True,
    ),
    "reverse": Task(
        "reverse",
        _of_english(_reversed),
        (
            "reverse",
            "write it backwards",
            "say the sentence backwards",
            "give the words in reverse order",
        ),
        "write the words in reverse order",
        "from right to left",
    ),
    "first": Task(
        "first word",
        _of_english(_word_at(0)),
        _phrasings("first word"),
        "write the first word",
        "the beginning only",
    ),
    "last": Task(
        "last word",
        _of_english(_word_at(-1)),
        _phrasings("last word"),
        "write the last word",
        "the end only",
    ),
    "count": Task(
        "count words",
        _of_english(lambda sentence: str(len(words_of(sentence)))),
        ("how many words", "count the words", *_phrasings("number of words")[1:]),
        "write how many words",
        "length",
    ),
    "colour": Task(
        "colour",
        _of_english(first_colour),
        ("which colour", *_phrasings("colour")),
        "write the colour",
        "shade of paint",
    ),
    "first-french": Task(
        "first word, French",
        _of_french(_word_at(0)),
        _phrasings("first word in French"),
        "write the first word in French",
        "the beginning only, for a Parisian",
    ),
    "reverse-french": Task(
        "reverse, French",
        _of_french(_reversed),
        (
            "reverse in French",
            "write it backwards in French",
            "say the sentence backwards in French",
            "give the words in reverse order in French",
        ),
        "write the words in reverse order in French",
        "from right to left, for a Parisian",
        is_sentence=True,
    ),
    LAST_FRENCH: Task(
        "last word, French",
        _of_french(_word_at(-1)),
        (),
        "give the last word in French",
        "the end only, for a Parisian",
        is_held_out=True,
    ),
}
"""By name, in the order of the page; the last, a combination of what the others name, is never trained."""
