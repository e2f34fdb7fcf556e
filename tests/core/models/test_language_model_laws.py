"""Laws of every language model: what it has read is all in its state, and the future changes nothing."""

from functools import partial

import pytest
import torch

from lm_core.models.character_cnn import CharacterCNNConfig
from lm_core.models.counting_network import CountingNetworkConfig
from lm_core.models.language_model import select_rows
from lm_core.models.mlp import MLPLanguageModelConfig
from lm_core.models.ngram_counts import NGramCountConfig, NGramCountModel, count_ngrams
from lm_core.models.ngram_network import NGramNetwork, NGramNetworkConfig
from lm_core.models.recurrent_language_model import (
    GRULanguageModelConfig,
    LSTMLanguageModelConfig,
    RNNLanguageModelConfig,
)
from lm_core.models.registry import build
from lm_core.models.transformer_config import POSITIONS, TransformerLanguageModelConfig
from lm_core.rng import generator

V = 5
CONFIGS = {
    "RNN": RNNLanguageModelConfig(V, 5, 8, 2),
    "GRU": GRULanguageModelConfig(V, 5, 8, 2),
    "LSTM": LSTMLanguageModelConfig(V, 5, 8, 2),
    "MLP": MLPLanguageModelConfig(V, 3, 2, 4, has_direct_connections=True),
    "CNN": CharacterCNNConfig(V, embedding_size=3, filters=4, filter_size=3, dilations=(1, 2)),
    "counting": CountingNetworkConfig(V, 4),
    **{
        f"transformer, {position}": TransformerLanguageModelConfig(V, 8, 2, 2, 6, position=position)
        for position in POSITIONS
    },
}


def tokens_of(batch, length, seed=0):
    return torch.randint(0, V, (batch, length), generator=generator(seed))


def counts():
    text = tokens_of(1, 200)[0].numpy()
    tables = [count_ngrams(text, V, n) for n in (1, 2, 3)]
    return NGramCountModel(NGramCountConfig(V, 3, weights=(0.9, 0.7, 0.5)), tables)


MODELS = {name: partial(build, config) for name, config in CONFIGS.items()} | {
    "one layer": lambda: NGramNetwork(NGramNetworkConfig(V, 3)),
    "counts": counts,
}


@pytest.fixture(params=MODELS)
def model(request):
    found = MODELS[request.param]()
    found.initialise(generator(0))
    return found.double().eval()


@torch.no_grad()
def assert_reads_alike_in_pieces(model, tokens):
    """Hold that a model says the same of three texts of 20 tokens however they are cut."""
    whole, end = model(tokens, model.initial_state(3))
    for sizes in ((7, 13), (1,) * 20, (6, 6, 8)):
        state, parts = model.initial_state(3), []
        for piece in tokens.split(sizes, 1):
            logits, state = model(piece, state)
            parts.append(logits)
        torch.testing.assert_close(torch.cat(parts, 1), whole)
        torch.testing.assert_close(state, end)


def test_reading_in_pieces_equals_reading_at_once(model):
    assert_reads_alike_in_pieces(model, tokens_of(3, 20))


@torch.no_grad()
def test_the_state_that_was_passed_in_is_left_alone(model):
    _, state = model(tokens_of(2, 5), model.initial_state(2))
    before = [tensor.clone() for tensor in state]
    model(tokens_of(2, 5, seed=1), state)
    torch.testing.assert_close(list(state), before)


@torch.no_grad()
def test_every_stream_is_on_its_own_and_the_batch_comes_first_in_the_state(model):
    tokens, following = tokens_of(4, 5), tokens_of(3, 3, seed=1)
    _, state = model(tokens, model.initial_state(4))
    chosen = torch.tensor([2, 0, 2])
    together, _ = model(following, select_rows(state, chosen))
    for row, stream in enumerate(chosen.tolist()):
        _, alone = model(tokens[stream : stream + 1], model.initial_state(1))
        expected, _ = model(following[row : row + 1], alone)
        torch.testing.assert_close(together[row : row + 1], expected)


@torch.no_grad()
def test_the_past_alone_decides(model):
    tokens = tokens_of(1, 6)
    edited = tokens.clone()
    edited[0, 4] = (edited[0, 4] + 1) % V
    before, _ = model(tokens, model.initial_state(1))
    after, _ = model(edited, model.initial_state(1))
    torch.testing.assert_close(before[:, :4], after[:, :4])
    assert not torch.allclose(before[:, 4:], after[:, 4:])


def test_training_logits_without_dropout_are_the_plain_ones(model):
    model, tokens = model.float(), tokens_of(3, 4)
    _, state = model(tokens_of(3, 3, seed=1), model.initial_state(3))
    plain, end = model(tokens, state)
    trained, trained_end = model.training_logits(
        tokens, state, rng=generator(0), dtype=torch.float32
    )
    torch.testing.assert_close(trained, plain)
    torch.testing.assert_close(trained_end, end)
