import pytest
import torch
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.experiments.attention_cost.measurement import METHODS, measure_attention
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


def test_costs_come_one_by_one_and_grow_as_they_should():
    records = measure_attention(
        (256, 512, 1024), generator(0), rounds=1, window=32, second_limit=60.0
    )
    assert next(records).method == METHODS[0]
    found = {(record.method, record.length): record for record in records}
    squares = [found["naive matrix", n].peak_bytes for n in (512, 1024)]
    assert squares[1] > 3.9 * squares[0]
    assert squares[0] >= 4 * 4 * 512**2
    for n in (512, 1024):
        assert found["naive matrix", n].error < 1e-5
        assert found["fused kernel", n].error == 0.0
        assert found["local window", n].error > 0.01
        assert all(found[method, n].seconds > 0.0 for method in METHODS)


@pytest.mark.parametrize("method", METHODS[1:])
def test_the_memory_of_other_methods_does_not_grow_with_the_square(method):
    # From 1,024 on the fused kernel works in tiles of one size, for each of torch's threads.
    costs = measure_attention((1024, 2048), generator(0), methods=(method,), rounds=1, window=32)
    small, large = (cost.peak_bytes for cost in costs)
    assert 0 < large < 3 * small


def test_what_is_too_large_or_too_slow_is_left_out():
    few = measure_attention((64, 128), generator(0), rounds=1, byte_limit=4 * 4 * 64**2)
    assert [r.length for r in few if r.method == "naive matrix"] == [64]
    slow = measure_attention((64, 128), generator(0), rounds=1, second_limit=0.0)
    assert {r.length for r in slow} == {64}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: local_attention(*inputs(), 0), SettingError, "window"),
        (lambda: local_attention(*inputs()[:2], inputs(9)[2], 4), ShapeError, "50, 50, 9"),
        (lambda: draw_features(8, 0, generator(0)), SettingError, "n_features"),
        (
            lambda: next(measure_attention((8,), generator(0), methods=("magic",))),
            SettingError,
            "magic",
        ),
        (lambda: next(measure_attention((0,), generator(0))), SettingError, "at least 1"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
