"""Who says it? Questions about the book that a rule makes, whose answer is a span of the passage.

The rule: a quotation, then a verb of speech with a name before or behind it: ``"..." said Sonya``. The
question is what is said, its last words where it is long; the passage is the paragraph with what comes
before and after it, cut at random places around the answer; the answer is the name in that place. A
question is kept if the rule finds another speaker in its passage, too: else it could be answered
without being read.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import torch

from lm_core.experiments.fine_tuning.labelled_texts import (
    LabelledTexts,
    Task,
    between_separators,
    labelled_texts,
)
from lm_core.experiments.fine_tuning.prose import encode_text
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.training_text import load_body

LABELS = ("first", "last")
TRAINING_SHARE = 0.75
"""First part of the book, from which the training questions are."""
QUESTION = 20
"""Most subwords of a question."""
N_AROUND = 4
"""Paragraphs before and after the one with the answer that a passage may reach into."""
DRAWS = 6
"""Passages that are drawn around an answer until one has two speakers; where one begins tells nothing."""

_VERBS = (
    "said|asked|replied|answered|cried|exclaimed|remarked|shouted|whispered|continued|added|began"
    "|muttered|repeated|observed|inquired|thought"
)
_NAME = r"[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}|[Tt]he (?:old |little |young |staff )?[a-z]+"
_TOLD = re.compile(rf'"([^"]+[,.!?-])" (?:(?:{_VERBS}) ({_NAME})|({_NAME}) (?:{_VERBS}))\b')
_SPEAKER = re.compile(rf'" (?:(?:{_VERBS}) ({_NAME})|({_NAME}) (?:{_VERBS}))\b')
_LEAST_OFTEN = 2  # a speaker of the book speaks more than once


class Question(NamedTuple):
    """A question of the rule."""

    quotation: list[int]
    passage: list[int]
    """`quotation` and `passage`: subwords."""
    start: int
    stop: int
    """`start` and `stop`: places of the answer in the passage, the last one excluded."""
    is_last: bool
    """Whether the rule finds no other speaker behind the answer."""


def speaker_task(vocabulary: CharacterVocabulary, config: MaskedLanguageModelConfig) -> Task:
    """Return questions about the book: the training ones from its first three quarters, the test ones from the last.

    Of the last quarter the encoder has read the first part, without questions: the last tenth alone has
    too few. Raises CorpusUnavailableError if the book is not on this machine.
    """
    paragraphs = vocabulary.normalise(load_body()).split("\n")
    n_read = int(TRAINING_SHARE * sum(map(len, paragraphs)))
    ends = accumulate(map(len, paragraphs))
    split = sum(end <= n_read for end in ends)
    names = speakers(paragraphs)
    training = list(questions(paragraphs[:split], names, vocabulary, config.longest))
    test = list(questions(paragraphs[split:], names, vocabulary, config.longest))
    n = max(1, len(test))
    return Task(
        LABELS,
        _encoded(training, config),
        _encoded(test, config),
        {"the last speaker": sum(question.is_last for question in test) / n},
    )


def speakers(paragraphs: Sequence[str]) -> list[str]:
    """Return the names that the rule finds more than once."""
    found = Counter(match[2] or match[3] for text in paragraphs for match in _TOLD.finditer(text))
    return [name for name, count in found.items() if count >= _LEAST_OFTEN]


def questions(
    paragraphs: Sequence[str], names: Sequence[str], vocabulary: CharacterVocabulary, longest: int
) -> Iterator[Question]:
    """Yield the rule's questions about some paragraphs.

    Parameters
    ----------
    paragraphs : sequence of str, normalised
    names : sequence of str, of the speakers
    longest : int, subwords of question and passage together, the three symbols around them included
    """
    rng = generator(0)
    for i, paragraph in enumerate(paragraphs):
        before = "".join(f"\n{text}" for text in paragraphs[max(0, i - N_AROUND) : i])
        after = "".join(f"\n{text}" for text in paragraphs[i + 1 : i + 1 + N_AROUND])
        for match in _TOLD.finditer(paragraph):
            group = 2 if match[2] else 3
            if match[group] not in names:
                continue
            ids = vocabulary.encode(f"{before}\n{paragraph}{after}")
            shift = len(before) + 1
            ends = vocabulary.lengths[ids].cumsum()
            start = int(np.searchsorted(ends, shift + match.start(group), side="right"))
            stop = int(np.searchsorted(ends, shift + match.end(group), side="left")) + 1
            quotation = encode_text(match[1], vocabulary)[-QUESTION:]
            room = longest - 3 - len(quotation)
            earliest, latest = max(0, stop - room), min(start, max(0, len(ids) - room))
            for _ in range(DRAWS):
                begin = int(torch.randint(earliest, max(earliest, latest) + 1, (), generator=rng))
                passage = ids[begin : begin + room].tolist()
                found = _SPEAKER.finditer(vocabulary.decode(passage))
                told = [speaker[1] or speaker[2] for speaker in found]
                if len(set(told)) > 1:
                    behind = vocabulary.decode(passage[stop - begin :])
                    is_last = not _SPEAKER.search(behind)
                    yield Question(quotation, passage, start - begin, stop - begin, is_last)
                    break


def _encoded(questions: Sequence[Question], config: MaskedLanguageModelConfig) -> LabelledTexts:
    tokens = [between_separators([q.quotation, q.passage], config) for q in questions]
    shifts = [len(q.quotation) + 2 for q in questions]
    spans = [(n + q.start, n + q.stop - 1) for n, q in zip(shifts, questions, strict=True)]
    shuffled = torch.randperm(len(tokens), generator=generator(0))
    return labelled_texts(tokens, spans, config).take(shuffled)
