"""The pretend card computes what the processor does, and refuses what a card refuses."""

import pytest
import torch

from lm_core.rng import generator
from tests.core.pretend_card import pretend_card


@pytest.fixture
def card():
    with pretend_card() as device:
        yield device


def mixtures(card):
    here, there = torch.ones(3, device=card), torch.ones(3)
    places = torch.zeros(2, dtype=torch.int64)
    return {
        "a sum": lambda: here + there,
        "a sum in place": lambda: there.add_(here),
        "a product of matrices": lambda: here[None] @ there[:, None],
        "parts": lambda: torch.cat([here, there]),
        "an index on the card": lambda: there[places.to(card)],
        "a target": lambda: torch.nn.functional.cross_entropy(here[None], places[:1]),
        "a layer": lambda: torch.nn.Linear(3, 2)(here),
        "the processor's generator": lambda: torch.rand(3, device=card, generator=generator(0)),
        "the card's generator": lambda: torch.rand(3, generator=generator(0, card)),
        "the card's generator in place": lambda: there.normal_(generator=generator(0, card)),
        "numpy": here.numpy,
    }


@pytest.mark.parametrize("name", mixtures("cpu"))
def test_it_refuses(card, name):
    with pytest.raises(RuntimeError, match=r"same device|a generator of the device|numpy"):
        mixtures(card)[name]()


def test_it_allows_what_a_card_allows(card):
    here = torch.arange(3.0, device=card)
    assert (here + torch.tensor(1.0)).tolist() == [1.0, 2.0, 3.0]
    assert here[torch.tensor([2, 0])].tolist() == [2.0, 0.0]
    assert here.clone().copy_(torch.ones(3)).tolist() == [1.0, 1.0, 1.0]
    assert torch.zeros(3).copy_(here).device == torch.device("cpu")
    assert float(here.sum()) == 3.0
    assert torch.rand(2, device=card, generator=generator(0, card)).device.type == card.type
    with torch.no_grad():
        assert here.tolist() == here.cpu().tolist()


@pytest.mark.parametrize("kind", [torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN, torch.nn.Linear])
def test_its_gradients_are_the_processors(card, kind):
    layer = kind(4, 3)
    inputs = torch.randn(2, 5, 4, generator=generator(0))

    def gradients():
        layer.zero_grad()
        device = next(layer.parameters()).device
        result = layer(inputs.to(device))
        (result if kind is torch.nn.Linear else result[0]).square().sum().backward()
        return [parameter.grad.cpu().clone() for parameter in layer.parameters()]

    expected = gradients()
    layer.to(card)
    torch.testing.assert_close(gradients(), expected)


def test_tied_weights_stay_tied(card):
    layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)])
    layers[1].weight = layers[0].weight
    layers.to(card)
    assert layers[1].weight is layers[0].weight
    assert layers[0].weight.device.type == card.type
