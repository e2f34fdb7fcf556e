"""Who says it? Questions about the book that a rule makes, whose answer is a span of the passage.

The rule: a quotation, then a verb of speech with a name before or behind it: ``"..." said Sonya``. The
question is what is said, its last words where it is long; the passage is the paragraph with what comes
before it, cut at random places around the answer; the answer is the name in that place. A question is
kept if the passage names at least two speakers of the book.
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
TRAINING_SHARE = 0.8
"""First part of the book, from which the training questions are."""
QUESTION = 20
"""Most subwords of a question."""
N_BEFORE = 3
"""Paragraphs before the one with the answer that a passage may reach into."""
AFTER = (4, 40)
"""Fewest and most subwords of a passage behind the answer; drawn, so that its place tells nothing."""

_VERBS = (
    "said|asked|replied|answered|cried|exclaimed|remarked|shouted|whispered|continued|added|began"
    "|muttered|repeated|observed|inquired|thought"
)
_NAME = r"[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}|[Tt]he (?:old |little |young |staff )?[a-z]+"
_TOLD = re.compile(rf'"([^"]+[,.!?-])" (?:(?:{_VERBS}) ({_NAME})|({_NAME}) (?:{_VERBS}))\b')
_LEAST_OFTEN = 2  # a speaker of the book speaks more than once


class Question(NamedTuple):
    """A question of the rule.

    Attributes
    ----------
    quotation, passage : list of int
        Subwords.
    start, stop : int
        Places of the answer in the passage, the last one excluded.
    n_names : int
        Places of the passage that name a speaker.
    """

    quotation: list[int]
    passage: list[int]
    start: int
    stop: int
    n_names: int


def speaker_task(vocabulary: CharacterVocabulary, config: MaskedLanguageModelConfig) -> Task:
    """Return questions about the book: the training ones from its first four fifths, the test ones from the last.

    The encoder has read half of the last fifth, without questions: the last tenth alone has too few.

    Raises
    ------
    CorpusUnavailableError
        If the book is not on this machine.
    """
    paragraphs = vocabulary.normalise(load_body()).split("\n")
    n_read = int(TRAINING_SHARE * sum(map(len, paragraphs)))
    ends = accumulate(map(len, paragraphs))
    split = sum(end <= n_read for end in ends)
    names = speakers(paragraphs)
    training = list(questions(paragraphs[:split], names, vocabulary, config.longest))
    test = list(questions(paragraphs[split:], names, vocabulary, config.longest))
    by_chance = sum(1.0 / question.n_names for question in test) / max(1, len(test))
    return Task(
        LABELS,
        _encoded(training, config),
        _encoded(test, config),
        {"any speaker's name in the passage": by_chance},
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
    paragraphs : sequence of str
        Normalised.
    names : sequence of str
        Of the speakers.
    vocabulary : CharacterVocabulary
    longest : int
        Subwords of question and passage together, the three symbols around them included.
    """
    named = re.compile(rf"\b(?:{'|'.join(sorted(names, key=len, reverse=True))})\b")
    rng = generator(0)
    for i, paragraph in enumerate(paragraphs):
        before = "".join(f"\n{text}" for text in paragraphs[max(0, i - N_BEFORE) : i])
        for match in _TOLD.finditer(paragraph):
            group = 2 if match[2] else 3
            if match[group] not in names:
                continue
            ids = vocabulary.encode(f"{before}\n{paragraph}")
            shift = len(before) + 1
            ends = vocabulary.lengths[ids].cumsum()
            start = int(np.searchsorted(ends, shift + match.start(group), side="right"))
            stop = int(np.searchsorted(ends, shift + match.end(group), side="left")) + 1
            quotation = encode_text(match[1], vocabulary)[-QUESTION:]
            behind = int(torch.randint(*AFTER, (), generator=rng))
            end = min(len(ids), stop + behind)
            begin = max(0, end - (longest - 3 - len(quotation)))
            passage = ids[begin:end].tolist()
            found = named.findall(vocabulary.decode(passage))
            if begin <= start and len(set(found)) > 1:
                yield Question(quotation, passage, start - begin, stop - begin, len(found))


def _encoded(questions: Sequence[Question], config: MaskedLanguageModelConfig) -> LabelledTexts:
    tokens = [between_separators([q.quotation, q.passage], config) for q in questions]
    shifts = [len(q.quotation) + 2 for q in questions]
    spans = [(n + q.start, n + q.stop - 1) for n, q in zip(shifts, questions, strict=True)]
    shuffled = torch.randperm(len(tokens), generator=generator(0))
    return labelled_texts(tokens, spans, config).take(shuffled)
