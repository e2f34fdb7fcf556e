"""What is measured: four methods by number of labelled examples, GPT's recipe by its weight, learning rates."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import torch

from lm_core.experiments.fine_tuning import settings
from lm_core.experiments.fine_tuning.auxiliary_loss import AuxiliaryTuning, as_causal, score_causal
from lm_core.experiments.fine_tuning.labelled_texts import LabelledTexts, Task
from lm_core.experiments.fine_tuning.training import FineTuning, accuracy
from lm_core.experiments.masked_language_model.segments import Segments
from lm_core.experiments.masked_language_model.training import masked_loss
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.training.masking import MaskingConfig

SEEDS = {10: 3, 30: 3, 100: 3, 300: 3, 1_000: 2, 3_000: 2, 10_000: 2}
"""Seeds of every point, by number of labelled examples; for other numbers two."""
_SPEAKER_BATCH = 16  # these texts are three times as long
_CLEARLY_LESS = 0.9
SHIPPED_SIZE = 100
"""Beside the largest number of labelled examples, the one whose low-rank updates are shipped, too."""

WEIGHTS = (0.0, 0.1, 0.3, 1.0, 3.0)
r"""Of the language loss, \lambda."""
AUXILIARY_SEEDS = {30: 2, 300: 1}
"""Seeds of every weight, by number of labelled passages."""
_CAUSAL_RATE = 5e-4
_FORGETTING_BATCHES = 8

RATES = {
    settings.SCRATCH: (3e-4, 1e-3),
    settings.FROZEN: (1e-2, 3e-2, 1e-1),
    settings.TUNED: (2e-4, 5e-4, 1e-3),
    settings.LORA: (2e-3, 5e-3, 1e-2),
}
"""Learning rates that were compared, on the last `N_COMPARED` training texts of each task."""
N_COMPARED, COMPARED_SIZE = 500, 100


class Point(NamedTuple):
    """One tuning, and what came of it."""

    task: str
    method: str
    n_labelled: int
    seed: int
    accuracy: float
    """Share of right answers on the test texts, 0 to 1."""
    masked_loss: float
    """Nats per masked subword of the book's validation part that the tuned encoder needs when it
    fills gaps: how much of its reading it has kept."""
    seconds: float
    """Of training."""


class AuxiliaryPoint(NamedTuple):
    """One tuning by GPT's recipe."""

    weight: float
    r"""\lambda."""
    n_labelled: int
    seed: int
    accuracy: float
    """On the test texts."""
    test_loss: float
    book_loss: float
    """`test_loss` and `book_loss`: nats per subword: of the test texts, and of the book that the
    model had read first."""


class RateScore(NamedTuple):
    """A learning rate, and the accuracy that it leads to on training texts set apart for this."""

    task: str
    method: str
    rate: float
    accuracy: float


def sizes_of(n_training: int) -> tuple[int, ...]:
    """Return the numbers of labelled examples of a task: `SIZES` as far as they go, and all that there are.

    Examples
    --------
    >>> sizes_of(1_058), sizes_of(50_000)[-2:]
    ((10, 30, 100, 300, 1058), (3000, 10000))
    """
    largest = min(n_training, settings.SIZES[-1])
    return (*(size for size in settings.SIZES if size <= _CLEARLY_LESS * largest), largest)


def config_of(
    task: str, method: str, n_labelled: int, seed: int, rate: float | None = None
) -> settings.FineTuningConfig:
    """Return the settings of one tuning of the study."""
    config = settings.FineTuningConfig(task, method, n_labelled, seed, learning_rate=rate)
    return replace(config, batch=_SPEAKER_BATCH) if task == settings.SPEAKER else config


def configs(tasks: dict[str, Task]) -> Iterator[settings.FineTuningConfig]:
    """Yield the settings of all tunings."""
    for method in settings.METHODS:
        for name, task in tasks.items():
            for n in sizes_of(len(task.training.lengths)):
                for seed in range(SEEDS.get(n, 2)):
                    yield config_of(name, method, n, seed)


def score(tuning: FineTuning, task: Task, book: Segments, seconds: float) -> Point:
    """Return what a finished tuning can do."""
    config, model = tuning.config, tuning.model.eval()
    return Point(
        config.task,
        config.method,
        config.n_labelled,
        config.seed,
        round(accuracy(model, task.test, dtype=torch.bfloat16), 5),
        round(kept_reading(model.encoder, book), 4),
        round(seconds, 2),
    )


def kept_reading(encoder: MaskedLanguageModel, book: Segments) -> float:
    """Return the nats per masked subword of the book that an encoder needs to fill gaps."""
    return masked_loss(encoder.eval(), book, MaskingConfig(), batches=_FORGETTING_BATCHES)


def compare_rates(
    encoder: MaskedLanguageModel, name: str, task: Task, n_labelled: int = COMPARED_SIZE
) -> Iterator[RateScore]:
    """Yield the accuracy of each learning rate on training texts that are set apart."""
    n_learned = len(task.training.lengths) - N_COMPARED
    learned, compared = torch.arange(n_learned + N_COMPARED).split([n_learned, N_COMPARED])
    for method, rates in RATES.items():
        for rate in rates:
            config = config_of(name, method, n_labelled, 0, rate)
            tuning = FineTuning(encoder, config, task.training.take(learned), len(task.labels))
            for _ in tuning:
                pass
            found = accuracy(tuning.model.eval(), task.training.take(compared))
            yield RateScore(name, method, rate, round(found, 4))


def auxiliary_points(
    model: TransformerLanguageModel, task: Task, book: LabelledTexts
) -> Iterator[AuxiliaryPoint]:
    """Yield the tunings of the causal model on the authors' passages, for each weight, size and seed."""
    training, test = as_causal(task.training), as_causal(task.test)
    for n_labelled, n_seeds in AUXILIARY_SEEDS.items():
        for seed in range(n_seeds):
            for weight in WEIGHTS:
                config = settings.FineTuningConfig(
                    settings.AUTHOR, settings.TUNED, n_labelled, seed, learning_rate=_CAUSAL_RATE
                )
                tuning = AuxiliaryTuning(model, config, weight, training, len(task.labels))
                for _ in tuning:
                    pass
                classifier = tuning.classifier.eval()
                tested, read = score_causal(classifier, test), score_causal(classifier, book)
                yield AuxiliaryPoint(
                    weight,
                    n_labelled,
                    seed,
                    round(tested.accuracy, 5),
                    round(tested.language_loss, 4),
                    round(read.language_loss, 4),
                )
