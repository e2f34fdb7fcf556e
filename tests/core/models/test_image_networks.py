"""The two networks for pictures: torch's layers with the same weights, sizes, and what pooling a whole map does."""

import pytest
import torch
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models.convolution import shifted
from lm_core.models.image_networks import (
    ImageCNN,
    ImageCNNConfig,
    ImageMLP,
    ImageMLPConfig,
    build_image_network,
    initialise,
    parameter_count,
)
from lm_core.rng import generator


def network(config):
    found = build_image_network(config).double()
    initialise(found, generator(3))
    for parameter in found.parameters():
        if parameter.dim() == 1:
            torch.nn.init.normal_(parameter, generator=generator(4))
    return found


IMAGES = torch.rand(2, 8, 8, generator=generator(0), dtype=torch.float64)


@pytest.mark.parametrize("has_global_pooling", [False, True])
def test_the_cnn_is_torchs_layers_one_after_the_other(has_global_pooling):
    cnn = network(ImageCNNConfig(8, 3, 5, has_global_pooling))
    assert isinstance(cnn, ImageCNN)
    x = F.conv2d(IMAGES[:, None], cnn.first, cnn.first_bias, padding=1).relu()
    x = F.conv2d(F.max_pool2d(x, 2), cnn.second, cnn.second_bias, padding=1).relu()
    x = F.max_pool2d(x, 4 if has_global_pooling else 2).flatten(1)
    expected = F.linear(x, cnn.output.weight, cnn.output.bias)
    torch.testing.assert_close(cnn(IMAGES), expected, rtol=0, atol=1e-12)
    assert cnn.trace(IMAGES).features.shape == (2, cnn.config.features)


def test_the_mlp_is_two_linear_layers():
    mlp = network(ImageMLPConfig(8, 6))
    assert isinstance(mlp, ImageMLP)
    hidden = F.linear(IMAGES.flatten(1), mlp.hidden.weight, mlp.hidden.bias).relu()
    expected = F.linear(hidden, mlp.output.weight, mlp.output.bias)
    torch.testing.assert_close(mlp(IMAGES), expected)


def test_whole_maps_are_pooled_alike_after_moves_by_the_stride():
    cnn = network(ImageCNNConfig(12, 3, 5, has_global_pooling=True))
    for bias in (cnn.first_bias, cnn.second_bias):
        bias.data.zero_()  # or else the edges of the canvas differ from its middle
    picture = torch.zeros(1, 12, 12, dtype=torch.float64)
    picture[0, 4:7, 4:7] = IMAGES[0, :3, :3]
    here, there = cnn(picture), cnn(shifted(picture, 0, 2))
    torch.testing.assert_close(here, there)
    assert not torch.allclose(here, cnn(shifted(picture, 0, 1)))


def test_the_sizes_are_those_of_the_formula():
    assert parameter_count(ImageCNN(ImageCNNConfig(12, 8, 16))) == 80 + 1168 + 1450
    assert parameter_count(ImageMLP(ImageMLPConfig(12, 17))) == 145 * 17 + 18 * 10


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (lambda: ImageCNNConfig(side=10), "multiple of 4"),
        (lambda: ImageCNNConfig(side=2), "at least 1"),
        (lambda: ImageMLPConfig(hidden=0), "at least 1"),
        (lambda: ImageMLP(ImageMLPConfig())(IMAGES.float()), "must have shape"),
        (lambda: ImageCNN(ImageCNNConfig())(IMAGES.float()), "must have shape"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(refused, said):
    with pytest.raises((SettingError, ShapeError), match=said):
        refused()
