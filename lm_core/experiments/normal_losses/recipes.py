"""The trainings whose losses are known from several seeds, as a visitor's forms offer them at first."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from time import perf_counter
from typing import NamedTuple

from lm_core.experiments.counting.results import CONFIG
from lm_core.experiments.counting.training import as_run, train_counting
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.presets import small_translator
from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.experiments.war_and_peace.presets import PRESETS
from lm_core.experiments.word2vec.experiment import short_text_run
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import short_text, synthetic_text
from lm_core.jobs.records import RunConfig
from lm_core.rng import generator
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.loop import TrainStep
from lm_core.training.recipes import Recipe


class KnownTraining(NamedTuple):
    """A run, and the text that it learns from where the catalogue has none."""

    config: RunConfig
    text: str | None = None
    steps_from: Callable[[int], Iterable[TrainStep]] | None = None
    """Returns the steps from a seed, of a training that is no job."""


def _of_book(recipe: Recipe) -> KnownTraining:
    name, sha256 = WAR_AND_PEACE.name, WAR_AND_PEACE.sha256
    return KnownTraining(
        run_config(recipe, corpus=name, corpus_sha256=sha256, vocabulary=SOURCE.name)
    )


def _count(seed: int) -> Iterator[TrainStep]:
    began = perf_counter()
    for epoch in islice(train_counting(replace(CONFIG, seed=seed)), 1, None):
        seconds = perf_counter() - began
        yield TrainStep(epoch.epoch, epoch.loss, epoch.learning_rate, 0.0, seconds)


def _word_vectors() -> KnownTraining:
    text, config = synthetic_text(1_500, generator(1)), FullSoftmaxConfig(32, epochs=10, batch=256)
    short = short_text(text, 5)
    return KnownTraining(short_text_run(text, short, 5, config, corpus="Synthetic"), text)


TRAININGS: dict[str, Callable[[], KnownTraining]] = {
    "counting": lambda: KnownTraining(as_run(CONFIG), steps_from=_count),
    **{name: partial(_of_book, recipe) for name, recipe in PRESETS.items()},
    "translator": lambda: KnownTraining(translation_run(small_translator("additive", 128, 400))),
    "word-vectors": _word_vectors,
}
"""By name; whoever knows one more enters it here."""
