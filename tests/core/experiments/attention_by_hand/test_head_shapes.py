"""Heads by transpose and by reshape: whose numbers are where, and a printed line that runs only by chance."""

import pytest
import torch

from lm_core.errors import ShapeError
from lm_core.experiments.attention_by_hand import head_shapes

X = torch.arange(24.0).reshape(6, 4)


def test_transpose_gives_each_head_its_columns_of_every_token():
    found = head_shapes.split_into_heads(X, 2, head_shapes.Split.TRANSPOSE)
    assert found.shape == (2, 6, 2)
    torch.testing.assert_close(found, torch.stack([X[:, :2], X[:, 2:]]))
    assert head_shapes.share_of_own_token(6, 4, 2, head_shapes.Split.TRANSPOSE) == 1.0


@pytest.mark.parametrize("heads", [2, 4])
def test_reshape_gives_the_first_head_the_first_tokens(heads):
    found = head_shapes.split_into_heads(X[:4], heads, head_shapes.Split.RESHAPE)
    assert found.shape == (heads, 4, 4 // heads)
    assert found[0].flatten().tolist() == X[: 4 // heads].flatten().tolist()
    assert head_shapes.share_of_own_token(4, 4, heads, head_shapes.Split.RESHAPE) == 0.25


def test_one_head_is_the_same_either_way():
    assert head_shapes.share_of_own_token(6, 4, 1, head_shapes.Split.RESHAPE) == 1.0


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ShapeError, match="must divide the width 4, got 3"):
        head_shapes.split_into_heads(X, 3, head_shapes.Split.TRANSPOSE)


def test_the_printed_line_runs_where_tokens_are_as_many_as_units_and_is_wrong():
    q, k, v = torch.randn(3, 4, 4, generator=torch.Generator().manual_seed(0))
    found = head_shapes.printed_output(q, k, v)
    torch.testing.assert_close(found, torch.softmax(q @ k.T, -1) @ v.T)
    assert not torch.allclose(found, torch.softmax(q @ k.T, -1) @ v)
    with pytest.raises(ShapeError, match="as many tokens as units"):
        head_shapes.printed_output(X, X, X)
