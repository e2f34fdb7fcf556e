"""A text written on the spot by a trained model, to train on where there is no book and no network.

It is a substitute and is named as one: the record says which model wrote it, from which seed.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from lm_core.errors import SettingError
from lm_core.generation.batch_generation import generate_tokens
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import Checkpoint, CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of

_SETTINGS = SamplingSettings(temperature=0.8)
"""A little below 1: fewer invented words to be learned as if they were real ones."""

_SENTENCE_ENDS = ".!?"


@dataclass(frozen=True)
class SyntheticText:
    """A text by a model."""

    text: str
    """Passages that each begin and end with a sentence, joined by spaces."""
    model: str
    title: str
    """`model` and `title`: name and title of the checkpoint that wrote it."""
    seed: int
    """Start of all its random numbers."""
    vocabulary: CharacterVocabulary
    """The model's."""
    sha256: str
    """Of `text` in UTF-8."""

    @property
    def corpus(self) -> str:
        """What the text is called in the provenance of a model that was trained on it."""
        return f"written by {self.model} from seed {self.seed}"


@dataclass(frozen=True)
class WritingProgress:
    """How far the writing has come."""

    share: float
    """In (0, 1]."""
    written: SyntheticText | None = None
    """The text, in the last record."""


def write_text(
    checkpoint: Checkpoint,
    seed: int,
    *,
    n_characters: int = 1_000_000,
    n_texts: int = 256,
    dtype: torch.dtype = torch.float32,
) -> Iterator[WritingProgress]:
    """Let a model write many passages at once, and make one text of them.

    Leave the generator before its end to stop the writing. Raises SettingError if a number is out
    of its range.

    Parameters
    ----------
    checkpoint : Checkpoint, the writer
    seed : int, same seed, same text, for the same writer, numbers and `dtype`
    n_characters : int, at least n_texts
        GeneratedToken in all. The text is a little shorter: the unfinished last sentence of every
        passage is left out.
    n_texts : int, at least 1, passages
    dtype : torch.dtype, see `generate_tokens`

    Yields
    ------
    WritingProgress
        After each character of all passages.
    """
    if n_characters < n_texts:
        raise SettingError(f"n_characters must be at least {n_texts}, got {n_characters}")
    vocabulary = vocabulary_of(checkpoint.meta)
    prompt = vocabulary.encode(default_prompt(vocabulary))
    length = n_characters // n_texts
    rows = []
    for row in generate_tokens(
        checkpoint.model, prompt, _SETTINGS, n_texts, length, generator(seed), dtype=dtype
    ):
        rows.append(row)
        if len(rows) < length:
            yield WritingProgress(len(rows) / length)
    passages = (vocabulary.decode(ids) for ids in torch.stack(rows, 1).tolist())
    text = " ".join(map(_whole_sentences, passages))
    yield WritingProgress(1.0, written_by(checkpoint.meta, seed, text))


def written_by(meta: CheckpointMeta, seed: int, text: str) -> SyntheticText:
    """Return a text with its record: which model wrote it, from which seed."""
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return SyntheticText(text, meta.name, meta.title, seed, vocabulary_of(meta), sha256)


def _whole_sentences(passage: str) -> str:
    """Leave out what follows the last end of a sentence; a passage without any stays as it is.

    Examples
    --------
    >>> _whole_sentences(" He came. She went! And th")
    'He came. She went!'
    """
    end = max(passage.rfind(mark) for mark in _SENTENCE_ENDS) + 1
    return (passage[:end] if end else passage).strip()
