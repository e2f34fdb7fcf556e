"""The three tasks: what a batch is, what its loss is, and how a model is evaluated on unseen examples."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.experiments.sequence_models.datasets import (
    BookSentences,
    BookWords,
    book_sentences,
    book_words,
)
from lm_core.experiments.sequence_models.inference import decode_greedily, name_vector, sample_words
from lm_core.models.seq2seq import (
    NameGenerator,
    NameGeneratorConfig,
    SentenceClassifier,
    SentenceClassifierConfig,
    SequenceModel,
    WordReverser,
    WordReverserConfig,
)
from lm_core.rng import generator
from lm_core.text.symbols import END, LETTERS_SCALE, N_LETTERS, encode_rows, reversed_rows

TRAINED_LETTERS = 8
"""Longest word that the `WordReverser` is trained on."""

TEST_LETTERS, TEST_WORDS = 16, 200
"""A `WordReverser` is evaluated on so many fresh words of each length up to so many letters."""

_NO_TARGET = -100  # what cross_entropy leaves out


class Scores(NamedTuple):
    """Evaluation on examples that are not in the training data."""

    loss: float  # nats per letter, or per sentence
    others: dict[str, float]


class SequenceTask(ABC):
    """What a `SequenceModel` is trained to do."""

    of_book: bool
    """Whether its examples come from the book; else they are drawn at random."""

    @abstractmethod
    def build(self) -> SequenceModel:
        """Return the model, weights not yet drawn."""

    @abstractmethod
    def batch(self, n: int, rng: torch.Generator) -> Any:
        """Draw `n` examples to learn from."""

    @abstractmethod
    def characters(self, batch: Any) -> int:
        """Return how many characters a batch has: letters and ends to predict, or letters read."""

    @abstractmethod
    def loss(self, model: Any, batch: Any) -> Tensor:
        """Return a batch's mean loss in nats, per letter or per sentence."""

    @abstractmethod
    def scores(self, model: Any) -> Scores:
        """Evaluate a model on examples that are not in the training data."""


def _choose(n: int, of: int, rng: torch.Generator) -> list[int]:
    return torch.randint(of, (n,), generator=rng).tolist()


def _length_of_text(pair: tuple[str, bool]) -> int:
    return len(pair[0])


