"""Instruction tuning: a network that only translates learns to do what the words before the sentence ask for."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from lm_core.experiments.instructions.tasks import TASKS, Task, instructed
from lm_core.experiments.translation.batches import PairBatch, encode_pairs, pair_batch
from lm_core.experiments.translation.training import token_losses
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import TranslationVocabulary
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rate_at, make_optimizer

START = "translation-transformer"
"""The model that is tuned."""
TUNED = "instructed-translator"
"""What it is called afterwards."""
STEPS, BATCH, PEAK = 900, 64, 4e-3
"""Optimizer steps, captions in each, and the highest learning rate."""
_NEAR = 1_000
"""Captions of a batch are drawn from so many of about equal length."""
LEARNED = tuple(task for task in TASKS.values() if not task.is_held_out)


def draw_batch(
    captions: Sequence[SentencePair],
    tasks: Sequence[Task],
    vocabulary: TranslationVocabulary,
    n: int,
    rng: torch.Generator,
) -> PairBatch:
    """Draw captions of about equal length, and for each a task and one of its trained phrasings.

    `captions`: sequence of SentencePair, sorted by length.
    """

    def drawn(most: int) -> int:
        return int(torch.randint(most, (), generator=rng))

    near = captions[drawn(max(1, len(captions) - _NEAR)) :][:_NEAR]
    pairs = []
    for _ in range(n):
        caption, task = near[drawn(len(near))], tasks[drawn(len(tasks))]
        asked = instructed(task.trained[drawn(len(task.trained))], caption.source)
        pairs.append(SentencePair(asked, task.answer(caption)))
    return pair_batch(encode_pairs(pairs, vocabulary))


def tune(
    model: EncoderDecoder,
    captions: Sequence[SentencePair],
    vocabulary: TranslationVocabulary,
    rng: torch.Generator,
    *,
    tasks: Sequence[Task] = LEARNED,
    steps: int = STEPS,
    dtype: torch.dtype = torch.float32,
) -> Iterator[TrainStep]:
    """Tune a model in place, step by step: the loss is that of the answers' tokens."""
    by_length = sorted(captions, key=lambda caption: len(caption.source))

    def next_loss() -> Tensor:
        batch = draw_batch(by_length, tasks, vocabulary, BATCH, rng)
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            logits = model.training_logits(*batch.source, batch.read, rng=rng)
        return token_losses(logits.float(), batch.targets.ids, 0.0)[1]

    yield from TrainingLoop(
        model.parameters(),
        next_loss,
        make_optimizer(model, 0.05, "muon"),
        steps=steps,
        learning_rate=lambda step: learning_rate_at(step, steps=steps, peak=PEAK, warmup_steps=30),
        clip=clip_by_norm(1.0),
    )
