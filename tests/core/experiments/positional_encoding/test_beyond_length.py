"""Models read on beyond the windows that they were trained on."""

from dataclasses import replace

import pytest
import torch

from lm_core.experiments.ablations import variants
from lm_core.experiments.positional_encoding import beyond_length
from lm_core.experiments.positional_encoding.results import GROUP, BeyondLengthResults, LongReading
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import TrainingText
from lm_core.training.language_modelling import TrainingConfig

SMALL = replace(variants.FULL, width=16, heads=2, layers=2, context=8)
TOKENS = torch.randint(1, 70, (600,), generator=generator(0))


def drawn(position):
    model = build(replace(SMALL, position=position))
    model.initialise(generator(1))
    return model.eval()


@pytest.mark.parametrize("position", beyond_length.POSITIONS)
def test_within_the_trained_length_it_makes_no_difference_how_far_a_model_may_look(position):
    found = beyond_length.read_beyond(drawn(position), TOKENS, 1, asked=32)
    trained = SMALL.context
    assert found.attending_to_all[:trained] == pytest.approx(
        found.attending_to_last[:trained], rel=1e-3
    )
    if position == "learned":
        assert len(found.attending_to_all) == trained
    else:
        assert len(found.attending_to_all) == 32
        assert found.attending_to_all[trained:] != found.attending_to_last[trained:]
    assert len(found.attending_to_last) == 32


@pytest.mark.parametrize("position", ["sinusoidal", "rotary", "alibi", "none"])
def test_a_longer_model_predicts_the_same_until_it_looks_farther(position):
    model = drawn(position)
    longer = beyond_length.with_context(model, 32)
    state = model.initial_state(1)
    with torch.no_grad():
        short, long = (m(TOKENS[None, :16], state)[0][0] for m in (model, longer))
    assert torch.allclose(short[:8], long[:8], atol=1e-5)
    assert not torch.allclose(short[8:], long[8:], atol=1e-3)


def test_a_learned_table_has_no_rows_beyond_its_end():
    with pytest.raises(ValueError, match="8 positions has none beyond, got 32"):
        beyond_length.with_context(drawn("learned"), 32)


def test_each_kind_is_trained_alike_but_for_its_positions(monkeypatch):
    monkeypatch.setattr(variants, "FULL", SMALL)
    short = TrainingConfig(steps=3, batch=2, window=8, held_out=0.1)
    text = TrainingText(TOKENS.numpy(), SOURCE, "invented", "0" * 64)
    models = [
        beyond_length.train_reader(position, 1, text, short) for position in beyond_length.POSITIONS
    ]
    assert [model.config.position for model in models] == list(beyond_length.POSITIONS)
    assert len({replace(model.config, position="none") for model in models}) == 1
    assert models[0].config.context == 8
    assert beyond_length.TRAINING.window == beyond_length.TRAINED


def test_losses_are_averaged_over_groups_of_positions_and_over_trainings():
    def reading(seed, loss):
        rows = tuple(loss + place // GROUP for place in range(2 * GROUP))
        return LongReading("none", seed, 1, rows, tuple(2 * row for row in rows))

    results = BeyondLengthResults({}, 8, torch.zeros(8, 2), (reading(1, 1.0), reading(2, 2.0)))
    first, second = results.losses("none", is_limited=False)
    assert first == (GROUP, 1.5)
    assert second == (2 * GROUP, 2.5)
    assert results.losses("none", is_limited=True)[0].mean == 3.0
