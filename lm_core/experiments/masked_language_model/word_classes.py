"""How often a covered word is guessed, by its part of speech: from the left alone, and from both sides."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.analysis.gaps import both_sides_probabilities, left_probabilities
from lm_core.experiments.masked_language_model.windows import Window
from lm_core.models.language_model import LanguageModel
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.rng import generator

EVERY = "every"


class ClassScore(NamedTuple):
    """Guesses of the words of one class."""

    tag: str
    """Of the universal tag set, or `EVERY`."""
    words: int
    left: float
    both: float
    """`left` and `both`: share of words of which every subword was the most probable one, those
    before it known."""
    left_bits: float
    both_bits: float
    """`left_bits` and `both_bits`: mean surprisal of a word."""


class _Guess(NamedTuple):
    tag: str
    is_right: tuple[bool, bool]
    bits: tuple[float, float]


def score_classes(
    model: MaskedLanguageModel,
    causal: LanguageModel,
    windows: Sequence[Window],
    *,
    words_per_window: int = 12,
    seed: int = 0,
    on_progress: Callable[[float], None] | None = None,
) -> list[ClassScore]:
    """Cover words one at a time and compare what either model expects; all words first, then by tag.

    Words that the tagger does not know as we part them are left out.
    """
    rng, guesses = generator(seed), list[_Guess]()
    for n_done, window in enumerate(windows):
        tokens = torch.from_numpy(window.text.ids)
        from_left = left_probabilities(causal, tokens)
        tagged = [i for i, tag in enumerate(window.tags) if tag is not None]
        drawn = torch.randperm(len(tagged), generator=rng)[:words_per_window].tolist()
        for i in sorted(tagged[k] for k in drawn):
            word, tag = window.text.words[i], str(window.tags[i])
            both = both_sides_probabilities(model, tokens, list(word), word)
            left = from_left[word.start - 1 : word.stop - 1]
            found = [_guess(p, tokens[word.start : word.stop]) for p in (left, both)]
            is_right, bits = zip(*found, strict=True)
            guesses.append(_Guess(tag, is_right, bits))
        if on_progress:
            on_progress((n_done + 1) / len(windows))
    by_tag: dict[str, list[_Guess]] = defaultdict(list)
    for guess in guesses:
        by_tag[guess.tag].append(guess)
    ordered = sorted(by_tag.items(), key=lambda item: -len(item[1]))
    return [_summary(tag, found) for tag, found in [(EVERY, guesses), *ordered]]


def _guess(probabilities: Tensor, word: Tensor) -> tuple[bool, float]:
    """Return whether a word's subwords (n,) are all the most probable ones of (n, V), and its bits."""
    own = probabilities.gather(1, word[:, None])[:, 0]
    is_right = bool((probabilities.argmax(1) == word).all())
    return is_right, float(-own.log().sum() / math.log(2.0))


def _summary(tag: str, guesses: Sequence[_Guess]) -> ClassScore:
    right, bits = (
        torch.tensor([getattr(guess, name) for guess in guesses], dtype=torch.float64).mean(0)
        for name in ("is_right", "bits")
    )
    return ClassScore(tag, len(guesses), *_rounded(right), *_rounded(bits))


def _rounded(values: Tensor) -> list[float]:
    return [round(value, 4) for value in values.tolist()]
