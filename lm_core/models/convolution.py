r"""Convolution, cross-correlation and pooling, with every window and every product in reach.

A filter w of L numbers is moved over N inputs x; at each place the products are added up:

    cross-correlation    z_i = sum_u w_u x_{i+u}
    convolution          z_i = sum_u w_u x_{i-u}          the same with w flipped

What deep learning calls a convolution is the first of these. With padding p on each side and stride s an
input of size x and a filter of size f give floor((x + 2 p - f + s) / s) outputs. Both are linear in x: z = C x
with a Toeplitz matrix C, whose entries are those of w, repeated, and zeros.

References
----------
LeCun et al. 1989, "Backpropagation Applied to Handwritten Zip Code Recognition".
Dumoulin & Visin 2016, "A guide to convolution arithmetic for deep learning". https://arxiv.org/abs/1603.07285
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError, require_at_least_1

MAXIMUM, AVERAGE = "max", "average"
POOLINGS = (MAXIMUM, AVERAGE)
Pair = tuple[int, int]
"""Of rows and columns."""


def output_size(size: int, filter_size: int, padding: int = 0, stride: int = 1) -> int:
    """Return the number of places of a filter: floor((x + 2 p - f + s) / s).

    Raises SettingError if a size or the stride is below 1, the padding below 0, or the filter
    larger than the padded input.

    Examples
    --------
    >>> [output_size(n, 3, padding=1, stride=2) for n in (5, 7)]
    [3, 4]
    """
    require_at_least_1(size=size, filter_size=filter_size, stride=stride)
    if padding < 0:
        raise SettingError(f"padding must be 0 or more, got {padding}")
    if filter_size > size + 2 * padding:
        raise SettingError(
            f"the filter must fit into the padded input: it has {filter_size} places, the input"
            f" {size} + 2 · {padding} = {size + 2 * padding}. Choose a smaller filter or more padding"
        )
    return (size + 2 * padding - filter_size + stride) // stride


def windows(images: Tensor, size: Pair, stride: Pair = (1, 1)) -> Tensor:
    """Return what a filter of that size sees at each of its places; nothing is copied.

    Raises SettingError if the filter does not fit.

    The result: Tensor of shape (..., H_out, W_out, h, w).

    Parameters
    ----------
    images : Tensor of shape (..., H, W)
    size, stride : pair of int
    """
    for length, of_filter, step in zip(images.shape[-2:], size, stride, strict=True):
        output_size(length, of_filter, stride=step)
    return images.unfold(-2, size[0], stride[0]).unfold(-2, size[1], stride[1])


def padded(images: Tensor, padding: Pair) -> Tensor:
    """Return images (..., H, W) with so many rows and columns of zeros on each side."""
    rows, columns = padding
    return F.pad(images, (columns, columns, rows, rows))


class ConvolutionTrace(NamedTuple):
    """All that is computed when one filter is moved over one image of C channels."""

    padded: Tensor
    """Of shape (C, H + 2 p_h, W + 2 p_w)."""
    weights: Tensor
    """Of shape (C, h, w). As they lie on the image: flipped for a convolution."""
    products: Tensor
    """Of shape (C, H_out, W_out, h, w). Of each place, weight by weight."""
    by_channel: Tensor
    """Of shape (C, H_out, W_out). Sums of the products."""
    output: Tensor
    """Of shape (H_out, W_out). Their sum over the channels: the feature map."""


def trace_convolution(
    image: Tensor,
    weights: Tensor,
    *,
    padding: Pair = (0, 0),
    stride: Pair = (1, 1),
    is_flipped: bool = False,
) -> ConvolutionTrace:
    """Move one filter over one image; a row of numbers is an image of one row.

    Raises ShapeError if image and filter do not have as many channels, or no three axes, and
    SettingError if the filter does not fit.

    Parameters
    ----------
    image : Tensor of shape (C, H, W)
    weights : Tensor of shape (C, h, w)
    padding, stride : pair of int
    is_flipped : bool, True for a convolution, False for a cross-correlation
    """
    if image.dim() != 3 or weights.dim() != 3 or image.shape[0] != weights.shape[0]:
        raise ShapeError(
            "image and filter must have shapes (C, H, W) and (C, h, w) with the same C, got"
            f" {tuple(image.shape)} and {tuple(weights.shape)}"
        )
    around = padded(image, padding)
    laid = weights.flip(-2, -1) if is_flipped else weights
    rows, columns = laid.shape[-2:]
    products = windows(around, (rows, columns), stride) * laid[:, None, None]
    by_channel = products.sum((-2, -1))
    return ConvolutionTrace(around, laid, products, by_channel, by_channel.sum(0))


def cross_correlate_2d(
    images: Tensor,
    filters: Tensor,
    bias: Tensor | None = None,
    *,
    padding: Pair = (0, 0),
    stride: Pair = (1, 1),
) -> Tensor:
    """Return the feature maps (B, O, H_out, W_out) of images (B, C, H, W): a layer of a network.

    Parameters
    ----------
    images : Tensor of shape (B, C, H, W)
    filters : Tensor of shape (O, C, h, w), one for each of the O maps
    bias : Tensor of shape (O,), added to each map
    padding, stride : pair of int
    """
    rows, columns = filters.shape[-2:]
    seen = windows(padded(images, padding), (rows, columns), stride)  # (B, C, H_out, W_out, h, w)
    maps = torch.einsum("bcijuv,ocuv->boij", seen, filters)
    return maps if bias is None else maps + bias[:, None, None]


def cross_correlate_1d(
    inputs: Tensor, filters: Tensor, bias: Tensor | None = None, *, dilation: int = 1
) -> Tensor:
    """Return the feature maps (B, O, T_out) of rows (B, C, T), without padding.

    Parameters
    ----------
    inputs : Tensor of shape (B, C, T)
    filters : Tensor of shape (O, C, L)
    bias : Tensor of shape (O,), optional
    dilation : int, a filter sees every so manieth input: its places reach over ``(L - 1) * dilation + 1``
    """
    reach = (filters.shape[-1] - 1) * dilation + 1
    output_size(inputs.shape[-1], reach)
    seen = inputs.unfold(-1, reach, 1)[..., ::dilation]  # (B, C, T_out, L)
    maps = torch.einsum("bctl,ocl->bot", seen, filters)
    return maps if bias is None else maps + bias[:, None]


def toeplitz_matrix(
    weights: Tensor, size: Pair, *, padding: Pair = (0, 0), stride: Pair = (1, 1)
) -> Tensor:
    """Return the matrix C with ``output.flatten() == C @ image.flatten()`` of a cross-correlation.

    Row ``i * W_out + j`` holds the weights where they lie when the filter is at its place (i, j); what
    lies on the padding is left out. For a convolution give it the flipped weights.

    The result: Tensor of shape (H_out * W_out, H * W).

    Parameters
    ----------
    weights : Tensor of shape (h, w)
    size : pair of int, of the image, without padding
    padding, stride : pair of int

    Examples
    --------
    >>> toeplitz_matrix(torch.tensor([[7, 6]]), (1, 3)).tolist()
    [[7, 6, 0], [0, 7, 6]]
    """
    (height, width), (rows, columns) = size, weights.shape
    n_rows, n_columns = (
        output_size(*of_axis) for of_axis in zip(size, weights.shape, padding, stride, strict=True)
    )
    matrix = weights.new_zeros((n_rows * n_columns, height * width))
    for i, j, u, v in torch.cartesian_prod(
        *(torch.arange(n) for n in (n_rows, n_columns, rows, columns))
    ).tolist():
        row, column = i * stride[0] + u - padding[0], j * stride[1] + v - padding[1]
        if 0 <= row < height and 0 <= column < width:
            matrix[i * n_columns + j, row * width + column] = weights[u, v]
    return matrix


def pool(images: Tensor, size: int, kind: str = MAXIMUM, stride: int | None = None) -> Tensor:
    """Return the greatest or the mean number of each square window of images (..., H, W).

    Raises SettingError if the window does not fit, or the kind is another.

    Parameters
    ----------
    images : Tensor of shape (..., H, W)
    size : int, rows and columns of a window
    kind : str, ``max`` or ``average``
    stride : int, optional
        By default the size: windows side by side. Rows and columns that fill no window are left out.
    """
    if kind not in POOLINGS:
        raise SettingError(f"kind must be one of {POOLINGS}, got {kind!r}")
    step = size if stride is None else stride
    seen = windows(images, (size, size), (step, step))
    return seen.amax((-2, -1)) if kind == MAXIMUM else seen.mean((-2, -1))


def shifted(images: Tensor, rows: int, columns: int) -> Tensor:
    """Return images (..., H, W) moved down and to the right; zeros follow, what leaves is lost.

    Examples
    --------
    >>> shifted(torch.tensor([[1, 2, 3]]), 0, 1).tolist(), shifted(torch.tensor([[1, 2, 3]]), 0, -2).tolist()
    ([[0, 1, 2]], [[3, 0, 0]])
    """
    return F.pad(images, (columns, -columns, rows, -rows))
