"""A real case: a small transformer that is trained on little of the book, and what it then knows by heart."""

from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.training_text import TrainingText
from lm_core.training.language_modelling import Training, TrainingConfig, mean_loss

WIDTH, HEADS, LAYERS, CONTEXT = 64, 4, 2, 64
STEPS, EVERY = 1_000, 25
BATCH = 16
LEARNING_RATE = 3e-3
SEED = 1
EVALUATED = 16_384
"""Characters of each part of the text that a loss is measured on, at most."""
PLACES, PROMPT, LONGEST = 64, 64, 64
"""Where the text is to be continued: so many places, after so many characters, for so many at most."""

PLAIN, DROPOUT, DECAY, MORE_TEXT = "None", "Dropout 0.2", "Weight decay 1", "Ten times the text"


@dataclass(frozen=True)
class BookRun:
    """What differs from training to training."""

    characters: int = 10_000
    """Of the book's beginning that are learned from."""
    dropout: float = 0.0
    weight_decay: float = 0.0
    """`dropout` and `weight_decay`: the latter decoupled from the gradient, as AdamW's."""


RUNS = {
    PLAIN: BookRun(),
    DROPOUT: BookRun(dropout=0.2),
    DECAY: BookRun(weight_decay=1.0),
    MORE_TEXT: BookRun(characters=100_000),
}


@dataclass(frozen=True)
class BookCurve:
    """A training, every `EVERY` steps, the start included."""

    name: str
    """One of `RUNS`."""
    training: tuple[float, ...]
    validation: tuple[float, ...]
    """`training` and `validation`: nats per character with dropout off: on text that was learned
    from, and on the book's last tenth."""
    recited: tuple[float, ...]
    continued: tuple[float, ...]
    """`recited` and `continued`: characters that the likeliest ones continue a text rightly
    before the first mistake, `LONGEST` at most: on text that was learned from, and on the
    last tenth. Means over `PLACES` places."""


def network_of(run: BookRun, vocabulary_size: int) -> TransformerLanguageModelConfig:
    """Return the transformer of a run."""
    return TransformerLanguageModelConfig(
        vocabulary_size, WIDTH, HEADS, LAYERS, context=CONTEXT, dropout=run.dropout, cold_starts=1.0
    )


def train_on_book(name: str, text: TrainingText, steps: int = STEPS) -> BookCurve:
    """Train one of `RUNS` on the beginning of the book, and evaluate it as it goes on."""
    run = RUNS[name]
    parts = text.train[: run.characters], text.validation[:EVALUATED]
    learned, unseen = (torch.from_numpy(part).long() for part in parts)
    model = TransformerLanguageModel(network_of(run, len(text.vocabulary)))
    training = Training(
        model,
        learned,
        TrainingConfig(
            steps=steps,
            batch=BATCH,
            window=CONTEXT,
            learning_rate=LEARNING_RATE,
            warmup_steps=50,
            weight_decay=run.weight_decay,
            seed=SEED,
        ),
    )
    rows = [_evaluate(model, learned, unseen)]
    rows += [_evaluate(model, learned, unseen) for step in training if step.step % EVERY == 0]
    return BookCurve(name, *(tuple(column) for column in zip(*rows, strict=True)))


def _evaluate(
    model: TransformerLanguageModel, learned: Tensor, unseen: Tensor
) -> tuple[float, float, float, float]:
    model.eval()
    scores = (
        mean_loss(model, learned[:EVALUATED], window=CONTEXT),
        mean_loss(model, unseen, window=CONTEXT),
        mean_run(model, learned),
        mean_run(model, unseen),
    )
    model.train()
    return tuple(round(score, 4) for score in scores)  # type: ignore[return-value]


@torch.no_grad()
def mean_run(model: TransformerLanguageModel, text: Tensor) -> float:
    """Return how many characters the model continues a text rightly before its first mistake, on average.

    The likeliest character is taken each time. Up to the first mistake the model reads what the text
    has, so one pass over the text itself tells all.
    """
    length = PROMPT + LONGEST
    starts = torch.randint(len(text) - length, (PLACES,), generator=generator(SEED))
    pieces = text[starts[:, None] + torch.arange(length)]
    logits, _ = model(pieces[:, :-1], model.initial_state(PLACES))
    is_right = logits[:, PROMPT - 1 :].argmax(-1) == pieces[:, PROMPT:]
    return float(is_right.long().cumprod(1).sum(1).double().mean())