def _with_targets(words: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Return inputs, each word behind `END`, and targets, each word before `END`; (B, T + 1) both."""
    ids, lengths = encode_rows(words)
    inputs = functional.pad(ids, (1, 0), value=END)
    targets = functional.pad(ids, (0, 1), value=END)
    behind = torch.arange(targets.shape[1]) > lengths[:, None]
    return inputs, targets.masked_fill(behind, _NO_TARGET)


class NameTask(SequenceTask):
    """Words of the book from (is it a name, letters / 12); names and others equally often."""

    of_book = True

    def __init__(self, config: NameGeneratorConfig, words: BookWords | None = None) -> None:
        self._config = config
        self._words = words or book_words()
        self._kinds = [[w for w, n in self._words.train if n is kind] for kind in (True, False)]

    def build(self) -> NameGenerator:
        """Return the generator of words."""
        return NameGenerator(self._config)

    def batch(self, n: int, rng: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Draw vectors, inputs and targets."""
        names, others = self._kinds
        half = n // 2
        words = [names[i] for i in _choose(half, len(names), rng)]
        words += [others[i] for i in _choose(n - half, len(others), rng)]
        return self._examples(words, [True] * half + [False] * (n - half))

    def _examples(self, words: list[str], are_names: list[bool]) -> tuple[Tensor, Tensor, Tensor]:
        lengths = torch.tensor([len(word) for word in words]) / LETTERS_SCALE
        vectors = torch.stack([torch.tensor(are_names).float(), lengths], 1)
        return vectors, *_with_targets(words)

    def characters(self, batch: tuple[Tensor, Tensor, Tensor]) -> int:
        """Count the letters and ends to predict."""
        return int((batch[2] != _NO_TARGET).sum())

    def loss(self, model: NameGenerator, batch: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Return nats per letter, the end of the word included."""
        vectors, inputs, targets = batch
        logits, _ = model(vectors, inputs)
        return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())

    def scores(self, model: NameGenerator) -> Scores:
        """Evaluate on held-out words, by kind; and of generated names, the share copied from training."""
        by_kind = {}
        for name, kind in (("names", True), ("other words", False)):
            words = [word for word, is_name in self._words.held_out if is_name is kind]
            batch = self._examples(words, [kind] * len(words))
            by_kind[f"nats per letter, {name}"] = self.loss(model, batch).item()
        names = sample_words(model, name_vector(1.0, 7), 500, temperature=0.7, rng=generator(2**31))
        learned = set(self._kinds[0])
        copied = sum(name in learned for name in names) / len(names)
        return Scores(
            sum(by_kind.values()) / 2,
            by_kind | {"generated names that are in the training words": copied},
        )


class SpeechTask(SequenceTask):
    """Sentences of the book: speech, or narration."""

    of_book = True

    def __init__(
        self, config: SentenceClassifierConfig, sentences: BookSentences | None = None
    ) -> None:
        self._config = config
        self._sentences = sentences or book_sentences()

    def build(self) -> SentenceClassifier:
        """Return the classifier."""
        return SentenceClassifier(self._config)

    def batch(self, n: int, rng: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Draw characters, lengths and classes (1 for speech); the lengths are much alike.

        Neighbours by length among eight times as many sentences: little of a batch is padding.
        """
        train = self._sentences.train
        drawn = sorted((train[i] for i in _choose(8 * n, len(train), rng)), key=_length_of_text)
        first = _choose(1, 7 * n + 1, rng)[0]
        return self._examples(drawn[first : first + n])

    def _examples(self, pairs: Sequence[tuple[str, bool]]) -> tuple[Tensor, Tensor, Tensor]:
        texts, spoken = zip(*pairs, strict=True)
        return *encode_rows(texts), torch.tensor(spoken).float()

    def characters(self, batch: tuple[Tensor, Tensor, Tensor]) -> int:
        """Count the characters read."""
        return int(batch[1].sum())

    def loss(self, model: SentenceClassifier, batch: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Return nats per sentence."""
        characters, lengths, spoken = batch
        return functional.binary_cross_entropy_with_logits(model(characters, lengths), spoken)

    def scores(self, model: SentenceClassifier) -> Scores:
        """Evaluate on the last tenth of the book."""
        batch = self._examples(self._sentences.held_out)
        log_odds = model(*batch[:2])
        loss = functional.binary_cross_entropy_with_logits(log_odds, batch[2]).item()
        is_right = (log_odds > 0) == batch[2].bool()
        n = float(len(is_right))
        return Scores(loss, {"accuracy": is_right.float().mean().item(), "sentences": n})


class ReversalTask(SequenceTask):
    """Random letters, to be reversed: nothing can be guessed, every letter must be stored."""

    of_book = False

    def __init__(self, config: WordReverserConfig) -> None:
        self._config = config

    def build(self) -> WordReverser:
        """Return encoder and decoder."""
        return WordReverser(self._config)

    def batch(self, n: int, rng: torch.Generator) -> tuple[Tensor, Tensor]:
        """Draw letters and lengths: every length up to `TRAINED_LETTERS` equally often."""
        lengths = torch.randint(1, TRAINED_LETTERS + 1, (n,), generator=rng)
        return _random_letters(lengths, rng), lengths

    def characters(self, batch: tuple[Tensor, Tensor]) -> int:
        """Count the letters and ends to predict."""
        return int((batch[1] + 1).sum())

    def loss(self, model: WordReverser, batch: tuple[Tensor, Tensor]) -> Tensor:
        """Return nats per letter, the end of the word included."""
        letters, lengths = batch
        targets = reversed_rows(letters, lengths)  # (B, S)
        inputs = functional.pad(targets, (1, 0), value=END)
        targets = functional.pad(targets, (0, 1), value=END)
        behind = torch.arange(targets.shape[1]) > lengths[:, None]
        logits, _ = model.decode(inputs, model.encode(letters, lengths))
        targets = targets.masked_fill(behind, _NO_TARGET)
        return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())

    def scores(self, model: WordReverser) -> Scores:
        """Evaluate on fresh words: the share reversed without an error, by length."""
        rng = generator(2**31)
        whole = {}
        for length in range(1, TEST_LETTERS + 1):
            lengths = torch.full((TEST_WORDS,), length)
            letters = _random_letters(lengths, rng)
            generated = decode_greedily(model, letters, lengths, length + 1)
            targets = functional.pad(reversed_rows(letters, lengths), (0, 1), value=END)
            whole[f"whole words, {length} letters"] = (
                (generated == targets).all(1).float().mean().item()
            )
        loss = self.loss(model, self.batch(TEST_WORDS, rng)).item()
        return Scores(loss, whole)


def _random_letters(lengths: Tensor, rng: torch.Generator) -> Tensor:
    letters = torch.randint(1, N_LETTERS, (len(lengths), int(lengths.max())), generator=rng)
    behind = torch.arange(letters.shape[1]) >= lengths[:, None]
    return letters.masked_fill(behind, END)
