"""A decoder-only transformer that predicts the next token.

Its memory is the keys and values of the tokens that it has read: the key-value cache, which is passed
in and out like any other state. With relative positions (rotary, T5, ALiBi, none) each token attends
to the last C tokens, itself included, however a text is cut into pieces, so that a pass over a whole
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

from collections.abc import Callable
from functools import partial
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models.attention import distances
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.multi_head_attention import AttentionMask, KeysValues, fastest_attention
from lm_core.models.positional_encoding.absolute import binary_positions, sinusoidal_positions
from lm_core.models.positional_encoding.relative import alibi_bias, rotary_tables, t5_buckets
from lm_core.models.transformer_blocks import (
    Block,
    BlockOutput,
    Drop,
    dropout,
    new_norm,
    norm,
)
from lm_core.models.transformer_config import TransformerLanguageModelConfig

__all__ = ["TransformerLanguageModel", "TransformerLanguageModelConfig"]

T5_BUCKETS = 32

RunBlock = Callable[[int, Tensor, AttentionMask, KeysValues | None], BlockOutput]
"""Runs the block of a number (from 0) on x (B, T, D), with the mask and the cache given."""


class TransformerLanguageModel(LanguageModel):
    """Embedding(V, D) -> blocks -> norm -> Linear(D, V).

    The state is the keys and values of each layer in turn, ``(k, v, k, v, ...)``, each of shape
    (B, M, G d) with M < C, empty at first, keys after any norm and before any rotation.
    """

    codes: nn.Embedding
    bucket_bias: nn.Embedding
    fixed_codes: Tensor | None

    def __init__(self, config: TransformerLanguageModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        if config.position == "learned":
            self.codes = nn.Embedding(config.context, config.width)
        self.register_buffer("fixed_codes", fixed_codes(config), persistent=False)
        if config.position == "t5":
            self.bucket_bias = nn.Embedding(T5_BUCKETS, config.heads)
        self.blocks = nn.ModuleList(
            Block(
                config,
                activation=config.activation,
                bias=config.bias,
                normalisation=config.normalisation,
                key_value_heads=config.key_value_heads,
            )
            for _ in range(config.layers)
        )
        has_norm = config.norm == "pre"
        self.output_norm = new_norm(config.normalisation, config.width) if has_norm else None
        self.output = nn.Linear(config.width, config.vocabulary_size, bias=not config.tied_output)
        self.tie()
        if config.tied_output:  # one matrix is stored once
            self.register_state_dict_post_hook(_without_output)
            self.register_load_state_dict_pre_hook(_output_from_embedding)

    def tie(self) -> None:
        """Let the output layer use the embedding's matrix, if the config says so."""
        if self.config.tied_output:
            self.output.weight = self.embedding.weight

    def initial_state(self, batch: int) -> State:
        """Return empty caches."""
        empty = self.output.weight.new_zeros(batch, 0, self.config.key_value_width)
        return (empty,) * (2 * self.config.layers)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return logits (B, T, V) and the state after them."""
        self._require_tokens(tokens)
        parts = []
        # In pieces, because a square of T by T would mostly be masked. A piece sees what it sees
        # in one go, but for a model without the causal mask, which sees its piece's end.
        for piece in tokens.split(self.config.context, 1):
            logits, state = self.read(piece, state)
            parts.append(logits)
        return torch.cat(parts, 1), state

    def earlier_state(self, state: State, n_read: int, n: int) -> State | None:
        """Return the first n keys and values; None once the cache has let go of a token."""
        return tuple(tensor[:, :n] for tensor in state) if state[0].shape[1] == n_read else None

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
        drop = partial(dropout, rate=rate, rng=rng) if rate else None
        is_cold = None
        if config.cold_starts == 1.0:
            state = self.initial_state(len(tokens))
        elif config.cold_starts and state[0].shape[1]:
            drawn = torch.rand(len(tokens), generator=rng, device=tokens.device)
            is_cold = drawn < config.cold_starts
        return self.read(tokens, state, drop=drop, dtype=dtype, is_cold=is_cold)

    def read(
        self,
        tokens: Tensor,
        state: State,
        *,
        run_block: RunBlock | None = None,
        drop: Drop | None = None,
        dtype: torch.dtype | None = None,
        is_cold: Tensor | None = None,
    ) -> tuple[Tensor, State]:
        """Read at most C tokens: what `forward`, training and tracing have in common.

        Parameters
        ----------
        tokens : int64 Tensor of shape (B, T), T <= C
        run_block : RunBlock, optional
            Runs the blocks in place of the model's own way, to watch or to change them.
        drop : callable, dropout, after the embedding and after each sublayer
        dtype : torch.dtype, of everything but the output
        is_cold : bool Tensor of shape (B,), texts that may not attend to what they remember

        Returns
        -------
        logits : Tensor of shape (B, T, V)
        state : State
        """
        dtype = dtype or self.embedding.weight.dtype
        n_remembered, n_new = state[0].shape[1], tokens.shape[1]
        n_kept = n_to_remember(self.config, n_remembered + n_new)
        mask = self.attention_mask(n_remembered, n_new, dtype, is_cold)
        run_block = run_block or partial(self._run_block, drop=drop)
        x = self.embed(tokens, n_remembered, dtype)
        x = x if drop is None else drop(x)
        caches: list[Tensor] = []
        for layer in range(self.config.layers):
            keys, values = state[2 * layer : 2 * layer + 2]
            past = (keys.to(dtype), values.to(dtype)) if n_remembered else None
            block = run_block(layer, x, mask, past)
            x = block.after_feed_forward
            caches += (tensor[:, tensor.shape[1] - n_kept :] for tensor in block.keys_values)
        return self.predict(x), tuple(caches)

    def embed(self, tokens: Tensor, n_remembered: int, dtype: torch.dtype) -> Tensor:
        """Return the vectors (B, T, D) of tokens that follow on `n_remembered` ones."""
        x = F.embedding(tokens, self.embedding.weight.to(dtype))
        codes = self.codes.weight if self.config.position == "learned" else self.fixed_codes
        if codes is None:
            return x
        places = torch.arange(n_remembered, n_remembered + tokens.shape[1], device=tokens.device)
        return x + codes[places % self.config.context].to(dtype)

    def attention_mask(
        self, n_remembered: int, n_new: int, dtype: torch.dtype, is_cold: Tensor | None = None
    ) -> AttentionMask:
        """Return which tokens each of `n_new` tokens after `n_remembered` ones may attend to."""
        bias = self.bucket_bias.weight if self.config.position == "t5" else None
        return attention_mask(
            self.config,
            n_remembered,
            n_new,
            bucket_bias=bias,
            is_cold=is_cold,
            dtype=dtype,
            device=self.output.weight.device,
        )

    def attention(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: AttentionMask
    ) -> Tensor:
        """Attention between the tokens in every layer, (B, H, T, d): an `AttentionFunction`."""
        return fastest_attention(queries, keys, values, mask)

    def predict(self, x: Tensor) -> Tensor:
        """Return the logits (..., V) of what the blocks have made, (..., D)."""
        return self.output(norm(self.output_norm, x.to(self.output.weight.dtype)))

    def _run_block(
        self,
        layer: int,
        x: Tensor,
        mask: AttentionMask,
        past: KeysValues | None,
        *,
        drop: Drop | None,
    ) -> BlockOutput:
        return self.blocks[layer](x, mask, past, attention=self.attention, drop=drop)

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
            cast(Block, block).initialise(rng)
        if not self.config.tied_output:
            self.output.weight.normal_(0.0, 0.02, generator=rng)
            self.output.bias.zero_()


def _without_output(_: nn.Module, weights: dict[str, Tensor], prefix: str, *__: object) -> None:
    del weights[f"{prefix}output.weight"]


def _output_from_embedding(
    _: nn.Module, weights: dict[str, Tensor], prefix: str, *__: object
) -> None:
    if f"{prefix}embedding.weight" in weights:
        weights.setdefault(f"{prefix}output.weight", weights[f"{prefix}embedding.weight"])


def attention_mask(
    config: TransformerLanguageModelConfig,
    n_remembered: int,
    n_new: int,
    *,
    bucket_bias: Tensor | None = None,
    is_cold: Tensor | None = None,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str = "cpu",
) -> AttentionMask:
    """Return which tokens may attend to which when `n_new` tokens follow on `n_remembered` ones.

    Parameters
    ----------
    n_remembered, n_new : int, M < C and 1 <= T <= C
    bucket_bias : Tensor of shape (T5_BUCKETS, H), of each bucket and head, where positions are T5's
    is_cold : bool Tensor of shape (B,), texts that may not attend to the M remembered tokens
    dtype : torch.dtype, of bias and tables
    """
    n_keys = n_remembered + n_new
    behind = distances(n_new, n_keys, device=device)  # (T, S)
    visible = (behind < config.context) & (behind >= 0 if config.causal else True)
    if config.has_blocks:
        block = torch.arange(n_keys, device=device) // config.context
        visible = visible & (block[n_remembered:, None] == block)
    if is_cold is not None:
        is_new = torch.arange(n_keys, device=device) >= n_remembered
        visible = visible & (~is_cold[:, None] | is_new)[:, None, None]  # (B, 1, T, S)
    bias = rotation = None
    if config.position == "alibi":
        bias = alibi_bias(behind, config.heads).to(dtype)
    elif config.position == "t5":
        if bucket_bias is None:
            raise SettingError("T5's positions need bucket_bias, the bias of each bucket and head")
        buckets = t5_buckets(-behind, T5_BUCKETS, bidirectional=not config.causal)
        bias = bucket_bias[buckets].permute(2, 0, 1).to(dtype)
    elif config.position == "rotary":
        cosines, sines = rotary_tables(
            2 * config.context, config.head_width, dtype=dtype, device=device
        )
        rotation = cosines[:n_keys], sines[:n_keys]
    return AttentionMask(visible, dtype, bias, rotation)


def fixed_codes(config: TransformerLanguageModelConfig) -> Tensor | None:
    """Return the codes of a block's C positions that are not learned, (C, D), or None."""
    if config.position == "sinusoidal":
        return sinusoidal_positions(config.context, config.width)
    if config.position == "binary":
        n_digits = min(config.width, max(1, (config.context - 1).bit_length()))
        codes = binary_positions(config.context, n_digits)
        return F.pad(codes, (0, config.width - n_digits))
    return None


def n_to_remember(config: TransformerLanguageModelConfig, n_keys: int) -> int:
    """Return how many of the last tokens the next one can still attend to."""
    return n_keys % config.context if config.has_blocks else min(n_keys, config.context - 1)
