"""The open LSTM beside the fused one, and a clamp that changes nothing, or one unit and what follows."""

import numpy as np
import pytest
import torch

from lm_core.analysis.unit_activations import (
    CELL,
    HIDDEN,
    Clamp,
    ReadableLSTM,
    read_activations,
    state_after,
)
from lm_core.errors import SettingError, TextError
from lm_core.rng import generator
from tests.core.toy_models import random_lstm

SIZE, HIDDEN_SIZE, LAYERS, LENGTH = 11, 16, 2, 40
BEFORE = np.array([3])


@pytest.fixture(scope="module")
def model():
    return random_lstm(SIZE, hidden=HIDDEN_SIZE, layers=LAYERS).eval()


@pytest.fixture(scope="module")
def tokens():
    return torch.randint(SIZE, (2, LENGTH), generator=generator(1))


@torch.no_grad()
def test_the_open_model_predicts_what_the_fused_one_does_and_shares_its_weights(model, tokens):
    readable = ReadableLSTM(model)
    logits, state = readable(tokens, readable.initial_state(2))
    expected, expected_state = model(tokens, model.initial_state(2))
    torch.testing.assert_close(logits, expected, rtol=1e-5, atol=1e-5)
    for part, of_fused in zip(state, expected_state, strict=True):
        torch.testing.assert_close(part, of_fused, rtol=1e-5, atol=1e-5)
    assert readable.cells[1].weight_hh is model.lstm.weight_hh_l1


@torch.no_grad()
def test_activations_are_the_states_after_each_character(model):
    ids = torch.randint(SIZE, (300,), generator=generator(2)).numpy()  # more than one call
    found = read_activations(model, ids, BEFORE)
    assert found.hidden.shape == found.cell.shape == (300, LAYERS * HIDDEN_SIZE)
    for place in (0, 249, 250, 299):
        read = torch.from_numpy(np.concatenate([BEFORE, ids[: place + 1]]))[None]
        _, (h, c) = model(read, model.initial_state(1))
        np.testing.assert_allclose(found.of(HIDDEN)[place], h.flatten(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(found.of(CELL)[place], c.flatten(), rtol=1e-4, atol=1e-5)


def test_reading_reports_its_progress_and_refuses_nothing_to_read(model):
    shares = []
    ids = torch.randint(SIZE, (600,), generator=generator(2)).numpy()
    read_activations(model, ids, BEFORE, on_progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    with pytest.raises(TextError):
        read_activations(model, ids[:0], BEFORE)


@torch.no_grad()
@pytest.mark.parametrize("part", [HIDDEN, CELL])
@pytest.mark.parametrize("unit", [2, HIDDEN_SIZE + 5])
def test_a_clamp_at_the_value_that_a_unit_has_anyway_changes_nothing(model, tokens, part, unit):
    readable = ReadableLSTM(model)
    state = readable.initial_state(1)
    for token in tokens[0, :12]:
        readings = readable.read(token.view(1, 1), state)
        expected = readable.output(readings[-1].hidden)
        layer, local = divmod(unit, HIDDEN_SIZE)
        own = float(readings[layer].trace(part)[0, 0, local])
        clamped, after = ReadableLSTM(model, Clamp(unit, own, part))(token.view(1, 1), state)
        assert torch.equal(clamped, expected)
        state = state_after(readings)
        assert all(map(torch.equal, after, state))


@torch.no_grad()
@pytest.mark.parametrize("part", [HIDDEN, CELL])
def test_a_clamp_holds_its_unit_and_no_other_of_its_layer_in_the_first_step(model, tokens, part):
    unit, value = 5, 0.75
    start = tokens[:, :1]
    free = ReadableLSTM(model).read(start, model.initial_state(2))[0]
    clamped = ReadableLSTM(model, Clamp(unit, value, part))
    held = clamped.read(start, model.initial_state(2))[0]
    others = [u for u in range(HIDDEN_SIZE) if u != unit]
    assert (held.trace(part)[..., unit] == value).all()
    assert torch.equal(held.trace(part)[..., others], free.trace(part)[..., others])
    if part == CELL:
        expected = held.trace("o")[..., unit] * np.tanh(value)
        torch.testing.assert_close(held.trace("h")[..., unit], expected)
    logits, _ = clamped(tokens, clamped.initial_state(2))
    assert not torch.allclose(logits, model(tokens, model.initial_state(2))[0], atol=1e-3)


@torch.no_grad()
def test_a_text_read_before_is_where_every_text_goes_on(model, tokens):
    _, start = model(tokens[:1, :20], model.initial_state(1))
    readable = ReadableLSTM(model, start=start)
    found, _ = readable(tokens[:1, 20:], readable.initial_state(1))
    expected, _ = model(tokens[:1], model.initial_state(1))
    torch.testing.assert_close(found, expected[:, 20:], rtol=1e-4, atol=1e-5)


def test_a_unit_or_a_part_that_is_not_there_is_refused(model):
    with pytest.raises(SettingError):
        ReadableLSTM(model, Clamp(LAYERS * HIDDEN_SIZE, 0.0))
    with pytest.raises(SettingError):
        Clamp(0, 0.0, "i")
