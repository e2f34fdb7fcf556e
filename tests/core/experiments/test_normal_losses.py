"""A training from several seeds: as a worker carries it out, its losses in means of a few steps."""

from dataclasses import replace

import pytest
import torch

from lm_core.experiments.normal_losses.recipes import TRAININGS, KnownTraining
from lm_core.experiments.normal_losses.training import train_from_seeds
from lm_core.experiments.word2vec.experiment import short_text_run
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import short_text, synthetic_text
from lm_core.jobs.registry import kind_of
from lm_core.rng import generator


@pytest.fixture
def known():
    text, config = synthetic_text(60, generator(1)), FullSoftmaxConfig(4, epochs=90, batch=64)
    return KnownTraining(short_text_run(text, short_text(text, 1), 1, config, corpus="few"), text)


def test_losses_of_each_seed_are_means_of_what_a_worker_would_log(known):
    found = train_from_seeds(known, range(7, 9))
    steps, together = known.config.training["steps"], found.steps[0]
    assert together > 1
    assert found.steps == tuple(range(together, steps + 1, together))
    changed = replace(known.config, training=known.config.training | {"seed": 8})
    losses = [
        step.loss for step in kind_of(changed).prepare(changed, known.text, torch.device("cpu"))
    ]
    assert found.losses[1][2] == pytest.approx(
        sum(losses[2 * together : 3 * together]) / together, abs=1e-4
    )
    assert found.losses[0] != found.losses[1]


def test_they_are_normal_for_other_seeds_of_the_same_text_alone(known):
    found = train_from_seeds(known, range(1, 2))
    training = known.config.training
    assert found.are_normal_for(replace(known.config, training=training | {"seed": 5}))
    for changes in (
        {"training": training | {"learning_rate": 0.2}},
        {"corpus": "another text"},
        {"experiment": "translation"},
        {"model": {"width": 8}},
        {"start": "book-lstm", "start_sha256": "0" * 64},
    ):
        assert not found.are_normal_for(replace(known.config, **changes))


def test_each_known_training_is_its_own():
    keys = [make().config.fingerprint() for make in TRAININGS.values()]
    assert len({*keys}) == len(keys)
