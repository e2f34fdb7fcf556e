"""A batch of unequal sentences: the mask makes each what it is alone, and without it padding is read."""

import pytest
import torch

from lm_core.analysis.padded_batch import read_batch
from lm_core.errors import SettingError
from lm_core.training.checkpoints import load_shipped

ROWS = [[40, 50, 60, 2], [40, 50, 60, 70, 80, 90, 2]]
MODELS = ("translation-attention", "translation-transformer")


@pytest.mark.parametrize("name", MODELS)
def test_with_the_mask_a_sentence_is_what_it_is_alone(name):
    model = load_shipped(name).model
    together = read_batch(model, ROWS, is_masked=True, longest=8)
    assert together.on_padding == [0.0, 0.0]
    for i, row in enumerate(ROWS):
        alone = read_batch(model, [row], is_masked=True, longest=8)
        assert alone.translations[0] == together.translations[i]
        assert torch.allclose(alone.weights[0], together.weights[i, : len(row)], atol=1e-5)
    assert torch.allclose(together.weights.sum(1), torch.ones(2), atol=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_without_it_padding_is_read_where_there_is_some(name):
    model = load_shipped(name).model
    read = read_batch(model, ROWS, is_masked=False, longest=8)
    assert read.on_padding[0] > 0.1
    assert read.on_padding[1] == 0.0
    masked = read_batch(model, ROWS, is_masked=True, longest=8)
    assert torch.allclose(read.weights[1], masked.weights[1], atol=1e-5)


def test_a_model_without_cross_attention_is_refused():
    with pytest.raises(SettingError, match="cross-attention"):
        read_batch(load_shipped("translation-one-vector").model, ROWS, is_masked=True, longest=4)
