"""What the next character costs: with the keys and values of all before it kept, and without."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import torch

from lm_core.errors import SettingError
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig


class WritingCost(NamedTuple):
    """One more character after a text of some length.

    Attributes
    ----------
    length : int
        Characters of the text, T.
    cached_seconds, anew_seconds : float
        Shortest of the rounds, processor time as in an `AttentionCost`: reading the last character with the keys and values of the
        others at hand, and reading the whole text from a blank memory.
    cache_bytes : int
        What is kept for it: keys and values of the T - 1 characters before, in all layers.
    """

    length: int
    cached_seconds: float
    anew_seconds: float
    cache_bytes: int


def measure_writing(
    config: TransformerLanguageModelConfig,
    lengths: Sequence[int],
    rng: torch.Generator,
    *,
    rounds: int = 3,
) -> Iterator[WritingCost]:
    """Measure one more character after texts of these lengths, one record at a time.

    Parameters
    ----------
    config : TransformerLanguageModelConfig
        Of the model; its context is set to each length. What it has learned does not matter.
    lengths : ints, at least 2
    rng : torch.Generator
        Draws weights and texts.
    rounds : int
        Runs of which the shortest counts.

    Raises
    ------
    SettingError
        If a number is too small.
    """
    if rounds < 1 or any(length < 2 for length in lengths):
        raise SettingError(
            f"rounds must be at least 1 and lengths at least 2, got {rounds} and {lengths}"
        )
    for length in lengths:
        model = TransformerLanguageModel(replace(config, context=length)).eval()
        model.initialise(rng)
        yield _measured(model, length, rng, rounds)


@torch.inference_mode()
def _measured(
    model: TransformerLanguageModel, length: int, rng: torch.Generator, rounds: int
) -> WritingCost:
    tokens = torch.randint(0, model.vocabulary_size, (1, length), generator=rng)
    blank = model.initial_state(1)
    _, state = model(tokens[:, :-1], blank)
    cached = _shortest(lambda: model(tokens[:, -1:], state), rounds)
    anew = _shortest(lambda: model(tokens, blank), rounds)
    kept = sum(tensor.nbytes for tensor in state)
    return WritingCost(length, cached, anew, kept)


def _shortest(call: Callable[[], object], rounds: int) -> float:
    """Return the shortest time of a call, in seconds; a first one, not counted, warms it up."""
    call()
    seconds = []
    for _ in range(rounds):
        started = time.thread_time()
        call()
        seconds.append(time.thread_time() - started)
    return min(seconds)
