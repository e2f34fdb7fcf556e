"""What the units respond to each batch: counted on the batch itself, by the weights of before its step."""

from dataclasses import replace

import pytest
import torch

from lm_core.analysis.saturation import saturation
from lm_core.experiments.neural_language_model.activations import (
    TRAININGS,
    ActivationResults,
    record_activations,
)
from lm_core.experiments.neural_language_model.training import examples_of_names, start_network

EXAMPLES = examples_of_names(("emma", "ava", "mia", "isabella", "olivia"), 3)


@pytest.mark.parametrize("config", TRAININGS)
def test_the_first_batch_is_answered_by_the_weights_of_the_start(config):
    config = replace(config, steps=1, batch=16)
    found = record_activations(config, EXAMPLES)
    model, rng = start_network(config)
    batch = EXAMPLES.contexts[torch.randint(len(EXAMPLES.targets), (16,), generator=rng)]
    of_batch = saturation(model.trace(batch).hidden.detach())
    assert (found.responses[0] / found.responses[0].sum()).tolist() == pytest.approx(
        of_batch.histogram
    )
    assert found.saturated.mean().item() == pytest.approx(of_batch.saturated)


def test_the_shipped_trainings_have_every_response_of_every_batch():
    for trained, config in zip(ActivationResults.load().trainings, TRAININGS, strict=True):
        assert trained.config == config
        n_responses = config.batch * config.network.hidden_size
        assert (trained.responses.sum(1) == n_responses).all()
        assert trained.responses.shape[0] == config.steps
        # What the page says: no unit is dead, so each still learns from some letters of the batch.
        assert trained.most_saturated < 1.0
