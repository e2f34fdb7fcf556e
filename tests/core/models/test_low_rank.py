"""Low-rank updates: nothing at first, W + B A later, and the same once merged."""

from copy import deepcopy

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.models import low_rank
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator

TOKENS = torch.tensor([[1, 4, 2, 7, 7, 3]])


def small_transformer():
    model = TransformerLanguageModel(TransformerLanguageModelConfig(9, 8, 2, 2, context=16))
    model.initialise(generator(1))
    return model


def logits_of(model):
    return model(TOKENS, model.initial_state(1))[0]


def trained(model, rank=2):
    updates = low_rank.add_low_rank_updates(model, rank, generator(2))
    with torch.no_grad():
        for update in updates.values():
            update.up.normal_(generator=generator(3))
    return updates


def test_at_first_nothing_changes_and_only_thin_matrices_are_learned():
    plain = small_transformer()
    model = deepcopy(plain)
    updates = low_rank.add_low_rank_updates(model, 2, generator(2))
    torch.testing.assert_close(logits_of(model), logits_of(plain))
    learned = {id(p) for p in model.parameters() if p.requires_grad}
    assert learned == {id(p) for u in updates.values() for p in u.parameters()}
    # A block's matrices are 3D x D, D x D, 4D x D and D x 4D; the rank is 2, the width 8.
    assert sum(p.numel() for u in updates.values() for p in u.parameters()) == 2 * 2 * (
        32 + 16 + 40 + 40
    )


def test_the_layer_computes_with_the_sum():
    model = small_transformer()
    before = model.blocks[0].widened.weight.detach().clone()
    update = trained(model)["blocks.0.widened"]
    expected = before + update.up @ update.down
    torch.testing.assert_close(model.blocks[0].widened.weight, expected)


def test_merged_it_is_the_same_model_and_a_share_lies_between():
    plain, model = small_transformer(), small_transformer()
    stored = low_rank.thin_matrices(trained(model))
    merged, half = deepcopy(plain), deepcopy(plain)
    low_rank.merge(merged, stored)
    torch.testing.assert_close(logits_of(merged), logits_of(model))
    low_rank.merge(half, stored, 0.5)
    low_rank.merge(half, stored, -0.5)
    torch.testing.assert_close(logits_of(half), logits_of(plain))


def test_gradients_reach_the_thin_matrices_even_when_computed_once():
    gradients = []
    for is_cached in (False, True):
        model = small_transformer()
        updates = trained(model)
        if is_cached:
            with low_rank.computed_once():
                loss = logits_of(model).square().sum()
        else:
            loss = logits_of(model).square().sum()
        loss.backward()
        gradients.append(
            torch.cat([p.grad.flatten() for u in updates.values() for p in u.parameters()])
        )
    assert gradients[0].abs().max() > 0
    torch.testing.assert_close(*gradients)


def test_stored_matrices_come_back():
    first, second = small_transformer(), small_transformer()
    stored = low_rank.thin_matrices(trained(first))
    low_rank.load_thin_matrices(low_rank.add_low_rank_updates(second, 2, generator(5)), stored)
    torch.testing.assert_close(logits_of(second), logits_of(first))


def test_what_does_not_fit_is_refused():
    stored = low_rank.thin_matrices(trained(small_transformer()))
    with pytest.raises(ShapeError, match="another rank"):
        low_rank.load_thin_matrices(
            low_rank.add_low_rank_updates(small_transformer(), 3, generator(5)), stored
        )
    with pytest.raises(ShapeError, match="no layer"):
        low_rank.merge(torch.nn.Linear(2, 2), stored)
    other = TransformerLanguageModel(TransformerLanguageModelConfig(9, 4, 2, 2, context=16))
    with pytest.raises(ShapeError, match="shape of its matrix"):
        low_rank.merge(other, stored)
    with pytest.raises(SettingError, match=r"rank must lie in 1\.\.8, got 9"):
        low_rank.add_low_rank_updates(small_transformer(), 9, generator(1))
