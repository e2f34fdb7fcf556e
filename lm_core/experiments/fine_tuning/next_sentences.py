"""Do these two sentences follow on each other? Half of the pairs do; in the others the second is from elsewhere."""

import torch

from lm_core.experiments.fine_tuning.labelled_texts import (
    LabelledTexts,
    Task,
    between_separators,
    labelled_texts,
)
from lm_core.experiments.fine_tuning.prose import book_paragraphs, encode_text, sentences_of
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary

TRAINING_BOOKS = tuple(
    (
        "count_of_monte_cristo dracula great_expectations grimms_fairy_tales les_miserables moby_dick "
        "picture_of_dorian_gray sense_and_sensibility tom_sawyer wuthering_heights"
    ).split()
)
TEST_BOOKS = ("dubliners", "emma", "tale_of_two_cities", "treasure_island")
LABELS = ("from elsewhere", "follows")
SENTENCE = (6, 40)
"""Fewest and most subwords of a sentence."""
N_TRAINING, N_TEST = 10_000, 800


def next_sentence_task(vocabulary: CharacterVocabulary, config: MaskedLanguageModelConfig) -> Task:
    """Return pairs of sentences, 1 where the second one follows; the other one is from the same book.

    Raises CorpusUnavailableError if a book is not on this machine.
    """
    return Task(
        LABELS,
        _pairs(TRAINING_BOOKS, N_TRAINING, vocabulary, config),
        _pairs(TEST_BOOKS, N_TEST, vocabulary, config),
        {"a coin": 0.5},
    )


def _pairs(
    books: tuple[str, ...],
    n: int,
    vocabulary: CharacterVocabulary,
    config: MaskedLanguageModelConfig,
) -> LabelledTexts:
    tokens, targets = [], []
    rng = generator(0)
    for book in books:
        found = _neighbours(book, vocabulary)
        order = torch.randperm(len(found), generator=rng)[: n // len(books)].tolist()
        for number, i in enumerate(order):
            follows = number % 2
            # The other half gets the second sentence of the pair drawn next: as long, as well-formed.
            second = found[i if follows else order[(number + 1) % len(order)]][1]
            tokens.append(between_separators([found[i][0], second], config))
            targets.append(follows)
    shuffled = torch.randperm(len(tokens), generator=rng)
    return labelled_texts(tokens, targets, config).take(shuffled)


def _neighbours(book: str, vocabulary: CharacterVocabulary) -> list[tuple[list[int], list[int]]]:
    """Return pairs of sentences of one paragraph that follow on each other; no sentence is in two."""
    shortest, longest = SENTENCE
    found = []
    for paragraph in book_paragraphs(f"gutenberg/{book}", vocabulary):
        encoded = [encode_text(sentence, vocabulary) for sentence in sentences_of(paragraph)]
        pairs = zip(encoded[::2], encoded[1::2], strict=False)
        found += [pair for pair in pairs if all(shortest <= len(ids) <= longest for ids in pair)]
    return found
