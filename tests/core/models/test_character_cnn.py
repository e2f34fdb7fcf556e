"""The character CNN: torch's layers, what it sees and does not see, and equal responses to equal letters."""

import pytest
import torch
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models.character_cnn import CharacterCNN, CharacterCNNConfig
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.rng import generator

CONFIG = CharacterCNNConfig(7, embedding_size=3, filters=4, filter_size=3, dilations=(1, 2))
TOKENS = torch.tensor([[1, 2, 3, 4, 5, 6, 1, 2, 3], [6, 5, 4, 3, 2, 1, 6, 5, 4]])


@pytest.fixture(scope="module")
def cnn():
    model = build(CONFIG).double()
    model.initialise(generator(0))
    for parameter in model.parameters():
        if parameter.dim() == 1:
            torch.nn.init.normal_(parameter, generator=generator(1))
    return model


def read(model, tokens):
    return model(tokens, model.initial_state(len(tokens)))[0]


def test_first_weights_have_the_variance_that_keeps_the_responses():
    model = CharacterCNN(CharacterCNNConfig(50, embedding_size=40, filters=30))
    model.initialise(generator(0))
    for filters in model.filters:
        n_inputs = filters.shape[1] * filters.shape[2]
        assert float(filters.var()) == pytest.approx(2 / n_inputs, rel=0.1)
    assert float(model.output.weight.std()) == pytest.approx(0.1 / 30**0.5, rel=0.1)


def test_it_is_torchs_layers_over_letters_and_the_history_before(cnn):
    text = F.pad(TOKENS, (CONFIG.context_size - 1, 0))
    x = cnn.embedding(text).mT
    for filters, bias, dilation in zip(cnn.filters, cnn.biases, CONFIG.dilations, strict=True):
        x = F.conv1d(x, filters, bias, dilation=dilation).relu()
    torch.testing.assert_close(read(cnn, TOKENS), cnn.output(x.mT), rtol=0, atol=1e-12)


def test_a_prediction_depends_on_its_context_and_on_nothing_else(cnn):
    embedded = cnn.embedding.weight[F.pad(TOKENS[:1], (CONFIG.context_size - 1, 0))].detach()
    embedded.requires_grad_()
    cnn.embedding.forward, forward = lambda _: embedded, cnn.embedding.forward
    try:
        read(cnn, TOKENS[:1])[0, 5].sum().backward()
    finally:
        cnn.embedding.forward = forward
    reached = embedded.grad[0].abs().sum(-1).nonzero().flatten().tolist()
    assert CONFIG.context_size == 7
    assert reached == [*range(5, 12)]


def test_equal_letters_have_equal_responses_wherever_they_stand(cnn):
    first = cnn.trace(TOKENS, cnn.initial_state(2)).layers[0][0, :, -9:]
    torch.testing.assert_close(first[:, 2], first[:, 8])
    assert not torch.allclose(first[:, 2], first[:, 5])


def test_the_config_is_stored_and_read():
    assert config_from_dict(config_to_dict(CONFIG)) == CONFIG
    assert isinstance(build(CONFIG), CharacterCNN)
    assert build(CONFIG).parameter_count == 7 * 3 + (9 + 1) * 4 + (12 + 1) * 4 + 5 * 7


@pytest.mark.parametrize("settings", [{"filters": 0}, {"dilations": ()}, {"dilations": (1, 0)}])
def test_sizes_below_one_are_refused(settings):
    with pytest.raises(SettingError, match="at least 1"):
        CharacterCNNConfig(7, **settings)


def test_tokens_of_another_shape_are_refused(cnn):
    with pytest.raises(ShapeError, match="must have shape"):
        cnn(TOKENS[0], cnn.initial_state(1))
