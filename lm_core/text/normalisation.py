"""A text normalised by rules, and where each character of the result comes from."""

import re
from collections.abc import Callable
from typing import NamedTuple


class Rule(NamedTuple):
    """What is replaced, and by what."""

    pattern: re.Pattern[str]
    """Never matches an empty stretch."""
    replacement: str | Callable[[re.Match[str]], str]
    """Str or callable from a match to str. A string is taken as it is written: no group is put
    into it."""

    def written(self, match: re.Match[str]) -> str:
        """Return what takes the place of a match."""
        return self.replacement if isinstance(self.replacement, str) else self.replacement(match)


class NormalisedText(NamedTuple):
    """A normalised text."""

    text: str
    starts: list[int]
    ends: list[int]
    """`starts` and `ends`: of each character of `text`: the stretch of the raw text that it came
    from, end excluded."""


class Normaliser:
    """Rules, applied one after another, each from left to right."""

    def __init__(self, *rules: Rule) -> None:
        self._rules = rules

    def __call__(self, text: str) -> str:
        """Return the normalised text."""
        for rule in self._rules:
            text = rule.pattern.sub(rule.written, text)
        return text

    def trace(self, text: str) -> NormalisedText:
        """Return the normalised text with the origin of its characters.

        What takes the place of several characters comes from all of them. Of a deleted character
        nothing tells.

        Examples
        --------
        >>> Normaliser(Rule(re.compile(" +"), " ")).trace("a  b")
        NormalisedText(text='a b', starts=[0, 1, 3], ends=[1, 3, 4])
        """
        now = NormalisedText(text, list(range(len(text))), list(range(1, len(text) + 1)))
        for rule in self._rules:
            now = _applied(rule, now)
        return now


def _applied(rule: Rule, before: NormalisedText) -> NormalisedText:
    """Normalise by one rule, and follow the origin of each character through it."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in rule.pattern.finditer(before.text):
        written, (left, right) = rule.written(match), match.span()
        parts += [before.text[done:left], written]
        starts += [*before.starts[done:left], *[before.starts[left]] * len(written)]
        ends += [*before.ends[done:left], *[before.ends[right - 1]] * len(written)]
        done = right
    return NormalisedText(
        "".join([*parts, before.text[done:]]),
        [*starts, *before.starts[done:]],
        [*ends, *before.ends[done:]],
    )
