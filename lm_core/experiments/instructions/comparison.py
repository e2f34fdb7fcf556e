"""The tuned network asked in every way, beside itself before the tuning and tuned on one task alone."""

from collections.abc import Iterator, Sequence
from typing import Any

from lm_core.experiments.instructions.study import ALONE, Cell, conditions_of, measure
from lm_core.experiments.instructions.tasks import TASKS, TRAINED
from lm_core.experiments.instructions.tuned_models import SEED, tuned_on_one
from lm_core.experiments.instructions.tuning import START, TUNED
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.text.sentence_pairs import NAME as CORPUS
from lm_core.text.sentence_pairs import SentencePair, pairs_sha256
from lm_core.training.checkpoints import CheckpointMeta, load_shipped

COMPARED = ("french", "last", "count", "colour")
"""Tasks on each of which a network is tuned alone."""


def all_cells(
    tuned: EncoderDecoder, captions: Sequence[SentencePair], asked: Sequence[SentencePair]
) -> Iterator[Cell]:
    """Yield all measurements, each as soon as it is made; one network for each task is tuned on the way."""
    for task in TASKS:
        for condition in conditions_of(task):
            yield measure(TUNED, tuned, task, condition, asked)
    start = load_shipped(START).model
    for task in TASKS:
        yield measure(START, start, task, conditions_of(task)[0], asked)
    for task in COMPARED:
        yield measure(ALONE, tuned_on_one(captions, TASKS[task]), task, TRAINED, asked)


def settings_of(meta: CheckpointMeta, captions: int) -> dict[str, Any]:
    """Return what was measured with which settings, for the record; `meta` is the tuned network's."""
    return {
        "corpus": CORPUS,
        "corpus_sha256": pairs_sha256(),
        "seed": SEED,
        "captions": captions,
        "tuning": meta.recipe,
        "model_sha256": meta.weights_sha256,
    }
