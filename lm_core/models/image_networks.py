"""Two small networks that name what a picture shows: a convolutional one (CNN) and a multilayer perceptron.

    CNN    convolution 3 x 3 -> ReLU -> max pooling -> convolution 3 x 3 -> ReLU -> max pooling -> linear
    MLP    linear -> ReLU -> linear

The second pooling of the CNN takes windows of 2 x 2, or each map whole: then a feature counts the same wherever
it is found.

References
----------
LeCun, Bottou, Bengio & Haffner 1998, "Gradient-based learning applied to document recognition".
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lm_core.errors import ShapeError, require_at_least_1
from lm_core.models.convolution import cross_correlate_2d, pool

_SAME = (1, 1)  # padding by which maps of 3 x 3 filters are as large as what they are made from


@dataclass(frozen=True)
class ImageCNNConfig:
    """Sizes of an `ImageCNN`."""

    side: int = 12
    """Rows and columns of a picture; 4 divides it."""
    first: int = 8
    second: int = 16
    """`first` and `second`: filters of each layer."""
    has_global_pooling: bool = False
    """Whether the second pooling takes each map whole."""
    classes: int = 10

    def __post_init__(self) -> None:
        require_at_least_1(
            side=self.side // 4, first=self.first, second=self.second, classes=self.classes
        )
        if self.side % 4:
            raise ShapeError(f"side must be a multiple of 4, got {self.side}")

    @property
    def features(self) -> int:
        """How many numbers the last layer reads."""
        return self.second * (1 if self.has_global_pooling else (self.side // 4) ** 2)


class CNNTrace(NamedTuple):
    """What an `ImageCNN` computes for B pictures of side S."""

    first: Tensor
    """Of shape (B, first, S, S). Feature maps after ReLU."""
    first_pooled: Tensor
    """Of shape (B, first, S / 2, S / 2)."""
    second: Tensor
    """Of shape (B, second, S / 2, S / 2)."""
    features: Tensor
    """Of shape (B, features). After the second pooling, map after map."""
    logits: Tensor
    """Of shape (B, classes)."""


class ImageCNN(nn.Module):
    """Two layers of 3 x 3 filters, each with ReLU and max pooling, and a linear layer."""

    def __init__(self, config: ImageCNNConfig) -> None:
        super().__init__()
        self.config = config
        self.first = nn.Parameter(torch.zeros(config.first, 1, 3, 3))
        self.first_bias = nn.Parameter(torch.zeros(config.first))
        self.second = nn.Parameter(torch.zeros(config.second, config.first, 3, 3))
        self.second_bias = nn.Parameter(torch.zeros(config.second))
        self.output = nn.Linear(config.features, config.classes)

    def trace(self, images: Tensor) -> CNNTrace:
        """Return all that is computed for pictures (B, S, S)."""
        _require_side(images, self.config.side)
        first = cross_correlate_2d(images[:, None], self.first, self.first_bias, padding=_SAME)
        first = first.relu()
        first_pooled = pool(first, 2)
        second = cross_correlate_2d(first_pooled, self.second, self.second_bias, padding=_SAME)
        second = second.relu()
        window = self.config.side // 2 if self.config.has_global_pooling else 2
        features = pool(second, window).flatten(1)
        return CNNTrace(first, first_pooled, second, features, self.output(features))

    def forward(self, images: Tensor) -> Tensor:
        """Return the logits (B, classes) of pictures (B, S, S)."""
        return self.trace(images).logits


@dataclass(frozen=True)
class ImageMLPConfig:
    """Sizes of an `ImageMLP`."""

    side: int = 12
    """Rows and columns of a picture."""
    hidden: int = 17
    """Units of the hidden layer."""
    classes: int = 10

    def __post_init__(self) -> None:
        require_at_least_1(side=self.side, hidden=self.hidden, classes=self.classes)


class ImageMLP(nn.Module):
    """A hidden layer of ReLU units that each see the whole picture, and a linear layer."""

    def __init__(self, config: ImageMLPConfig) -> None:
        super().__init__()
        self.config = config
        self.hidden = nn.Linear(config.side**2, config.hidden)
        self.output = nn.Linear(config.hidden, config.classes)

    def forward(self, images: Tensor) -> Tensor:
        """Return the logits (B, classes) of pictures (B, S, S)."""
        _require_side(images, self.config.side)
        hidden: Tensor = self.hidden(images.flatten(1)).relu()
        return self.output(hidden)


ImageNetwork = ImageCNN | ImageMLP


def build_image_network(config: ImageCNNConfig | ImageMLPConfig) -> ImageNetwork:
    """Return a network of these sizes; its weights are not drawn yet."""
    return ImageCNN(config) if isinstance(config, ImageCNNConfig) else ImageMLP(config)


def parameter_count(network: nn.Module) -> int:
    """Return how many numbers are learned."""
    return sum(parameter.numel() for parameter in network.parameters())


@torch.no_grad()
def initialise(network: nn.Module, rng: torch.Generator) -> None:
    """Draw weights with variance 2 / inputs (He et al. 2015); biases are 0."""
    for parameter in network.parameters():
        if parameter.dim() == 1:
            parameter.zero_()
        else:
            n_inputs = parameter[0].numel()
            parameter.normal_(std=(2.0 / n_inputs) ** 0.5, generator=rng)


def _require_side(images: Tensor, side: int) -> None:
    if images.dim() != 3 or images.shape[1:] != (side, side):
        raise ShapeError(f"pictures must have shape (B, {side}, {side}), got {tuple(images.shape)}")
