import gc
import weakref

import pytest
import torch

from lm_core.generation.decoder import ModelDecoder, decoder_for
from lm_core.models.fast.single_stream_lstm import SingleStreamLSTM, has_single_stream
from lm_core.rng import generator
from tests.core.toy_models import random_lstm, random_pair_model

SIZES = [(70, 32, 128, 4), (70, 64, 64, 2), (11, 5, 16, 1), (11, 5, 3, 3)]


@pytest.mark.parametrize("sizes", SIZES)
@torch.no_grad()
def test_a_thousand_characters_equal_nn_lstm(sizes):
    model = random_lstm(*sizes)
    tokens = torch.randint(sizes[0], (1, 1000), generator=generator(1))
    expected, _ = model(tokens, model.initial_state(1))
    assert expected.std() > 0.1
    fast, state, rows = SingleStreamLSTM(model), None, []
    for token in tokens[0].tolist():
        logits, state = fast.read([token], state)
        rows.append(logits)
    torch.testing.assert_close(torch.stack(rows), expected[0], atol=1e-5, rtol=0)


@pytest.mark.parametrize("model", [random_lstm(), random_pair_model()], ids=["lstm", "pairs"])
def test_reading_at_once_in_pieces_or_by_steps_is_the_same(model):
    for decoder in (decoder_for(model), ModelDecoder(model), ModelDecoder(model, chunk=2)):
        at_once, _ = decoder.read([1, 2, 3, 1, 0])
        _, state = decoder.read([1, 2, 3])
        in_pieces, _ = decoder.read([1, 0], state)
        _, state = decoder.step(1, state)
        by_steps, _ = decoder.step(0, state)
        torch.testing.assert_close(in_pieces, at_once)
        torch.testing.assert_close(by_steps, at_once)


@pytest.mark.parametrize("make", [decoder_for, ModelDecoder])
def test_a_state_is_not_changed_by_stepping_on_from_it(make):
    decoder = make(random_lstm())
    _, state = decoder.read([1, 2, 3])
    first, _ = decoder.step(4, state)
    decoder.step(5, state)
    again, _ = decoder.step(4, state)
    assert torch.equal(first, again)


def test_logits_handed_out_stay_as_they_are():
    decoder = decoder_for(random_lstm())
    logits, state = decoder.read([1])
    before = logits.clone()
    decoder.step(2, state)
    assert torch.equal(logits, before)


def test_the_fast_path_serves_float32_lstms_only():
    assert isinstance(decoder_for(random_lstm()), SingleStreamLSTM)
    assert not has_single_stream(random_lstm().double())
    assert isinstance(decoder_for(random_lstm().double()), ModelDecoder)
    assert isinstance(decoder_for(random_pair_model()), ModelDecoder)


def test_the_folded_weights_are_shared_until_the_model_changes():
    model = random_lstm()
    first = decoder_for(model)
    assert decoder_for(model) is first
    with torch.no_grad():
        model.output.bias[3] += 7.0
    second = decoder_for(model)
    change = second.read([1])[0] - first.read([1])[0]
    assert change[3] == pytest.approx(7.0, abs=1e-5)


def test_a_decoder_does_not_keep_its_model_alive():
    model = random_lstm()
    decoder, alive = decoder_for(model), weakref.ref(model)
    del model
    gc.collect()
    assert alive() is None
    assert decoder.read([1])[0].shape == (11,)
