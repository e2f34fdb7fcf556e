"""What makes an induction head form: prose alone, or prose and random characters that come twice.

A small transformer of two layers is all it takes: a head of the first layer brings to each character
the one before it, and a head of the second looks for characters that come after what is read now
(Olsson et al. 2022). Prose rewards this little, because it seldom repeats itself letter by letter.

References
----------
Olsson et al. 2022, "In-context Learning and Induction Heads". https://arxiv.org/abs/2209.11895
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.analysis.repeated_tokens import score_repetition
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.loop import TrainingLoop, clip_by_norm
from lm_core.training.optimizers import learning_rate_at, make_optimizer

WINDOW, BATCH, STEPS, EVERY = 64, 16, 1_200, 50


@dataclass(frozen=True)
class Lesson:
    """What one small transformer learns from, and how its weights begin."""

    title: str
    repeated: float
    """In [0, 1]. Share of the windows that are random characters, again and again; the others
    are prose."""
    periods: tuple[int, int] = (8, 32)
    """Tuple of (int, int). Fewest and most characters after which such a window begins again."""
    layers: int = 2
    weight_scale: float = 1.0
    """What the starting weights of the blocks are multiplied with."""


LESSONS = (
    Lesson("prose alone", 0.0),
    Lesson("half repeated", 0.5),
    Lesson("one layer", 0.5, layers=1),
    Lesson("small weights", 0.5, weight_scale=0.1),
    Lesson("one distance", 0.5, periods=(32, 32)),
)
"""All but the first change one thing about the second."""


class InductionStep(NamedTuple):
    """How far a lesson has come."""

    step: int
    induction: float
    """Weight that the best head gives to the character after the same random character."""
    control: float
    """What the same head gives to that place where the characters come for the first time."""
    first_loss: float
    second_loss: float
    """`first_loss` and `second_loss`: mean nats per random character, at the first and the
    second reading."""


def learn(
    lesson: Lesson, text: Tensor, vocabulary_size: int, seed: int = 0
) -> Iterator[InductionStep]:
    """Train a small transformer, and measure its best induction head now and then.

    Parameters
    ----------
    text : int64 Tensor of shape (N,), the prose, longer than a window
    vocabulary_size : int, its characters; id 0 is left out of random windows
    """
    config = TransformerLanguageModelConfig(vocabulary_size, 64, 4, lesson.layers, context=WINDOW)
    model, rng = TransformerLanguageModel(config), generator(seed)
    model.initialise(rng)
    with torch.no_grad():
        for weight in model.blocks.parameters():
            if weight.dim() == 2:
                weight.mul_(lesson.weight_scale)

    def next_loss() -> Tensor:
        windows = draw_windows(text, vocabulary_size, lesson, rng)
        logits, _ = model(windows[:, :-1], model.initial_state(BATCH))
        return F.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())

    loop = TrainingLoop(
        model.parameters(),
        next_loss,
        make_optimizer(model, 0.1, "muon"),
        steps=STEPS,
        learning_rate=lambda step: learning_rate_at(step, steps=STEPS, peak=1e-2, warmup_steps=50),
        clip=clip_by_norm(1.0),
    )
    yield _measure(model, 0)
    for done in loop:
        if done.step % EVERY == 0:
            yield _measure(model, done.step)


def draw_windows(
    text: Tensor, vocabulary_size: int, lesson: Lesson, rng: torch.Generator
) -> Tensor:
    """Return one batch, (B, T + 1): first the windows of random characters, then the prose."""
    n_repeated = round(lesson.repeated * BATCH)
    drawn = 1 + torch.rand(n_repeated, vocabulary_size - 1, generator=rng).argsort(-1)
    fewest, most = lesson.periods
    periods = torch.randint(fewest, most + 1, (n_repeated, 1), generator=rng)
    places = torch.arange(WINDOW + 1)
    starts = torch.randint(0, len(text) - WINDOW, (BATCH - n_repeated, 1), generator=rng)
    return torch.cat([drawn.gather(1, places % periods), text[starts + places]])


def _measure(model: TransformerLanguageModel, step: int) -> InductionStep:
    scores = score_repetition(model.eval(), generator(1), length=WINDOW // 2, n_sequences=8)
    model.train()
    best = int(scores.induction.argmax())
    return InductionStep(
        step,
        float(scores.induction.flatten()[best]),
        float(scores.induction_control.flatten()[best]),
        *scores.losses,
    )
