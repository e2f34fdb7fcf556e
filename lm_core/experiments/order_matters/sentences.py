"""Two sentences that models learn, shifted by one, lengthened in the middle, and read in another order."""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, TextError
from lm_core.experiments.neural_language_model.sentences import END, SentenceCorpus, split_words
from lm_core.rng import generator

MOST_WORDS = 12
"""Of a sentence."""

SIZES, FOXES = "dinosaurs and mice", "foxes and dogs"
TWO_SENTENCES = {
    SIZES: ("dinosaurs are big animals", "mice are small animals"),
    FOXES: (
        "a quick brown fox jumps over the lazy dog who sleeps",
        "a dog jumps over the quick brown lazy fox who runs",
    ),
}
"""The first two differ in the word before the last; up to *who* the other two have the same words."""

BETWEEN = ("today", "still", "really", "always", "surely", "usually")
"""What may be put between the first word of a sentence and the second."""

AS_WRITTEN, SHUFFLED, REVERSED = "as written", "shuffled, the last word kept", "backwards"
ORDERS = (AS_WRITTEN, SHUFFLED, REVERSED)

NOT_ASKED = -100
"""Target behind a sentence's end, as `torch.nn.functional.cross_entropy` ignores it."""


class Shifted(NamedTuple):
    """Sentences as a language model learns them."""

    inputs: Tensor
    """int64, of shape (B, T). A mark, and the words."""
    targets: Tensor
    """int64, of shape (B, T). The same one place earlier: the words, the mark, and `NOT_ASKED` behind it."""


def corpus_of(*sentences: str) -> SentenceCorpus:
    """Return some sentences with their words numbered; the mark before and after each has id 0.

    Raises TextError if one of them has no word, or more than `MOST_WORDS`.
    """
    lines = [split_words(sentence) for sentence in sentences]
    for line in lines:
        if not 1 <= len(line) <= MOST_WORDS:
            raise TextError(
                f"a sentence must have 1 to {MOST_WORDS} words, got {len(line)}:"
                f" {'leave some out' if line else 'type some'}"
            )
    return _numbered(lines)


def words_put_between(corpus: SentenceCorpus, n: int) -> SentenceCorpus:
    """Return the same sentences with the first n of `BETWEEN` behind the first word of each."""
    if not 0 <= n <= len(BETWEEN):
        raise SettingError(f"0 to {len(BETWEEN)} words can be put in between, got {n}")
    lines = [[corpus.words[i] for i in sentence] for sentence in corpus.sentences]
    return _numbered([[first, *BETWEEN[:n], *rest] for first, *rest in lines])


def word_that_tells(corpus: SentenceCorpus, row: int) -> tuple[tuple[int, ...], int]:
    """Return the last word that only this one of two sentences has, and all words before it.

    Its first word is left out, because nothing is read before it; without such a word it is the last one. Raises
    TextError if the sentence has one word only.
    """
    sentence, other = corpus.sentences[row], corpus.sentences[1 - row]
    if len(sentence) < 2:
        raise TextError("each of the two sentences must have at least 2 words, got 1: add a word")
    own = [i for i in range(1, len(sentence)) if sentence[i] not in other]
    place = own[-1] if own else len(sentence) - 1
    return sentence[:place], sentence[place]


def shifted(corpus: SentenceCorpus) -> Shifted:
    """Return the sentences, and the same shifted by one: what is to be predicted at each place."""
    longest = 1 + max(map(len, corpus.sentences))
    inputs = torch.zeros(len(corpus.sentences), longest, dtype=torch.int64)
    targets = torch.full_like(inputs, NOT_ASKED)
    for row, sentence in enumerate(corpus.sentences):
        marked = torch.tensor([0, *sentence, 0])
        inputs[row, : len(sentence) + 1] = marked[:-1]
        targets[row, : len(sentence) + 1] = marked[1:]
    return Shifted(inputs, targets)


def in_order(words: tuple[int, ...], order: str, seed: int) -> tuple[int, ...]:
    """Return the same words in one of `ORDERS`; `seed` draws how they are shuffled."""
    if order == AS_WRITTEN:
        return words
    if order == REVERSED:
        return words[::-1]
    drawn = torch.randperm(len(words[:-1]), generator=generator(seed)).tolist()
    return (*(words[i] for i in drawn), *words[-1:])


def _numbered(lines: list[list[str]]) -> SentenceCorpus:
    words = (END, *dict.fromkeys(word for line in lines for word in line))
    ids = {word: i for i, word in enumerate(words)}
    return SentenceCorpus(words, tuple(tuple(ids[word] for word in line) for line in lines))
