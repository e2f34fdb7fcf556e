"""What tuned models make of a visitor's text: read as the tasks' texts are, and answered task by task."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from lm_core.errors import TextError
from lm_core.experiments.fine_tuning.authors import PASSAGE
from lm_core.experiments.fine_tuning.labelled_texts import between_separators, labelled_texts
from lm_core.experiments.fine_tuning.next_sentences import SENTENCE
from lm_core.experiments.fine_tuning.prose import encode_text
from lm_core.experiments.fine_tuning.speakers import QUESTION
from lm_core.experiments.fine_tuning.tags import LONGEST, tagged_subwords
from lm_core.experiments.part_of_speech_tagging.inference import words_of_sentence
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.models.task_heads import NOT_ASKED, SPAN, TaskModel, best_labels
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.tagged_sentences import TaggedSentence

MOST_CHARACTERS = 600
"""Of a visitor's passage."""
_AT_ONCE = 64
_QUOTATION = re.compile(r'"([^"]*\w[^"]*)"')


def read_text(text: str, vocabulary: CharacterVocabulary, most: int, name: str) -> list[int]:
    """Return the subwords of a text on one line, after the end of a paragraph.

    Raises TextError if nothing of it can be read, or it is too long.

    Parameters
    ----------
    most : int, subwords that it may have
    name : str, what messages call it
    """
    line = " ".join(vocabulary.normalise(text).split())
    if not line:
        raise TextError(f"{name} is empty: write at least one English word")
    ids = encode_text(line, vocabulary)
    if len(ids) > most:
        raise TextError(
            f"{name} may have at most {most} subwords, got {len(ids)}: shorten it by about"
            f" {len(ids) - most} words"
        )
    return ids


def read_passage(text: str, vocabulary: CharacterVocabulary) -> tuple[list[int], ...]:
    """Return what the author's head is asked about; TextError if it cannot be read."""
    return (read_text(text, vocabulary, PASSAGE[1], "the passage"),)


def read_pair(first: str, second: str, vocabulary: CharacterVocabulary) -> tuple[list[int], ...]:
    """Return what the head for two sentences is asked about; TextError if one cannot be read."""
    most = SENTENCE[1]
    return (
        read_text(first, vocabulary, most, "the first sentence"),
        read_text(second, vocabulary, most, "the second sentence"),
    )


@torch.no_grad()
def class_probabilities(
    model: TaskModel, texts: Sequence[Sequence[Sequence[int]]], *, dtype: torch.dtype | None = None
) -> np.ndarray:
    """Return the probability of each class for each text or pair of texts, (N, K).

    Parameters
    ----------
    model : TaskModel, of kind `SEQUENCE`, in evaluation mode
    texts : sequence of N sequences of one or two texts, as `read_passage` and `read_pair` return them
    dtype : torch.dtype, of the encoder's arithmetic
    """
    config = model.encoder.config
    rows = [between_separators(text, config) for text in texts]
    asked = labelled_texts(rows, [0] * len(rows), config)
    parts = [
        model(part.tokens, part.lengths, dtype=dtype).softmax(-1)
        for part in map(asked.take, torch.arange(len(rows)).split(_AT_ONCE))
    ]
    probabilities: np.ndarray = torch.cat(parts).numpy()
    return probabilities


class WordsToTag(NamedTuple):
    """A sentence whose words are to be tagged."""

    words: tuple[str, ...]
    """Those of which the encoder knows a character."""
    subwords: list[int]
    places: list[int]
    """In `subwords`, of each word's first one."""


def read_words(text: str, vocabulary: CharacterVocabulary) -> WordsToTag:
    """Return the words of a sentence as the tagging head reads them.

    Raises TextError if nothing of it can be read, or it is too long.
    """
    words = words_of_sentence(text)
    # The number of a word takes the place of its tag, and is then where the tag is asked for.
    numbered = TaggedSentence(words, tuple(range(len(words))))
    subwords, numbers = tagged_subwords(numbered, vocabulary)
    places = [i for i, number in enumerate(numbers) if number != NOT_ASKED]
    if not places:
        raise TextError("the sentence is empty: write at least one English word")
    if len(subwords) > LONGEST - 2:
        raise TextError(
            f"the sentence may have at most {LONGEST - 2} subwords, got {len(subwords)}: shorten it"
        )
    return WordsToTag(tuple(words[numbers[i]] for i in places), subwords, places)


@torch.no_grad()
def tag_probabilities(model: TaskModel, asked: WordsToTag) -> np.ndarray:
    """Return the probability of each tag for each word, (number of words, K)."""
    tokens = torch.tensor([between_separators([asked.subwords], model.encoder.config)])
    logits = model(tokens, torch.tensor([tokens.shape[1]]))[0]
    probabilities: np.ndarray = logits[1:][asked.places].softmax(-1).numpy()
    return probabilities


class AskedSpeaker(NamedTuple):
    """A question about who speaks."""

    quotation: list[int]
    passage: list[int]
    """`quotation` and `passage`: subwords; of a long quotation the last ones."""


def quotations_of(passage: str, vocabulary: CharacterVocabulary) -> list[str]:
    """Return what is said in a passage, each quotation without its marks.

    Examples
    --------
    >>> from lm_core.text.character_vocabulary import FULL
    >>> quotations_of('“Come,” said Sonya. "No!"', FULL)
    ['Come,', 'No!']
    """
    return list(dict.fromkeys(_QUOTATION.findall(vocabulary.normalise(passage))))


def read_question(
    passage: str, quotation: str, vocabulary: CharacterVocabulary, config: MaskedLanguageModelConfig
) -> AskedSpeaker:
    """Return a question as the span head reads it.

    Raises TextError if the passage does not have the quotation, cannot be read, or is too long.

    Parameters
    ----------
    quotation : str, one of `quotations_of` the passage
    config : MaskedLanguageModelConfig, of the encoder
    """
    if quotation not in quotations_of(passage, vocabulary):
        raise TextError(
            'the passage must have the quotation between quotation marks: "Come," said Sonya.'
        )
    asked = encode_text(quotation, vocabulary)[-QUESTION:]
    most = config.longest - 3 - len(asked)
    return AskedSpeaker(asked, read_text(passage, vocabulary, most, "the passage"))


class FoundSpan(NamedTuple):
    """An answer in a passage."""

    first: np.ndarray
    last: np.ndarray
    """`first` and `last`: float32, of shape (N,). Probability that the answer begins, and ends,
    at each subword of the passage."""
    start: int
    stop: int
    """`start` and `stop`: places of the most likely span, the last one excluded."""


@torch.no_grad()
def find_speaker(model: TaskModel, asked: AskedSpeaker) -> FoundSpan:
    """Return where in the passage the span head finds who speaks."""
    tokens = torch.tensor([between_separators(asked, model.encoder.config)])
    logits = model(tokens, torch.tensor([tokens.shape[1]]))
    begin = len(asked.quotation) + 2  # [CLS] and [SEP] are around the question
    first, last = logits[0, :, begin : begin + len(asked.passage)].softmax(-1).numpy()
    start, end = (best_labels(logits, SPAN)[0] - begin).tolist()
    return FoundSpan(first, last, start, end + 1)
