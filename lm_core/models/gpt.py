"""GPT, whole, in one file: from the numbers of the tokens to the logits of the next one, and on to a text.

    x = E[tokens] + P[0 ... T - 1]                      token and position embeddings, (B, T, D)
    x = x + attention(norm(x)),  x = x + mlp(norm(x))   in each of the L blocks
    logits = norm(x) E^T                                (B, T, V), by the same matrix E

It is the GPT-2 of Radford et al. (2019), as small as it can be written: no cache, no switches. The models of
this project are trained as a `lm_core.models.transformer.TransformerLanguageModel`, which has both; with
learned positions and GPT-2's settings it computes the same, and its weights load here under the same names.

References
----------
Vaswani et al. 2017, "Attention Is All You Need". https://arxiv.org/abs/1706.03762
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
Press and Wolf 2017, "Using the Output Embedding to Improve Language Models" (one matrix at both ends).
https://arxiv.org/abs/1608.05859
Karpathy 2022, nanoGPT. https://github.com/karpathy/nanoGPT
"""

from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional as F

from lm_core.errors import ShapeError


@dataclass(frozen=True)
class GPTConfig:
    """The sizes of a GPT."""

    vocabulary_size: int
    """V, how many different tokens there are."""
    context: int
    """C, the most tokens that the model can read at once."""
    width: int
    """D, numbers in the vector of a token; a multiple of the heads."""
    heads: int
    """H, of each attention layer; each works with d = D / H numbers."""
    layers: int
    """L, blocks one after the other."""


class CausalSelfAttention(nn.Module):
    """Each token takes a weighted mean of the values of the tokens up to itself, in H ways at once.

    ``softmax(Q K^T / sqrt(d) + mask) V``, eq. (1) of Vaswani et al., where the mask is minus infinity
    for the keys that come after the query.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.projections = nn.Linear(config.width, 3 * config.width)  # queries, keys, values
        self.output = nn.Linear(config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        """Mix the vectors x (B, T, D) of a text's tokens; return (B, T, D)."""
        n_tokens = x.shape[1]
        queries, keys, values = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (B, H, T, d)
            for part in self.projections(x).chunk(3, -1)
        )
        scores = queries @ keys.transpose(-1, -2) * queries.shape[-1] ** -0.5  # (B, H, T, T)
        is_later = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(is_later, float("-inf")).softmax(-1)
        return self.output((weights @ values).transpose(1, 2).flatten(-2))


class Block(nn.Module):
    """Attention between the tokens, then a network of two layers on each token for itself.

    Both read a normalised copy of the residual stream and add to the stream itself, so that a block that
    adds nothing hands on what it was given. ``mlp(x) = W_2 gelu(W_1 x + b_1) + b_2``, with 4 D hidden units.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.width)
        self.attention = CausalSelfAttention(config)
        self.feed_forward_norm = nn.LayerNorm(config.width)
        self.widened = nn.Linear(config.width, 4 * config.width)
        self.narrowed = nn.Linear(4 * config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        """Return the residual stream (B, T, D) after the block."""
        x = x + self.attention(self.attention_norm(x))
        hidden = F.gelu(self.widened(self.feed_forward_norm(x)), approximate="tanh")
        return x + self.narrowed(hidden)


class GPT(nn.Module):
    """Token and position embedding -> L blocks -> layer norm -> logits, by the embedding's matrix."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        self.codes = nn.Embedding(config.context, config.width)  # one for each position
        self.blocks = nn.Sequential(*(Block(config) for _ in range(config.layers)))
        self.output_norm = nn.LayerNorm(config.width)

    def forward(self, tokens: Tensor) -> Tensor:
        """Predict, after each token, the next one.

        `tokens`: int64 Tensor of shape (B, T), 1 <= T <= C.

        Returns
        -------
        logits : Tensor of shape (B, T, V), row t is the prediction of the token that follows ``tokens[:, t]``
        """
        n_tokens = tokens.shape[1]
        if not 1 <= n_tokens <= self.config.context:
            raise ShapeError(
                f"a GPT reads 1 to {self.config.context} tokens at once, got {n_tokens}"
            )
        positions = torch.arange(n_tokens, device=tokens.device)
        x = self.embedding(tokens) + self.codes(positions)
        return self.output_norm(self.blocks(x)) @ self.embedding.weight.T

    @torch.no_grad()
    def initialise(self, rng: Generator) -> None:
        """Draw the weights, with a standard deviation of 0.02; what is added to the stream starts smaller.

        Each of the 2 L layers that add to the residual stream is scaled by 1 / sqrt(2 L), so that the stream
        does not grow with the depth (Radford et al. 2019, section 2.3).
        """
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                parameter.zero_()
            elif "norm" not in name:
                adds = name.endswith(("attention.output.weight", "narrowed.weight"))
                scale = (2 * self.config.layers) ** -0.5 if adds else 1.0
                parameter.normal_(0.0, 0.02 * scale, generator=rng)

    @torch.no_grad()
    def generate(
        self, tokens: Tensor, n_tokens: int, *, temperature: float, rng: Generator
    ) -> Tensor:
        """Continue texts (B, T) by `n_tokens` tokens, each drawn from the prediction; return (B, T + n_tokens).

        The logits are divided by the temperature; at 0 the most probable token is taken. A text that has
        outgrown the context is read from its last C tokens on.
        """
        for _ in range(n_tokens):
            logits = self(tokens[:, -self.config.context :])[:, -1]  # (B, V)
            if temperature > 0.0:
                drawn = torch.multinomial((logits / temperature).softmax(-1), 1, generator=rng)
            else:
                drawn = logits.argmax(-1, keepdim=True)
            tokens = torch.cat([tokens, drawn], 1)
        return tokens
