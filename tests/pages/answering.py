"""What a page's answers for teachers say, held to what its models and algorithms give."""

import re

from pages.shared.suggestions import Suggestion, suggestions_of

FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def suggestion(address: str, beginning: str) -> Suggestion:
    """Return the one suggestion of a page whose text begins so."""
    every = [found for part in suggestions_of(address).values() for found in part]
    (named,) = [found for found in every if found.text.startswith(beginning)]
    return named


def assert_says(address: str, beginning: str, *said: str) -> None:
    """Hold an answer to words and figures: each of them stands in it, and not as a part of another."""
    answer = _with_plain_spaces(suggestion(address, beginning).answer)
    wanting = [text for text in said if not re.search(_alone(text), answer)]
    assert not wanting, f"{wanting} not in: {answer}"


def figures_of(asked: Suggestion) -> list[str]:
    """Return the numbers of an answer that its question does not give."""
    given = FIGURE.findall(asked.text)
    return [figure for figure in FIGURE.findall(asked.answer) if figure not in given]


def _alone(text: str) -> str:
    return rf"(?<![\w.,−]){re.escape(_with_plain_spaces(text))}(?!\w|[.,]\d)"


def _with_plain_spaces(text: str) -> str:
    return re.sub(r"\s", " ", text)  # pages write a narrow one between a number and its unit
