"""A decoder-only transformer that predicts the next token.

Its memory is the keys and values of the tokens that it has read: the key-value cache, which is passed
in and out like any other state. With relative positions (rotary, T5, ALiBi, none) each token looks at
the last C tokens, itself included, however a text is cut into pieces, so that a pass over a whole
text with the state carried is well defined: a sliding window of C in each layer. With a code added to
each token there are only C positions, so texts are read in blocks of C, and at the end of a block the
memory is emptied.

In the training loop the cache carries over from window to window, without gradients: the memory of a
Transformer-XL. A share of the texts may start cold in each window, as a prompt does.

References
----------
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
Dai et al. 2019, "Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context".
https://arxiv.org/abs/1901.02860
"""

from dataclasses import replace
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lm_core.errors import ShapeError
from lm_core.models.attention_mask import T5_BUCKETS, Sight, fixed_codes, n_to_remember, sight_of
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.multi_head_attention import joined_heads, split_heads
from lm_core.models.transformer_blocks import Block, Drop, dropout, norm
from lm_core.models.transformer_config import TransformerLanguageModelConfig

__all__ = ["TransformerLanguageModel", "TransformerLanguageModelConfig"]


class TransformerLanguageModel(LanguageModel):
    """Embedding(V, D) -> blocks -> norm -> Linear(D, V).

    The state is the keys and values of each layer in turn, ``(k, v, k, v, ...)``, each of shape
    (B, M, D) with M < C, empty at first. Keys are kept as they are before any rotation.
    """

    def __init__(self, config: TransformerLanguageModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        if config.position == "learned":
            self.codes = nn.Embedding(config.context, config.width)
        self.register_buffer("fixed_codes", fixed_codes(config), persistent=False)
        if config.position == "t5":
            self.bucket_bias = nn.Embedding(T5_BUCKETS, config.heads)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.output_norm = nn.LayerNorm(config.width) if config.norm == "pre" else None
        self.output = nn.Linear(config.width, config.vocabulary_size)

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens, V."""
        return self.config.vocabulary_size

    def initial_state(self, batch: int) -> State:
        """Return empty caches."""
        empty = self.output.weight.new_zeros(batch, 0, self.config.width)
        return (empty,) * (2 * self.config.layers)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return logits (B, T, V) and the state after them."""
        self._require_tokens(tokens)
        parts = []
        # In pieces, because a square of T by T would mostly be masked. A piece sees what it sees
        # in one go, but for a model without the causal mask, which sees its piece's end.
        for piece in tokens.split(self.config.context, 1):
            logits, state = self._read(piece, state)
            parts.append(logits)
        return torch.cat(parts, 1), state

    def training_logits(
        self, tokens: Tensor, state: State, *, rng: torch.Generator, dtype: torch.dtype
    ) -> tuple[Tensor, State]:
        """Like `forward`, with the config's dropout and cold starts, everything but the output in `dtype`.

        A window longer than the context is a mistake of the recipe: it would be cut.
        """
        self._require_tokens(tokens)
        config = self.config
        if tokens.shape[1] > config.context:
            raise ShapeError(
                f"a training window must not be longer than the context of {config.context},"
                f" got {tokens.shape[1]}"
            )
        rate = config.dropout
        drop = partial(dropout, rate=rate, rng=rng) if rate else _identity
        is_cold = None
        if config.cold_starts == 1.0:
            state = self.initial_state(len(tokens))
        elif config.cold_starts and state[0].shape[1]:
            drawn = torch.rand(len(tokens), generator=rng, device=tokens.device)
            is_cold = drawn < config.cold_starts
        return self._read(tokens, state, drop=drop, dtype=dtype, is_cold=is_cold)

    def embed(self, tokens: Tensor, n_remembered: int, dtype: torch.dtype) -> Tensor:
        """Return the vectors (B, T, D) of tokens that follow on `n_remembered` ones."""
        x = F.embedding(tokens, self.embedding.weight.to(dtype))
        codes = self.codes.weight if self.config.position == "learned" else self.fixed_codes
        if codes is None:
            return x
        places = torch.arange(n_remembered, n_remembered + tokens.shape[1], device=tokens.device)
        return x + codes[places % self.config.context].to(dtype)

    def sight(self, n_remembered: int, n_new: int, dtype: torch.dtype) -> Sight:
        """Return what each of `n_new` tokens after `n_remembered` ones may look at."""
        bias = self.bucket_bias.weight if self.config.position == "t5" else None
        device = self.output.weight.device
        return sight_of(
            self.config, n_remembered, n_new, bucket_bias=bias, dtype=dtype, device=device
        )

    def predict(self, x: Tensor) -> Tensor:
        """Return the logits (..., V) of what the blocks have made, (..., D)."""
        return self.output(norm(self.output_norm, x.to(self.output.weight.dtype)))

    def _read(
        self,
        tokens: Tensor,
        state: State,
        *,
        drop: Drop | None = None,
        dtype: torch.dtype | None = None,
        is_cold: Tensor | None = None,
    ) -> tuple[Tensor, State]:
        """Read at most C tokens, with torch's kernel or its like between the tokens."""
        drop, dtype = drop or _identity, dtype or self.embedding.weight.dtype
        n_remembered, n_new = state[0].shape[1], tokens.shape[1]
        sight = self.sight(n_remembered, n_new, dtype)
        if is_cold is not None:
            is_new = torch.arange(n_remembered + n_new, device=tokens.device) >= n_remembered
            may = ~is_cold[:, None] | is_new  # (B, S)
            sight = replace(sight, allowed=sight.allowed & may[:, None, None])
        mask, caches = sight.additive_mask(dtype), []
        n_kept = n_to_remember(self.config, n_remembered + n_new)
        x = drop(self.embed(tokens, n_remembered, dtype))
        for layer, block in enumerate(self.blocks):
            remembered = tuple(tensor.to(dtype) for tensor in state[2 * layer : 2 * layer + 2])

            def look(
                queries: Tensor, keys: Tensor, values: Tensor, past: State = remembered
            ) -> Tensor:
                if n_remembered:
                    keys, values = torch.cat([past[0], keys], 1), torch.cat([past[1], values], 1)
                start = keys.shape[1] - n_kept
                caches.extend((keys[:, start:], values[:, start:]))
                return self._look(queries, keys, values, sight, mask)

            x = block.feed_forward(block.attention(x, look, drop), drop)
        return self.predict(x), tuple(caches)

    def _look(
        self, queries: Tensor, keys: Tensor, values: Tensor, sight: Sight, mask: Tensor
    ) -> Tensor:
        """Attention of T queries to S keys, (B, T or S, D), by the fastest way there is."""
        heads = self.config.heads
        queries, keys, values = (split_heads(t, heads) for t in (queries, keys, values))
        queries, keys = sight.turned(queries, keys)
        is_rough = queries.dtype == torch.bfloat16 and queries.device.type == "cpu"
        attention = _products if is_rough else F.scaled_dot_product_attention
        return joined_heads(attention(queries, keys, values, mask))

    def _require_tokens(self, tokens: Tensor) -> None:
        if tokens.dim() != 2 or not tokens.shape[1]:
            raise ShapeError(f"tokens must have shape (B, T), T >= 1, got {tuple(tokens.shape)}")

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights: small, so that the first predictions are nearly even."""
        # Codes that are not learned have entries of about 1, and are not to drown the token.
        std = 0.02 if self.fixed_codes is None else 1.0
        self.embedding.weight.normal_(0.0, std, generator=rng)
        if self.config.position == "learned":
            self.codes.weight.normal_(0.0, std, generator=rng)
        if self.config.position == "t5":
            self.bucket_bias.weight.zero_()
        for block in self.blocks:
            block.initialise(rng)
        self.output.weight.normal_(0.0, 0.02, generator=rng)
        self.output.bias.zero_()


def _identity(x: Tensor) -> Tensor:
    return x


def _products(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
    """Attention as three plain products, (B, H, T, d).

    On processors, torch's fused kernel is slow in bfloat16 when it goes backwards: for windows of
    64 to 256 tokens, the whole square of weights takes a third to a fifth of the time.
    """
    batch, heads, n_queries, size = queries.shape
    mask = mask.expand(batch, heads, n_queries, keys.shape[2]).flatten(0, 1)  # (B H, T, S)
    queries, keys, values = (tensor.flatten(0, 1) for tensor in (queries, keys, values))
    scores = torch.baddbmm(mask, queries, keys.mT, alpha=size**-0.5)
    return (scores.softmax(-1) @ values).unflatten(0, (batch, heads))
