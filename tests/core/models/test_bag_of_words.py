"""The model without order: equal counts give equal predictions, to the last bit."""

import torch

from lm_core.models.bag_of_words import BagOfWords, BagOfWordsConfig
from lm_core.rng import generator

TOKENS = torch.tensor([[3, 1, 4, 1, 2, 0, 4]])


def bag():
    model = BagOfWords(BagOfWordsConfig(5))
    model.initialise(generator(0))
    return model


def test_the_order_changes_no_bit_of_the_prediction():
    model = bag()
    whole = model(TOKENS, model.initial_state(1))[0][0, -1]
    for seed in range(20):
        order = torch.randperm(7, generator=generator(seed))
        assert torch.equal(model(TOKENS[:, order], model.initial_state(1))[0][0, -1], whole)


def test_the_logits_are_the_sum_of_the_rows_of_all_words_read():
    model = bag()
    logits, (counts,) = model(TOKENS, model.initial_state(1))
    weight, bias = model.output.weight, model.output.bias
    for t in range(7):
        rows = weight[:, TOKENS[0, : t + 1]].sum(1)
        torch.testing.assert_close(logits[0, t], rows + bias)
    assert counts.tolist() == [[1.0, 2.0, 1.0, 1.0, 2.0]]


def test_reading_in_pieces_changes_nothing():
    model = bag()
    whole, _ = model(TOKENS, model.initial_state(1))
    first, state = model(TOKENS[:, :3], model.initial_state(1))
    second, _ = model(TOKENS[:, 3:], state)
    torch.testing.assert_close(torch.cat([first, second], 1), whole)
