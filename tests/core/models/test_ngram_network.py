"""The one-layer network: which row a context picks, and what it refuses."""

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.models.ngram_network import NGramNetwork, NGramNetworkConfig
from lm_core.rng import generator


def network(n, size=3):
    model = NGramNetwork(NGramNetworkConfig(size, n))
    model.initialise(generator(0))
    return model


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_logits_are_the_product_of_the_one_hot_context_and_the_weights(n):
    model, tokens = network(n), torch.tensor([[2, 0, 1, 1, 2]])
    logits, _ = model(tokens, model.initial_state(1))
    history = [0] * (n - 1) + tokens[0].tolist()
    for t in range(5):
        one_hot = torch.zeros(len(model.weight))
        row = 0
        for symbol in history[t + 1 : t + n]:
            row = 3 * row + symbol
        one_hot[row] = 1.0
        torch.testing.assert_close(logits[0, t], one_hot @ model.weight)


@pytest.mark.parametrize(("size", "n"), [(27, 0), (27, 5), (70, 4)])
def test_a_network_too_large_or_without_a_symbol_is_an_error(size, n):
    with pytest.raises(SettingError):
        NGramNetworkConfig(size, n)
