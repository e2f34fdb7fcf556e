"""Four small tasks on single words, and the prompts that ask them.

All words have letters that the book's models know, so that a French word with an accent is left out.
Each translated pair of words is frequent in Multi30k.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch

from lm_core.errors import SettingError


class Pair(NamedTuple):
    """A question of one word and its answer."""

    question: str
    answer: str


@dataclass(frozen=True)
class Task:
    """What is to be done with a word."""

    title: str
    """For people."""
    instruction: str
    """As a prompt names it."""
    pairs: tuple[Pair, ...]
    """That are asked; no model here was tuned on any of them."""
    learned: tuple[Pair, ...] = ()
    """That the tuned model was tuned on, among others."""


_NOUNS = (
    "hand soldier horse officer prince room door letter word eye face friend brother sister"
    " son general gun battle house carriage table window hour night day street tree field arm"
    " voice question thought soul road bridge prisoner servant guest song village order star"
    " dog cap boot sword"
)
_LEARNED_NOUNS = (
    "time army thing head world heart place mind wife mother doctor man girl boy child king"
    " count bed book chair wall town wood hill river bank line land party name smile look tear"
    " joy fear pain hope plan camp forest"
)
_OPPOSITES = (
    "man woman, day night, black white, old young, good bad, hot cold, big small, high low,"
    " left right, first last, open shut, come go, love hate, war peace, friend enemy, husband wife,"
    " brother sister, father mother, son daughter, boy girl, rich poor, long short, early late,"
    " before after, life death, strong weak, light dark, true false, east west, north south,"
    " give take, buy sell, heaven hell, above below, quick slow, near far, easy difficult,"
    " question answer, summer winter, morning evening, begin end, happy sad"
)
_FRENCH = (
    "dog chien, cat chat, man homme, woman femme, girl fille, street rue, water eau, red rouge,"
    " blue bleu, green vert, black noir, white blanc, tree arbre, house maison, horse cheval,"
    " hand main, child enfant, shirt chemise, hat chapeau, book livre, car voiture, boat bateau,"
    " snow neige, beach plage, grass herbe, chair chaise, mountain montagne, field champ,"
    " crowd foule, two deux, three trois, four quatre, young jeune, small petit, sun soleil,"
    " door porte, wall mur, bread pain, dress robe, bird oiseau, face visage, hair cheveux,"
    " yellow jaune, night nuit, day jour, city ville, sand sable"
)


def _pairs(text: str) -> tuple[Pair, ...]:
    return tuple(Pair(*pair.split()) for pair in text.split(","))


def _halves(text: str) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return every second pair, to be asked, and the others, to be learned."""
    pairs = _pairs(text)
    return pairs[1::2], pairs[::2]


COPY, PLURAL, OPPOSITE, TRANSLATE = "copy", "plural", "opposite", "translate"
TASKS = {
    COPY: Task(
        "Repeat the word",
        "repeat",
        tuple(Pair(n, n) for n in _NOUNS.split()),
        tuple(Pair(n, n) for n in _LEARNED_NOUNS.split()),
    ),
    PLURAL: Task(
        "Its plural",
        "plural",
        tuple(Pair(n, f"{n}s") for n in _NOUNS.split()),
        tuple(Pair(n, f"{n}s") for n in _LEARNED_NOUNS.split()),
    ),
    OPPOSITE: Task("Its opposite", "opposite", *_halves(_OPPOSITES)),
    TRANSLATE: Task("In French", "translate", *_halves(_FRENCH)),
}
"""By name, from what needs the least to what needs the most."""

SHORT, NAMED = "short", "named"
STYLES = (SHORT, NAMED)
"""``- dog: chien``, a word after a space as its answer is, or the series' ``translate: dog`` with ``answer: chien`` below."""

END = "\n"
"""What ends an answer."""


def written_prompt(
    task: Task, examples: Sequence[Pair], question: str, *, style: str = SHORT
) -> str:
    r"""Return the text whose continuation is the answer.

    Raises SettingError if the style is unknown.

    Parameters
    ----------
    task : Task, its instruction is in the named style only
    examples : sequence of Pair, the first one first
    style : str, one of `STYLES`

    Examples
    --------
    >>> written_prompt(TASKS["translate"], [Pair("dog", "chien")], "cat")
    '- dog: chien\n- cat:'
    >>> written_prompt(TASKS["translate"], [], "cat", style="named")
    'translate: cat\nanswer:'
    """
    if style not in STYLES:
        raise SettingError(f"style must be one of {STYLES}, got {style!r}")
    form = "- {0}:" if style == SHORT else f"{task.instruction}: {{0}}\nanswer:"
    shown = "".join(f"{form.format(pair.question)} {pair.answer}{END}" for pair in examples)
    return shown + form.format(question)


CANDIDATES = 8
"""Answers to choose among, so that chance is one in eight."""
SHOTS = (0, 1, 2, 4, 8)
"""Examples before the question."""


class Trial(NamedTuple):
    """One question, the answers to choose among, and the examples that may go before."""

    pair: Pair
    candidates: tuple[str, ...]
    """The right answer first; the question itself is among them; no example has any of them."""
    examples: tuple[Pair, ...]
    """All that there are; the last ones are used where fewer are shown."""

    def shown(self, shots: int, *, is_shuffled: bool = False) -> tuple[Pair, ...]:
        """Return the examples before the question.

        Raises SettingError if there are not so many.

        Parameters
        ----------
        shots : int, how many: none to all
        is_shuffled : bool
            Whether each has the answer of another one: the same words, but nothing to learn from.
        """
        if not 0 <= shots <= len(self.examples):
            raise SettingError(f"shots must lie in [0, {len(self.examples)}], got {shots}")
        shown = self.examples[len(self.examples) - shots :]
        if not is_shuffled:
            return shown
        # One example takes the answer of one that is not shown.
        answers = [
            p.answer for p in (shown[1:] + shown[:1] if shots > 1 else self.examples[:shots])
        ]
        return tuple(Pair(p.question, a) for p, a in zip(shown, answers, strict=True))


def draw_trial(pairs: Sequence[Pair], most_shots: int, rng: torch.Generator) -> Trial:
    """Draw a question, its false answers and its examples, without a word that is used twice.

    Raises SettingError if there are too few pairs without a word in common.
    """
    order = torch.randperm(len(pairs), generator=rng).tolist()
    pair, *others = (pairs[i] for i in order)
    used = {pair.question, pair.answer}
    false = [pair.question] if pair.question != pair.answer else []
    examples: list[Pair] = []
    for other in others:
        if {other.question, other.answer} & used:
            continue
        used |= {other.question, other.answer}
        if len(false) < CANDIDATES - 1:
            false.append(other.answer)
        elif len(examples) < most_shots:
            examples.append(other)
    if len(examples) < most_shots:
        raise SettingError(
            f"{CANDIDATES} answers and {most_shots} examples need more than {len(pairs)} pairs without a"
            " word in common"
        )
    return Trial(pair, (pair.answer, *false), tuple(examples))
