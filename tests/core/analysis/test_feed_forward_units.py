"""Hidden units: what is read of them, and what follows where one is held."""

import numpy as np
import pytest
import torch

from lm_core.analysis.feed_forward_units import (
    HeldUnit,
    HoldingTransformer,
    read_peaks,
    read_units,
    units_per_layer,
)
from lm_core.analysis.residual_stream import ACTIVATED, Stage, trace
from lm_core.errors import SettingError, TextError
from tests.core.models.test_transformer import make, tokens_of

TOKENS = tokens_of(1, 6)


def activations_by_hooks(model, tokens):
    """Return what the narrowing layers are given, (T, layers * U), taken from the model at work."""
    given = []
    hooks = [
        block.narrowed.register_forward_pre_hook(lambda _, inputs: given.append(inputs[0][0]))
        for block in model.blocks
    ]
    with torch.no_grad():
        model(tokens, model.initial_state(1))
    for hook in hooks:
        hook.remove()
    return torch.cat(given, -1)


def test_the_units_are_what_the_model_narrows(monkeypatch):
    model = make(position="learned")
    # Linear layers are called as functions of their weights, so the hook needs the module's own call.
    monkeypatch.setattr("lm_core.models.transformer_blocks.linear", lambda layer, x: layer(x))
    read = read_units(model, TOKENS[0].numpy())
    assert read.shape == (6, 2 * units_per_layer(model.config))
    torch.testing.assert_close(torch.from_numpy(read), activations_by_hooks(model, TOKENS))


def test_a_long_text_is_read_window_by_window():
    model, long = make(), tokens_of(1, 15)[0].numpy()
    told = []
    read = read_units(model, long, on_progress=told.append)
    assert told == pytest.approx([6 / 15, 12 / 15, 1.0])
    for start in (0, 6, 12):
        np.testing.assert_allclose(
            read[start : start + 6],
            read_units(model, long[start : start + 6]),
            rtol=1e-5,
            atol=1e-6,
        )


@torch.no_grad()
def test_a_held_unit_is_a_changed_activation():
    model = make()
    held = HoldingTransformer(model, HeldUnit(units_per_layer(model.config) + 3, 2.5))

    def hold(stage, value):
        if stage != Stage(ACTIVATED, 1):
            return value
        value = value.clone()
        value[..., 3] = 2.5
        return value

    logits, _ = held(TOKENS, held.initial_state(1))
    torch.testing.assert_close(logits[0], trace(model, TOKENS[0], change=hold).logits)
    free, _ = model(TOKENS, model.initial_state(1))
    assert not torch.allclose(logits, free)


@torch.no_grad()
def test_a_text_in_pieces_is_held_as_the_whole_text_is():
    model, long = make(), tokens_of(2, 15)
    held = HoldingTransformer(model, HeldUnit(5, -1.0))
    whole, _ = held(long, held.initial_state(2))
    state, parts = held.initial_state(2), []
    for piece in long.split(4, 1):
        logits, state = held(piece, state)
        parts.append(logits)
    torch.testing.assert_close(torch.cat(parts, 1), whole)


def test_the_peaks_are_those_of_the_units_in_each_window():
    model, long = make(), tokens_of(1, 15)[0].numpy()
    peaks, units = read_peaks(model, long), read_units(model, long)
    assert peaks.places.shape == peaks.activations.shape == (3, units.shape[1])
    for window, start in enumerate((0, 6, 12)):
        inside = units[start : start + 6]
        np.testing.assert_array_equal(peaks.activations[window], inside.max(0))
        np.testing.assert_array_equal(peaks.places[window], start + inside.argmax(0))
    unit = 7
    found = peaks.strongest(unit, 2)
    assert [p.activation for p in found] == sorted(peaks.activations[:, unit], reverse=True)[:2]
    assert [units[p.place, unit] for p in found] == [p.activation for p in found]


def test_what_is_not_there_is_refused():
    with pytest.raises(TextError, match="at least one token"):
        read_units(make(), np.array([], np.int64))
    with pytest.raises(TextError, match="at least one token"):
        read_peaks(make(), np.array([], np.int64))
    with pytest.raises(SettingError, match="0 to 63, got 64"):
        HoldingTransformer(make(), HeldUnit(64, 0.0))
