"""Which of four authors wrote a passage? Learned from one book of each, tried on another."""

import torch

from lm_core.experiments.fine_tuning.labelled_texts import (
    LabelledTexts,
    Task,
    between_separators,
    labelled_texts,
)
from lm_core.experiments.fine_tuning.prose import book_paragraphs, passages
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary

TRAINING_BOOKS = {
    "Jane Austen": "emma",
    "Charles Dickens": "great_expectations",
    "Mark Twain": "huckleberry_finn",
    "Oscar Wilde": "picture_of_dorian_gray",
}
TEST_BOOKS = {
    "Jane Austen": "sense_and_sensibility",
    "Charles Dickens": "tale_of_two_cities",
    "Mark Twain": "tom_sawyer",
    "Oscar Wilde": "importance_of_being_earnest",
}
AUTHORS = tuple(TRAINING_BOOKS)
PASSAGE = (30, 46)
"""Fewest and most subwords of a passage."""
N_TRAINING, N_TEST = 2_500, 150
"""Passages of each author."""


def author_task(vocabulary: CharacterVocabulary, config: MaskedLanguageModelConfig) -> Task:
    """Return passages with the number of their author, as many of each.

    Raises CorpusUnavailableError if a book is not on this machine.
    """
    training = _passages(TRAINING_BOOKS, N_TRAINING, vocabulary, config)
    test = _passages(TEST_BOOKS, N_TEST, vocabulary, config)
    return Task(AUTHORS, training, test, {"any one author": 1.0 / len(AUTHORS)})


def _passages(
    books: dict[str, str],
    n: int,
    vocabulary: CharacterVocabulary,
    config: MaskedLanguageModelConfig,
) -> LabelledTexts:
    tokens, targets = [], []
    rng = generator(0)
    for author, book in enumerate(books.values()):
        paragraphs = book_paragraphs(f"gutenberg/{book}", vocabulary)
        found = list(passages(paragraphs, vocabulary, *PASSAGE))
        chosen = torch.randperm(len(found), generator=rng)[:n].tolist()
        tokens += [between_separators([found[i]], config) for i in chosen]
        targets += [author] * len(chosen)
    shuffled = torch.randperm(len(tokens), generator=rng)
    return labelled_texts(tokens, targets, config).take(shuffled)
