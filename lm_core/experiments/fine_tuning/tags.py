"""The part of speech of every word: sentences of the Brown corpus, and the universal tag set."""

from collections.abc import Sequence

import torch

from lm_core.experiments.fine_tuning.labelled_texts import (
    LabelledTexts,
    Task,
    between_separators,
    labelled_texts,
)
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.models.task_heads import NOT_ASKED
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.tagged_sentences import (
    TAGS,
    TEST,
    TRAIN,
    TaggedSentence,
    load_texts,
    sentences_of_part,
)

LONGEST = 60
"""Most subwords of a sentence, the symbols around it included."""
N_TRAINING, N_TEST = 10_000, 400

_WRITTEN = {"``": '"', "''": '"'}
_AFTER_NO_SPACE, _BEFORE_NO_SPACE = frozenset(["``", "("]), frozenset([*".,;:?!)", "''"])


def tag_task(vocabulary: CharacterVocabulary, config: MaskedLanguageModelConfig) -> Task:
    """Return sentences with a tag at the first subword of each word; the test ones are of other texts.

    Raises CorpusUnavailableError if the corpus is not on this machine.
    """
    texts = load_texts()
    training = _sentences(sentences_of_part(texts, TRAIN), N_TRAINING, vocabulary, config)
    test = _sentences(sentences_of_part(texts, TEST), N_TEST, vocabulary, config)
    asked = test.targets[test.targets != NOT_ASKED]
    nouns = float((asked == TAGS.index("NOUN")).double().mean())
    return Task(TAGS, training, test, {"always noun": nouns})


def _sentences(
    sentences: Sequence[TaggedSentence],
    n: int,
    vocabulary: CharacterVocabulary,
    config: MaskedLanguageModelConfig,
) -> LabelledTexts:
    order = torch.randperm(len(sentences), generator=generator(0)).tolist()
    tokens: list[list[int]] = []
    targets: list[list[int]] = []
    for i in order:
        if len(tokens) == n:
            break
        subwords, tags = tagged_subwords(sentences[i], vocabulary)
        if 1 < len(subwords) <= LONGEST - 2:
            tokens.append(between_separators([subwords], config))
            targets.append([NOT_ASKED, *tags, NOT_ASKED])
    return labelled_texts(tokens, targets, config)


def tagged_subwords(
    sentence: TaggedSentence, vocabulary: CharacterVocabulary
) -> tuple[list[int], list[int]]:
    """Return the subwords of a sentence, and at the first one of each word its tag, else `NOT_ASKED`.

    The words are written as in print: with no space before a comma or after an opening bracket. Words
    of which the vocabulary knows no character are left out.
    """
    subwords: list[int] = vocabulary.encode("\n").tolist()
    tags = [NOT_ASKED] * len(subwords)
    needs_space = False
    for word, tag in zip(sentence.words, sentence.tags, strict=True):
        written = vocabulary.normalise(_WRITTEN.get(word, word)).strip()
        if not written:
            continue
        space = " " if needs_space and word not in _BEFORE_NO_SPACE else ""
        ids = vocabulary.encode(space + written).tolist()
        needs_space = word not in _AFTER_NO_SPACE
        subwords += ids
        tags += [tag, *[NOT_ASKED] * (len(ids) - 1)]
    return subwords, tags
