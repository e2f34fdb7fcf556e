"""Instruction tuning in small: the language model of the book learns to answer, from prompts with their answers.

Each text that it learns from is a row of questions of one task with their answers, in one of the
styles; the loss is that of the answers alone (Ouyang et al. 2022). Because the row has the questions
before as examples, it learns to read the task off the examples, too (MetaICL, Min et al. 2022).

References
----------
Ouyang et al. 2022, "Training language models to follow instructions with human feedback".
https://arxiv.org/abs/2203.02155
Min et al. 2022, "MetaICL: Learning to Learn In Context". https://arxiv.org/abs/2110.15943
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.experiments.assistant.tasks import COPY, PLURAL, STYLES, TASKS, Pair, written_prompt
from lm_core.models.language_model import LanguageModel
from lm_core.models.placement import device_of
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rate_at, make_optimizer

WRITER = "book-subword-transformer"
"""The model that is tuned."""
TUNED = "book-assistant"
"""What it is called afterwards."""
STEPS, BATCH, LENGTH, PEAK = 500, 12, 80, 3e-3
"""Optimizer steps, rows in each, tokens of a row at most, and the highest learning rate."""
WORDS = 3_000
"""Most frequent words of the book that are repeated and put into the plural."""
_WORD = re.compile(r"\b[a-z]{3,9}\b")


def frequent_words(text: str, n: int = WORDS) -> tuple[str, ...]:
    """Return the most frequent words of a text, but for those that are asked later and their plurals."""
    asked = {word for name in (COPY, PLURAL) for pair in TASKS[name].pairs for word in pair}
    counts = Counter(_WORD.findall(text))
    return tuple(word for word, _ in counts.most_common() if word not in asked)[:n]


def lessons(words: Sequence[str]) -> dict[str, tuple[Pair, ...]]:
    """Return the pairs of each task that are learned from."""
    made = {
        COPY: tuple(Pair(word, word) for word in words),
        PLURAL: tuple(Pair(word, f"{word}s") for word in words if not word.endswith("s")),
    }
    return {name: made.get(name, task.learned) for name, task in TASKS.items()}


class Row(NamedTuple):
    """A row of questions with their answers."""

    ids: np.ndarray
    """int64, of shape (T,)."""
    is_answer: np.ndarray
    """bool, of shape (T,). Whether a token belongs to an answer or ends one."""


def draw_row(
    pairs: dict[str, tuple[Pair, ...]],
    vocabulary: CharacterVocabulary,
    length: int,
    rng: torch.Generator,
) -> Row:
    """Draw a task, a style, and as many different pairs as fit into `length` tokens."""
    names = list(pairs)
    task = names[_draw(len(names), rng)]
    style = STYLES[_draw(len(STYLES), rng)]
    order = torch.randperm(len(pairs[task]), generator=rng)[:length].tolist()
    ids, is_answer = [vocabulary.encode("\n")], [np.zeros(1, bool)]
    n = 1
    for i in order:
        pair = pairs[task][i]
        question = vocabulary.encode(written_prompt(TASKS[task], (), pair.question, style=style))
        answer = vocabulary.encode(f" {pair.answer}\n")
        n += len(question) + len(answer)
        if n > length:
            break
        ids += [question, answer]
        is_answer += [np.zeros(len(question), bool), np.ones(len(answer), bool)]
    return Row(np.concatenate(ids), np.concatenate(is_answer))


def _draw(n: int, rng: torch.Generator) -> int:
    return int(torch.randint(n, (), generator=rng))


def answer_losses(model: LanguageModel, rows: Sequence[Row]) -> tuple[Tensor, Tensor]:
    """Return the loss of every token of the answers, in nats, and in which row it is; both (N,)."""
    longest = max(len(row.ids) for row in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.int64)
    is_answer = torch.zeros(len(rows), longest, dtype=torch.bool)
    for i, row in enumerate(rows):
        ids[i, : len(row.ids)] = torch.from_numpy(row.ids)
        is_answer[i, : len(row.ids)] = torch.from_numpy(row.is_answer)
    ids, is_answer = ids.to(device_of(model)), is_answer.to(device_of(model))
    logits, _ = model(ids[:, :-1], model.initial_state(len(rows)))
    is_asked = is_answer[:, 1:]
    losses = F.cross_entropy(logits[is_asked], ids[:, 1:][is_asked], reduction="none")
    return losses, is_asked.nonzero()[:, 0]


def answer_loss(model: LanguageModel, rows: Sequence[Row]) -> Tensor:
    """Return the mean loss of the answers' tokens, in nats."""
    return answer_losses(model, rows)[0].mean()


def tune(
    model: LanguageModel,
    pairs: dict[str, tuple[Pair, ...]],
    vocabulary: CharacterVocabulary,
    rng: torch.Generator,
    *,
    steps: int = STEPS,
) -> Iterator[TrainStep]:
    """Tune a model in place, step by step."""
    loop = TrainingLoop(
        model.parameters(),
        lambda: answer_loss(
            model, [draw_row(pairs, vocabulary, LENGTH, rng) for _ in range(BATCH)]
        ),
        make_optimizer(model, 0.01, "muon"),
        steps=steps,
        learning_rate=lambda step: learning_rate_at(step, steps=steps, peak=PEAK, warmup_steps=20),
        clip=clip_by_norm(1.0),
    )
    yield from loop
