"""Inference with a counting network: how it continues a prompt, and how often it is right."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import torch

from lm_core.errors import SettingError, TextError
from lm_core.models.counting_network import CountingNetwork

MOST_NUMBERS = 100
"""Longest prompt, and the longest continuation."""


class CountingStep(NamedTuple):
    """One generated number, and the distribution from which it was taken."""

    number: int
    probabilities: tuple[float, ...]  # of 0..V-1


class LengthAccuracy(NamedTuple):
    """Accuracy on prompts of one length."""

    length: int
    accuracy: float  # over all prompts whose next number is at most V - 1
    n_prompts: int


def parse_numbers(text: str, numbers: int, most: int = MOST_NUMBERS) -> tuple[int, ...]:
    """Read a prompt: whole numbers in 0..numbers-1, separated by spaces, commas or semicolons.

    Raises TextError if there is none, there are more than `most`, or one is not such a number.

    Examples
    --------
    >>> parse_numbers("7, 8 9", 128)
    (7, 8, 9)
    """
    words = re.split(r"[\s,;]+", text.strip(" \t\r\n,;"))
    remedy = f"write numbers from 0 to {numbers - 1}, as in 7 8 9 10"
    if words == [""]:
        raise TextError(f"the prompt is empty: {remedy}")
    if len(words) > most:
        raise TextError(
            f"the prompt may have at most {most} numbers, got {len(words):,}:"
            f" leave out {len(words) - most:,}"
        )
    for word in words:
        # At most nine digits: Python refuses to read a number of thousands of them.
        if not re.fullmatch(r"[0-9]{1,9}", word) or int(word) >= numbers:
            shown = repr(word if len(word) <= 20 else f"{word[:20]}...")
            raise TextError(f"every word of the prompt must be a number, got {shown}: {remedy}")
    return tuple(int(word) for word in words)


@torch.no_grad()
def continue_counting(
    model: CountingNetwork, prompt: Sequence[int], n: int
) -> tuple[CountingStep, ...]:
    """Continue a prompt by `n` numbers, greedily: each is the most probable one.

    The prompt is read once. Each generated number is the one input of the next step, and all that
    is known of earlier numbers is the state. Raises SettingError if `n` or a number is out of its
    range.

    Parameters
    ----------
    prompt : sequence of int, at least one number in 0..V-1
    n : int, in 1..`MOST_NUMBERS`
    """
    if not 1 <= n <= MOST_NUMBERS:
        raise SettingError(f"n must lie in 1..{MOST_NUMBERS}, got {n}")
    if not prompt or not all(0 <= number < model.vocabulary_size for number in prompt):
        raise SettingError(
            f"the prompt must be numbers in 0..{model.vocabulary_size - 1}, got {list(prompt)}"
        )
    logits, state = model(torch.tensor([prompt]), model.initial_state(1))
    steps = []
    while True:
        probabilities = logits[0, -1].softmax(-1)
        number = int(probabilities.argmax())
        steps.append(CountingStep(number, tuple(probabilities.tolist())))
        if len(steps) == n:
            return tuple(steps)
        logits, state = model(torch.tensor([[number]]), state)


@torch.no_grad()
def accuracy_by_length(model: CountingNetwork, longest: int) -> tuple[LengthAccuracy, ...]:
    """Return the accuracy on prompts of 1 to `longest` consecutive numbers.

    All prompts count whose next number is at most V - 1. Raises SettingError if `longest` is not in
    1..V-1.
    """
    most = model.vocabulary_size - 1
    if not 1 <= longest <= most:
        raise SettingError(f"longest must lie in 1..{most}, got {longest}")
    # A network reads from left to right, so the answers to a long prompt hold those to its
    # beginnings; numbers beyond V - 1 are read as V - 1 and their answers not counted.
    reached = torch.arange(most)[:, None] + torch.arange(longest)  # (starts, T)
    logits, _ = model(reached.clamp_max(most), model.initial_state(most))
    is_right = logits.argmax(-1) == reached + 1
    return tuple(
        LengthAccuracy(n, is_right[: most - n + 1, n - 1].float().mean().item(), most - n + 1)
        for n in range(1, longest + 1)
    )
