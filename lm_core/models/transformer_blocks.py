"""One block of a transformer: tokens look at each other, then each is thought over by itself.

References
----------
Vaswani et al. 2017, "Attention Is All You Need" (norm after each sublayer).
https://arxiv.org/abs/1706.03762
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners" (norm before, GELU).
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lm_core.models.transformer_config import TransformerLanguageModelConfig

Look = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Attention itself: from the new tokens' queries, keys and values to the mix, all (B, T, D)."""

Drop = Callable[[Tensor], Tensor]


class Block(nn.Module):
    """Attention and a two-layer network, each with its norm and its residual path, as configured.

    How the tokens look at each other is passed in: the fused kernel in training and writing, every
    stage on its own for display.
    """

    def __init__(self, config: TransformerLanguageModelConfig) -> None:
        super().__init__()
        width, hidden = config.width, config.feed_forward * config.width
        self.config = config
        has_norm = config.norm != "none"
        self.attention_norm = nn.LayerNorm(width) if has_norm else None
        self.projections = nn.Linear(width, 3 * width, bias=False)  # query, key, value
        self.mixed = nn.Linear(width, width, bias=False)
        self.feed_forward_norm = nn.LayerNorm(width) if has_norm else None
        self.widened = nn.Linear(width, hidden, bias=False)
        self.narrowed = nn.Linear(hidden, width, bias=False)

    def attention(self, x: Tensor, look: Look, drop: Drop) -> Tensor:
        """Let the tokens of x (B, T, D) look at each other."""

        def sublayer(y: Tensor) -> Tensor:
            queries, keys, values = linear(self.projections, y).chunk(3, -1)
            return drop(linear(self.mixed, look(queries, keys, values)))

        return self._around(sublayer, x, self.attention_norm)

    def feed_forward(self, x: Tensor, drop: Drop) -> Tensor:
        """Work on each token of x (B, T, D) by itself."""

        def sublayer(y: Tensor) -> Tensor:
            return drop(linear(self.narrowed, F.gelu(linear(self.widened, y))))

        return self._around(sublayer, x, self.feed_forward_norm)

    def _around(self, sublayer: Drop, x: Tensor, layer_norm: nn.LayerNorm | None) -> Tensor:
        """Put norm and residual path around a sublayer."""
        is_pre = self.config.norm == "pre"
        y = sublayer(norm(layer_norm, x) if is_pre else x)
        y = x + y if self.config.residual else y
        return y if is_pre else norm(layer_norm, y)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights; with residual paths, what is added starts small.

        All blocks together then add about as much to the residual stream as one would alone
        (Radford et al. 2019, section 2.3).
        """
        for layer in (self.projections, self.mixed, self.widened, self.narrowed):
            layer.weight.normal_(0.0, (3.0 * layer.in_features) ** -0.5, generator=rng)
        if self.config.residual:
            for layer in (self.mixed, self.narrowed):
                layer.weight *= (2.0 * self.config.layers) ** -0.5


def linear(layer: nn.Linear, x: Tensor) -> Tensor:
    """Apply a layer in the arithmetic of its input, whatever its weights are kept in."""
    bias = None if layer.bias is None else layer.bias.to(x.dtype)
    return F.linear(x, layer.weight.to(x.dtype), bias)


def norm(layer: nn.LayerNorm | None, x: Tensor) -> Tensor:
    """Apply a layer norm, if there is one, in the arithmetic of its input."""
    if layer is None:
        return x
    weight, bias = layer.weight.to(x.dtype), layer.bias.to(x.dtype)
    return F.layer_norm(x, layer.normalized_shape, weight, bias, layer.eps)


def dropout(x: Tensor, rate: float, rng: torch.Generator) -> Tensor:
    """Silence a share of the units, drawn from `rng`, and strengthen the others to make up for it.

    One random byte decides on each unit, so that the rate is rounded to 1/256: drawing eight at a
    time takes an eighth of the time that a random number for each would.
    """
    threshold = round(256 * rate)
    words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device)
    words.random_(-(2**63), None, generator=rng)
    kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= threshold
    return x * kept.to(x.dtype).mul_(256.0 / (256 - threshold))
