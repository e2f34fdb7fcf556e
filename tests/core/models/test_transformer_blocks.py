"""RMSNorm and SwiGLU, against torch and against their formulas."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lm_core.models.transformer_blocks import RMSNorm
from lm_core.rng import generator
from tests.core.models.test_transformer import make


@torch.no_grad()
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_rms_norm_is_torchs(size):
    ours, theirs = RMSNorm(24).double(), nn.RMSNorm(24, eps=1e-6).double()
    ours.weight.uniform_(0.5, 2.0, generator=generator(0))
    theirs.load_state_dict(ours.state_dict())
    x = size * (1.0 + torch.randn(3, 5, 24, generator=generator(1), dtype=torch.float64))
    torch.testing.assert_close(ours(x), theirs(x), rtol=1e-6, atol=0.0)


@torch.no_grad()
def test_rms_norm_keeps_the_mean_that_a_layer_norm_takes_away():
    x = 3.0 + torch.randn(5, 24, generator=generator(0))
    assert RMSNorm(24)(x).mean(-1).min() > 0.5
    assert nn.LayerNorm(24)(x).mean(-1).abs().max() < 1e-5


@torch.no_grad()
@pytest.mark.parametrize("bias", [False, True])
def test_swiglu_is_its_formula(bias):
    block = make(activation="swiglu", bias=bias, width=12).double().blocks[0]
    if bias:
        for layer in (block.widened, block.narrowed):
            layer.bias.uniform_(-1.0, 1.0, generator=generator(2))
    x = torch.randn(2, 5, 12, generator=generator(1), dtype=torch.float64)
    gate, value = block.widened.weight.chunk(2)
    assert gate.shape == value.shape == (32, 12)  # two thirds of four times the width
    gate_bias, value_bias = (0.0, 0.0) if not bias else block.widened.bias.chunk(2)
    read = block.feed_forward_norm(x)
    hidden = F.silu(read @ gate.T + gate_bias) * (read @ value.T + value_bias)
    torch.testing.assert_close(block.feed_forward(x), x + block.narrowed(hidden))
