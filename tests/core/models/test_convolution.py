"""Convolution and pooling: the slides' numbers, torch's, matrices, sizes, and what is refused."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.experiments.convolution.examples import CHANNELS, SIZE_EXAMPLES, SMALL, SlideRow
from lm_core.models.convolution import (
    POOLINGS,
    cross_correlate_1d,
    cross_correlate_2d,
    output_size,
    pool,
    shifted,
    toeplitz_matrix,
    trace_convolution,
)
from lm_core.rng import generator

SLIDES = SlideRow()
LAYERS = [((1, 1), (0, 0), (1, 1)), ((3, 3), (1, 1), (1, 1)), ((2, 3), (1, 2), (2, 3))]
"""Filter, padding, stride."""


def drawn(*shape, seed=0):
    return torch.randn(shape, generator=generator(seed), dtype=torch.float64)


def row(numbers):
    return torch.tensor(numbers, dtype=torch.float64)[None, None]


# The slides -----------------------------------------------------------------------------------


def test_the_slides_print_the_cross_correlation_and_define_the_convolution():
    x, w = row(SLIDES.inputs), row(SLIDES.weights)
    as_written = trace_convolution(x, w, padding=(0, 2)).output[0]
    flipped = trace_convolution(x, w, padding=(0, 2), is_flipped=True).output[0]
    assert as_written.tolist() == [5, 16, 34, 52, 45, 28] == list(SLIDES.printed)
    assert flipped.tolist() == [7, 20, 38, 56, 39, 20]
    assert flipped.tolist() == np.convolve(SLIDES.inputs, SLIDES.weights).tolist()
    assert as_written.tolist() == np.correlate(SLIDES.inputs, SLIDES.weights, "full").tolist()


def test_the_slides_three_by_three_example():
    image, weights, padding, stride = SIZE_EXAMPLES[SMALL]
    trace = trace_convolution(image, weights, padding=(padding,) * 2, stride=(stride,) * 2)
    assert trace.output.tolist() == [[19, 25], [37, 43]]
    matrix = toeplitz_matrix(weights[0], (3, 3))
    assert matrix.shape == (4, 9)
    assert (matrix @ image.flatten()).tolist() == [19, 25, 37, 43]


def test_channels_are_added():
    image, weights, *_ = SIZE_EXAMPLES[CHANNELS]
    trace = trace_convolution(image, weights)
    assert trace.by_channel[0].tolist() == [[19, 25], [37, 43]]
    assert trace.output.tolist() == [[56, 72], [104, 120]]


@pytest.mark.parametrize("size", [1, 5, 7, 8])
@pytest.mark.parametrize(("filter_size", "padding", "stride"), [(1, 0, 1), (3, 1, 2), (2, 2, 3)])
def test_sizes_are_torchs(size, filter_size, padding, stride):
    found = F.conv1d(torch.zeros(1, 1, size), torch.zeros(1, 1, filter_size), None, stride, padding)
    assert output_size(size, filter_size, padding, stride) == found.shape[-1]


# Layers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "padding", "stride"), LAYERS)
def test_maps_and_gradients_are_torchs_in_two_dimensions(size, padding, stride):
    inputs = [drawn(2, 3, 7, 8), drawn(4, 3, *size, seed=1), drawn(4, seed=2)]
    ours, theirs = ([tensor.clone().requires_grad_() for tensor in inputs] for _ in range(2))
    maps = cross_correlate_2d(*ours, padding=padding, stride=stride)
    expected = F.conv2d(*theirs, padding=padding, stride=stride)
    torch.testing.assert_close(maps, expected, rtol=0, atol=1e-12)
    for found in (maps, expected):
        found.sin().sum().backward()
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine.grad, other.grad, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dilation", [1, 3])
def test_maps_and_gradients_are_torchs_in_one_dimension(dilation):
    inputs = [drawn(2, 3, 12), drawn(4, 3, 3, seed=1), drawn(4, seed=2)]
    ours, theirs = ([tensor.clone().requires_grad_() for tensor in inputs] for _ in range(2))
    maps = cross_correlate_1d(*ours, dilation=dilation)
    expected = F.conv1d(*theirs, dilation=dilation)
    torch.testing.assert_close(maps, expected, rtol=0, atol=1e-12)
    for found in (maps, expected):
        found.sin().sum().backward()
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine.grad, other.grad, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("size", "padding", "stride"), LAYERS)
def test_the_trace_and_the_matrix_say_what_the_layer_says(size, padding, stride):
    image, weights = drawn(3, 5, 7), drawn(3, *size, seed=1)
    trace = trace_convolution(image, weights, padding=padding, stride=stride)
    layer = cross_correlate_2d(image[None], weights[None], padding=padding, stride=stride)[0, 0]
    torch.testing.assert_close(trace.output, layer)
    matrices = [toeplitz_matrix(w, (5, 7), padding=padding, stride=stride) for w in weights]
    found = sum(m @ x.flatten() for m, x in zip(matrices, image, strict=True))
    torch.testing.assert_close(found.reshape(layer.shape), layer)
    torch.testing.assert_close(trace.products.sum((0, -2, -1)), trace.output)


def test_a_flipped_filter_is_a_convolution_and_so_commutes():
    x, w = drawn(1, 1, 6), drawn(1, 1, 3, seed=1)
    one = trace_convolution(x, w, padding=(0, 2), is_flipped=True).output
    other = trace_convolution(w, x, padding=(0, 5), is_flipped=True).output
    torch.testing.assert_close(one, other)


# Pooling and moves ----------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "stride"), [(2, None), (3, 2), (1, 1)])
def test_pooling_and_its_gradient_are_torchs(size, stride):
    for kind, torchs in zip(POOLINGS, (F.max_pool2d, F.avg_pool2d), strict=True):
        ours, theirs = (drawn(2, 3, 7, 8).requires_grad_() for _ in range(2))
        found, expected = pool(ours, size, kind, stride), torchs(theirs, size, stride)
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)
        for each in (found, expected):
            each.sin().sum().backward()
        torch.testing.assert_close(ours.grad, theirs.grad, rtol=0, atol=1e-12)


def test_maps_follow_a_moved_picture_and_pooled_maps_by_whole_strides_only():
    picture, weights = torch.zeros(1, 12, 12, dtype=torch.float64), drawn(1, 3, 3, seed=1)
    picture[0, 4:7, 4:7] = drawn(3, 3)

    def maps_of(columns):
        found = trace_convolution(shifted(picture, 0, columns), weights, padding=(1, 1)).output
        return found, pool(found, 2)

    here, pooled = maps_of(0)
    for columns in (1, 2, -2):
        moved, moved_pooled = maps_of(columns)
        torch.testing.assert_close(moved, shifted(here, 0, columns))
        if columns % 2 == 0:
            torch.testing.assert_close(moved_pooled, shifted(pooled, 0, columns // 2))
        else:
            assert not any(torch.allclose(moved_pooled, shifted(pooled, 0, n)) for n in (0, 1))
        assert moved.max() == here.max()


# What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (lambda: output_size(3, 4), "must fit into the padded input"),
        (lambda: output_size(3, 6, 1), r"it has 6 places, the input 3 \+ 2 · 1 = 5"),
        (lambda: output_size(3, 2, -1), "padding must be 0 or more"),
        (lambda: output_size(3, 2, 0, 0), "stride must be at least 1"),
        (lambda: cross_correlate_2d(drawn(1, 1, 2, 2), drawn(1, 1, 3, 3)), "must fit"),
        (lambda: cross_correlate_1d(drawn(1, 1, 4), drawn(1, 1, 3), dilation=2), "must fit"),
        (lambda: pool(drawn(4, 4), 5), "must fit"),
        (lambda: pool(drawn(4, 4), 2, "median"), "kind must be one of"),
        (lambda: trace_convolution(drawn(2, 4, 4), drawn(1, 2, 2)), "same C"),
        (lambda: trace_convolution(drawn(4, 4), drawn(2, 2)), "shapes"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(refused, said):
    with pytest.raises((SettingError, ShapeError), match=said):
        refused()
