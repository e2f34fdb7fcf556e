"""Accuracy by number of examples: how often a model finds the answer, and what the examples do for it."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from lm_core.analysis.prompting import score_answers
from lm_core.analysis.surprisal import context_before
from lm_core.experiments.assistant.tasks import (
    CANDIDATES,
    END,
    SHOTS,
    STYLES,
    TASKS,
    Pair,
    Trial,
    draw_trial,
    written_prompt,
)
from lm_core.models.language_model import LanguageModel
from lm_core.results import Count, Positive, Share, one_of
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary

TRIALS, SEED = 60, 1
CHANCE = 1.0 / CANDIDATES

RIGHT, SHUFFLED, LEARNED = "right", "shuffled", "learned"
CONDITIONS = (RIGHT, SHUFFLED, LEARNED)
"""Right examples; the answers of the examples shuffled; right examples, questions that were tuned on."""


class Cell(NamedTuple):
    """How a model did at one task with one number of examples."""

    model: str
    task: Annotated[str, one_of(TASKS)]
    style: Annotated[str, one_of(STYLES)]
    condition: Annotated[str, one_of(CONDITIONS)]
    shots: Count  # examples before the question
    accuracy: (
        Share  # of the questions at which the right answer was the most probable of `CANDIDATES`
    )
    repeated: Share  # ... at which the question itself was, where that is wrong
    written: Share  # ... whose answer the model would write, taking the most probable token
    trials: Positive  # questions

    @property
    def standard_error(self) -> float:
        """Of the accuracy, from the trials as independent."""
        return float((self.accuracy * (1.0 - self.accuracy) / self.trials) ** 0.5)


class Reply(NamedTuple):
    """What a model makes of one question."""

    prompt: str
    question: str
    candidates: tuple[str, ...]
    """The answers to choose among, the right one first."""
    log_probabilities: tuple[float, ...]
    """Of each of them, in nats."""
    is_written: bool
    """Whether the model would write the right one, taking the most probable token."""

    @property
    def chosen(self) -> int:
        """Which of the candidates is the most probable: 0 for the right one."""
        return max(range(len(self.candidates)), key=self.log_probabilities.__getitem__)

    @property
    def shares(self) -> tuple[float, ...]:
        """Probability of each candidate, given that it is one of them."""
        logs = np.array(self.log_probabilities)
        weights = np.exp(logs - logs.max())
        return tuple((weights / weights.sum()).tolist())


def trials_of(task: str, condition: str, n: int, seed: int = SEED) -> tuple[Trial, ...]:
    """Return the questions of a task, the same ones for every model and number of examples."""
    pairs = TASKS[task].learned if condition == LEARNED else TASKS[task].pairs
    return tuple(draw_trial(pairs, max(SHOTS), generator(1_000 * seed + i)) for i in range(n))


def prompt_ids(vocabulary: CharacterVocabulary, prompt: str) -> np.ndarray:
    """Return what a model reads of a prompt, int64 (T,): it begins a paragraph, or a text."""
    return np.concatenate([context_before(vocabulary), vocabulary.encode(prompt)])


def ask(
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    task: str,
    examples: Sequence[Pair],
    trial: Trial,
    style: str,
) -> Reply:
    """Ask a model one question after some examples, and let it choose among the candidates."""
    prompt = written_prompt(TASKS[task], examples, trial.pair.question, style=style)
    answers = [vocabulary.encode(f" {answer}{END}") for answer in trial.candidates]
    scores = score_answers(model, prompt_ids(vocabulary, prompt), answers)
    found = tuple(scores.log_probabilities.tolist())
    return Reply(prompt, trial.pair.question, trial.candidates, found, bool(scores.is_greedy[0]))


def measure(
    name: str,
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    task: str,
    style: str,
    condition: str,
    *,
    shots: Sequence[int] = SHOTS,
    trials: int = TRIALS,
) -> Iterator[Cell]:
    """Yield how a model does at a task, one number of examples after the other.

    Parameters
    ----------
    name : str, of the model, as the cells record it
    model : LanguageModel, in evaluation mode
    vocabulary : CharacterVocabulary, of the model
    task, style, condition : str, as in `Cell`
    trials : int, questions for each number of examples: the same ones
    """
    drawn = trials_of(task, condition, trials)
    for n in shots:
        replies = [
            ask(
                model,
                vocabulary,
                task,
                trial.shown(n, is_shuffled=condition == SHUFFLED),
                trial,
                style,
            )
            for trial in drawn
        ]
        yield cell_of(name, task, style, condition, n, replies)


def cell_of(
    name: str, task: str, style: str, condition: str, shots: int, replies: Sequence[Reply]
) -> Cell:
    """Return the shares of some replies."""
    n = len(replies)
    is_repeated = [r.chosen != 0 and r.candidates[r.chosen] == r.question for r in replies]
    return Cell(
        name,
        task,
        style,
        condition,
        shots,
        sum(reply.chosen == 0 for reply in replies) / n,
        sum(is_repeated) / n,
        sum(reply.is_written for reply in replies) / n,
        n,
    )
