"""Where in two sentences a difference arises: their words side by side, and the bits of each."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from lm_core.analysis.surprisal import score_text, surprisal_by_word
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary

TIED_BITS = 2e-4
"""Below this a difference comes from the order in which a sum was made."""


class Column(NamedTuple):
    """Words of both sentences that stand at one place, from the first to before the last."""

    good: tuple[int, int]
    bad: tuple[int, int]


def columns_of(good: Sequence[str], bad: Sequence[str]) -> list[Column]:
    """Return two sentences word beside word: equal words in one place, and what differs in places of its own.

    Examples
    --------
    >>> columns_of("the dogs bark".split(), "the dogs barks".split())
    [Column(good=(0, 1), bad=(0, 1)), Column(good=(1, 2), bad=(1, 2)), Column(good=(2, 3), bad=(2, 3))]
    >>> columns_of(["Whose", "dog", "barks"], ["Whose", "barks", "dog"])[1]
    Column(good=(1, 1), bad=(1, 2))
    """
    columns = []
    for _, a, a_end, b, b_end in SequenceMatcher(None, good, bad, autojunk=False).get_opcodes():
        if a_end - a == b_end - b:
            columns += [Column((a + i, a + i + 1), (b + i, b + i + 1)) for i in range(a_end - a)]
        else:
            columns.append(Column((a, a_end), (b, b_end)))
    return columns


def lead_by_column(
    columns: Sequence[Column], good: Sequence[float], bad: Sequence[float]
) -> list[float]:
    """Return by how many bits the first sentence is ahead after each column; the last is the whole difference.

    `good`, `bad`: sequence of float, bits of each word of the two sentences.
    """
    gains = (sum(bad[slice(*column.bad)]) - sum(good[slice(*column.good)]) for column in columns)
    return list(accumulate(gains))


def bits_by_word(
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    text: str,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> tuple[float, ...]:
    """Return the surprisal of each word of a text at the beginning of a paragraph, in bits.

    Parameters
    ----------
    text : str, as `lm_core.analysis.surprisal.readable_text` returns it
    model_turn : callable that returns a context manager, entered for each call of the model
    """
    scores = score_text(model, text, vocabulary, model_turn=model_turn)
    return tuple(round(word.bits, 4) for word in surprisal_by_word(text, scores.by_character))
