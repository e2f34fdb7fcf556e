"""Inference with the sequence models, step by step: letters with their distributions, and classes."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.seq2seq import NameGenerator, SentenceClassifier, WordReverser
from lm_core.text.symbols import END, LETTERS_SCALE, encode_rows, symbol_of

MOST_LETTERS = 20
"""Longest word that is generated; one without an end by then is cut off."""

WORD_LENGTHS = (3, 12)
"""Fewest and most letters that a `NameGenerator` was trained on."""


class LetterStep(NamedTuple):
    """One generated letter, and the distribution from which it was taken."""

    letter: str  # empty where the word ends
    probabilities: tuple[float, ...]  # of the end, then of a to z


def word_of(steps: Sequence[LetterStep]) -> str:
    """Return the word that the steps spell."""
    return "".join(step.letter for step in steps)


def name_vector(nameness: float, letters: float) -> Tensor:
    """Return the input vector of a `NameGenerator`, (2,).

    Raises SettingError if one is out of its range.

    Parameters
    ----------
    nameness : float in [0, 1], 0 for an ordinary word, 1 for a name; training has no value in between
    letters : float, within `WORD_LENGTHS`
    """
    fewest, most = WORD_LENGTHS
    if not 0.0 <= nameness <= 1.0:
        raise SettingError(f"nameness must lie in [0, 1], got {nameness}")
    if not fewest <= letters <= most:
        raise SettingError(f"letters must lie in {fewest}..{most}, got {letters}")
    return torch.tensor([nameness, letters / LETTERS_SCALE])


@torch.no_grad()
def sample_word(
    model: NameGenerator, vector: Tensor, *, temperature: float, rng: torch.Generator
) -> tuple[LetterStep, ...]:
    """Draw a word letter by letter, each at this temperature, above 0; the last step is its end."""
    steps: list[LetterStep] = []
    last, state = torch.full((1, 1), END), None
    while len(steps) < MOST_LETTERS and (not steps or steps[-1].letter):
        logits, state = model(vector[None], last, state)
        probabilities = (logits[0, -1] / temperature).softmax(-1)
        last = torch.multinomial(probabilities, 1, generator=rng)[None]
        steps.append(LetterStep(symbol_of(int(last)), tuple(probabilities.tolist())))
    return tuple(steps)


@torch.no_grad()
def sample_words(
    model: NameGenerator, vector: Tensor, n: int, *, temperature: float, rng: torch.Generator
) -> tuple[str, ...]:
    """Draw `n` words at once from one vector."""
    last, state = torch.full((n, 1), END), None
    rows = []
    for _ in range(MOST_LETTERS):
        logits, state = model(vector.expand(n, -1), last, state)
        last = torch.multinomial((logits[:, -1] / temperature).softmax(-1), 1, generator=rng)
        rows.append(last)
    return tuple(_until_end(row) for row in torch.cat(rows, 1).tolist())


def _until_end(ids: list[int]) -> str:
    end = ids.index(END) if END in ids else len(ids)
    return "".join(map(symbol_of, ids[:end]))


def share_of_length(words: Sequence[str], letters: int) -> float:
    """Return the share of words that have so many letters."""
    return Counter(map(len, words))[letters] / len(words)


@torch.no_grad()
def reverse_word(model: WordReverser, word: str) -> tuple[LetterStep, ...]:
    """Encode a word, then decode greedily from the encoder's last state.

    Decoding stops at the end of the word, or after twice as many letters as were read.
    """
    letters, lengths = encode_rows([word])
    state = model.encode(letters, lengths)
    last = torch.full((1, 1), END)
    steps: list[LetterStep] = []
    while len(steps) < 2 * len(word) and (not steps or steps[-1].letter):
        logits, state = model.decode(last, state)
        probabilities = logits[0, -1].softmax(-1)
        last = probabilities.argmax()[None, None]
        steps.append(LetterStep(symbol_of(int(last)), tuple(probabilities.tolist())))
    return tuple(steps)


@torch.no_grad()
def decode_greedily(model: WordReverser, letters: Tensor, lengths: Tensor, steps: int) -> Tensor:
    """Return the ids that the decoder generates in so many steps, each the most probable one: (B, steps)."""
    state = model.encode(letters, lengths)
    last = torch.full((len(letters), 1), END)
    generated = []
    for _ in range(steps):
        logits, state = model.decode(last, state)
        last = logits.argmax(-1)  # (B, 1)
        generated.append(last)
    return torch.cat(generated, 1)


@torch.no_grad()
def speech_probabilities(model: SentenceClassifier, sentence: str) -> tuple[float, ...]:
    """Return the probability that a sentence is spoken, after each of its characters.

    Each prefix of the sentence is read as if it were all of it, since a network that reads from the
    end sees another sequence for each.
    """
    prefixes = [sentence[: n + 1] for n in range(len(sentence))]
    return tuple(torch.sigmoid(model(*encode_rows(prefixes))).tolist())
