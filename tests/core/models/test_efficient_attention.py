"""Approximate attention: exact where it can be, nearer with more features, and blind to the future."""

import pytest
import torch
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models.attention import attend, causal_mask
from lm_core.models.efficient_attention import draw_features, kernel_attention, local_attention
from lm_core.rng import generator


def inputs(length=50, width=8, seed=0):
    return torch.randn(3, 2, 3, length, width, generator=generator(seed), dtype=torch.float64)


@pytest.mark.parametrize("length", [1, 7, 16, 50])
@pytest.mark.parametrize("window", [1, 5, 16, 64])
def test_the_local_window_is_exact_within_its_window(length, window):
    tensors = inputs(length)
    expected = attend(*tensors, causal_mask(length, window=window)).output
    torch.testing.assert_close(local_attention(*tensors, window), expected)


def exact_of(tensors):
    return F.scaled_dot_product_attention(*tensors, is_causal=True)


def test_more_features_come_nearer_to_exact_attention():
    tensors = inputs(length=64)
    tensors[:2] *= 0.25  # long queries and keys need many more
    exact = exact_of(tensors)
    errors = []
    assert draw_features(8, 1, generator(1)).shape == (1, 8)
    for n_features in (16, 256, 4096):
        features = draw_features(8, n_features, generator(1)).double()
        approximate = kernel_attention(*tensors, features)
        errors.append(float((approximate - exact).norm() / exact.norm()))
    assert errors[0] > 2 * errors[1] > 4 * errors[2]  # one over the root: 4 and 16
    assert errors[2] < 0.05


def test_the_linear_kernel_does_not_hang_on_the_chunk_nor_on_the_future():
    tensors = inputs()
    features = draw_features(8, 32, generator(1)).double()
    first = kernel_attention(*tensors, features, chunk=7)
    torch.testing.assert_close(kernel_attention(*tensors, features, chunk=64), first)
    edited = tensors.clone()
    edited[1:, :, :, 30:] += 0.1
    after = kernel_attention(*edited, features)
    torch.testing.assert_close(after[..., :30, :], first[..., :30, :])
    assert not torch.allclose(after[..., 30:, :], first[..., 30:, :])
    # A constant value is any weights' mean.
    constant = kernel_attention(tensors[0], tensors[1], torch.ones_like(tensors[2]), features)
    torch.testing.assert_close(constant, torch.ones_like(constant))


def test_features_are_orthogonal_in_groups_and_as_long_as_gaussian_ones():
    features = draw_features(8, 1600, generator(0))
    group = features[:8] @ features[:8].T
    torch.testing.assert_close(group, torch.diag(group.diagonal()), atol=1e-4, rtol=0.0)
    directions = features / features.norm(dim=-1, keepdim=True)
    assert directions.mean(0).abs().max() < 0.05  # no side of the space is favoured
    assert features.norm(dim=-1).square().mean().item() == pytest.approx(8.0, rel=0.05)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: local_attention(*inputs(), 0), SettingError, "window"),
        (lambda: local_attention(*inputs()[:2], inputs(9)[2], 4), ShapeError, "50, 50, 9"),
        (lambda: draw_features(8, 0, generator(0)), SettingError, "n_features"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
