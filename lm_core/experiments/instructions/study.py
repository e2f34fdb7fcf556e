"""How often an instruction is followed: by task, and by how well its words are known."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

from lm_core.experiments.instructions.tasks import (
    CONDITIONS,
    FRENCH,
    LAST_FRENCH,
    REGROUPED,
    TASKS,
    TRAINED,
    instructed,
    words_of,
)
from lm_core.experiments.instructions.tuning import START, TUNED
from lm_core.experiments.translation.evaluation import bleu
from lm_core.generation.translation import translate_all
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.results import NonNegative, Positive, Share, one_of
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import shipped_vocabulary

ALONE = "one-task"
"""The network tuned on the asked task alone, one network for each task."""
MODELS = (TUNED, ALONE, START)


class Cell(NamedTuple):
    """How a model did at one task, asked in one way."""

    model: Annotated[str, one_of(MODELS)]
    task: Annotated[str, one_of(TASKS)]
    condition: Annotated[str, one_of(CONDITIONS)]
    right: Share  # of the answers: the same words, whether in small or in capital letters
    bleu: NonNegative | None  # of translations, also of reversed ones
    asked: Positive  # captions


class HeldOutAnswers(NamedTuple):
    """What the tuned model answers to the combination that no training had, in shares of all answers."""

    right: Share
    own_last: Share  # yardstick: the last word of its own translation is the right one
    english_last: Share  # the last word is given in English
    french_first: Share  # the first word is given in French
    sentence: Share  # more than one word
    asked: Positive


def ask_all(
    model: EncoderDecoder, task: str, condition: str, captions: Sequence[SentencePair]
) -> list[str]:
    """Return a model's answers, each token the most probable one; a caption asks in one phrasing."""
    asked = [
        instructed(TASKS[task].instruction(condition, place) or "", caption.source)
        for place, caption in enumerate(captions)
    ]
    return translate_all(model, shipped_vocabulary(), asked)


def is_right(answer: str, wanted: str) -> bool:
    """Whether an answer has the right words, whatever its capitals and punctuation.

    Examples
    --------
    >>> is_right("two dogs", "Two dogs."), is_right("two", "Two dogs.")
    (True, False)
    """
    return words_of(answer.lower()) == words_of(wanted.lower())


def measure(
    name: str, model: EncoderDecoder, task: str, condition: str, captions: Sequence[SentencePair]
) -> Cell:
    """Ask a model about captions that no training had, and compare with the right answers."""
    answers = ask_all(model, task, condition, captions)
    wanted = [TASKS[task].answer(caption) for caption in captions]
    score = bleu(answers, wanted, 1).score if TASKS[task].is_sentence else None
    return Cell(name, task, condition, _share(is_right, answers, wanted), score, len(captions))


def share_of_commonest(task: str, captions: Sequence[SentencePair]) -> float:
    """Return how often the most frequent right answer is right: what one gets without reading a caption."""
    counts = Counter(TASKS[task].answer(caption).lower() for caption in captions)
    return max(counts.values()) / len(captions)


def conditions_of(task: str) -> tuple[str, ...]:
    """Return in which ways the tuned model is asked; a held-out task has no trained phrasing."""
    return tuple(c for c in CONDITIONS if TASKS[task].instruction(c) is not None)


def held_out_answers(model: EncoderDecoder, captions: Sequence[SentencePair]) -> HeldOutAnswers:
    """Ask for the last word in French, and tell what is answered instead."""
    answers = ask_all(model, LAST_FRENCH, REGROUPED, captions)
    translated = ask_all(model, FRENCH, TRAINED, captions)
    wanted = [TASKS[LAST_FRENCH].answer(caption) for caption in captions]

    def given(task: str) -> float:
        return _share(is_right, answers, [TASKS[task].answer(caption) for caption in captions])

    return HeldOutAnswers(
        right=_share(is_right, answers, wanted),
        own_last=_share(is_right, [words_of(each)[-1] for each in translated], wanted),
        english_last=given("last"),
        french_first=given("first-french"),
        sentence=sum(len(words_of(answer)) > 1 for answer in answers) / len(answers),
        asked=len(captions),
    )


def _share(
    holds: Callable[[str, str], bool], answers: Sequence[str], wanted: Sequence[str]
) -> float:
    return sum(map(holds, answers, wanted)) / len(answers)
