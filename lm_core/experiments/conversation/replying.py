"""Talking with a model: it reads the turns so far and writes the next one."""

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from lm_core.experiments.conversation.dialogues import read_before
from lm_core.experiments.conversation.study import reply_losses
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary

MOST_TOKENS = 60
"""Of a reply."""
OTHER_TURNS = ("It is raining again.", "Where is my hat?", "The horses are ready.")
"""Turns of ours, in whose place a visitor's own is put to see whether a reply depends on it."""
_ENDS = ('"', "\n")


def reply(
    model: TransformerLanguageModel,
    vocabulary: CharacterVocabulary,
    before: Sequence[str],
    settings: SamplingSettings,
    seed: int,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> str:
    """Return what a model says after some turns, up to the closing quote; as many of them as it can read.

    Parameters
    ----------
    seed : int, start of the reply's random numbers
    model_turn : callable that returns a context manager
        Held while a token is written: a lock, where several share the model.
    """
    ids = read_before(vocabulary, before, model.config.context - MOST_TOKENS)
    said = ""
    with model_turn():
        text = TextGeneration.begin(model, ids, settings, seed)
    while len(text.written) < MOST_TOKENS and not any(end in said for end in _ENDS):
        with model_turn():
            text.write(1)
        said = vocabulary.decode([written.token for written in text.written])
    return min((said.partition(end)[0] for end in _ENDS), key=len).strip()


def times_as_probable(
    model: TransformerLanguageModel,
    vocabulary: CharacterVocabulary,
    before: Sequence[str],
    said: str,
) -> float:
    """Return by how much a token of a reply is more probable after the last turn than after others.

    1 means that it does not depend on that turn; it is a geometric mean over the reply's tokens and `OTHER_TURNS`.
    """
    earlier = list(before[:-1])[-2:]
    befores = [[*earlier, turn] for turn in (before[-1], *OTHER_TURNS)]
    own, *others = reply_losses(model, vocabulary, befores, said)
    return math.exp(sum(others) / len(others) - own)
