r"""The recurrent encoder-decoder: one context vector for the sentence, or a fresh one for each word.

A bidirectional GRU reads the input sentence: the annotation of token j is both its states there,
:math:`a_j = [\overrightarrow{h}_j; \overleftarrow{h}_j]`. The decoder, a GRU, gets a context vector
:math:`c_t` beside the token before:

.. math::
    s_t &= \mathrm{GRU}([y_{t-1}; c_t], s_{t-1}) \\
    P(y_t) &= \mathrm{softmax}(E \tanh(W [s_t; c_t; y_{t-1}]) + b)

Without attention :math:`c_t = c = \tanh(W_c [\overrightarrow{h}_S; \overleftarrow{h}_1] + b_c)` for
all t (Cho et al. 2014): all that is known of the sentence are the numbers of one vector. With
attention :math:`c_t = \sum_j \alpha_{tj} \tanh(W_c a_j + b_c)`, a mean weighted by how well
:math:`s_{t-1}` and :math:`a_j` match: additive scores (Bahdanau et al. 2015), or dot products. All
else is the same, so that the models can be compared.

References
----------
Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder". https://arxiv.org/abs/1406.1078
Bahdanau, Cho & Bengio 2015, "Neural Machine Translation by Jointly Learning to Align and
Translate". https://arxiv.org/abs/1409.0473
Luong, Pham & Manning 2015, "Effective Approaches to Attention-based Neural Machine Translation"
(dot products). https://arxiv.org/abs/1508.04025
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lm_core.errors import SettingError, require_below_1, require_fields_at_least_1
from lm_core.models.attention import (
    AdditiveScores,
    dot_product_scores,
    masked_softmax,
    padding_mask,
)
from lm_core.models.encoder_decoder_model import DecoderOutput, EncoderDecoder
from lm_core.models.language_model import State
from lm_core.models.recurrent import GRUCell
from lm_core.models.recurrent_initialisation import draw_recurrence
from lm_core.models.transformer_blocks import Drop

ATTENTIONS = ("none", "additive", "dot")


@dataclass(frozen=True)
class EncoderDecoderConfig:
    """Sizes and switches of a `RecurrentEncoderDecoder`."""

    vocabulary_size: int
    """V, of source and target together."""
    attention: str = "additive"
    """``none``, ``additive`` or ``dot``."""
    embedding_size: int = 256
    encoder_size: int = 256
    hidden_size: int = 256
    """`embedding_size`, `encoder_size` and `hidden_size`: E; units of each direction of the
    encoder; units of the decoder, H."""
    context_size: int = 256
    """C, numbers of a context vector."""
    attention_size: int = 128
    """A, width in which states and annotations are compared."""
    dropout: float = 0.0
    """In [0, 1). Share of units set to zero in embeddings, annotations and before the output."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(
            self,
            "vocabulary_size embedding_size encoder_size hidden_size context_size attention_size",
        )
        if self.attention not in ATTENTIONS:
            raise SettingError(f"attention must be one of {ATTENTIONS}, got {self.attention!r}")
        require_below_1(dropout=self.dropout)


class DotScores(nn.Module):
    """``(q W_q) . (k W_k) / sqrt(h)``: `AdditiveScores` with a product instead of the small network."""

    def __init__(self, query_width: int, key_width: int, hidden_width: int) -> None:
        super().__init__()
        self.query = nn.Parameter(torch.empty(query_width, hidden_width))
        self.key = nn.Parameter(torch.empty(key_width, hidden_width))

    def compare(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return the scores (..., T, S) of queries (..., T, h) and keys (..., S, h) projected before."""
        return dot_product_scores(queries, keys) * queries.shape[-1] ** -0.5

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights so that projections have about the inputs' variance."""
        for weight in (self.query, self.key):
            weight.normal_(0.0, weight.shape[0] ** -0.5, generator=rng)


class RecurrentEncoderDecoder(EncoderDecoder):
    """A bidirectional GRU reads, a GRU writes, with one context vector or with attention.

    The state is the decoder's (B, H), then of the input: the context vector (B, C); or with attention
    lengths (B,), context vectors of all tokens (B, S, C) and keys (B, S, A).
    """

    def __init__(self, config: EncoderDecoderConfig) -> None:
        super().__init__()
        self.config = config
        c, e, h = config, config.embedding_size, config.hidden_size
        has_attention = c.attention != "none"
        self.cross_attention_shape = (1, 1) if has_attention else (0, 0)
        self.embedding = nn.Embedding(c.vocabulary_size, e)
        self.encoder = nn.GRU(e, c.encoder_size, batch_first=True, bidirectional=True)
        self.context = nn.Linear(2 * c.encoder_size, c.context_size)
        self.start = nn.Linear(c.context_size, h)
        self.scores: AdditiveScores | DotScores | None = None
        if has_attention:
            scores = AdditiveScores if c.attention == "additive" else DotScores
            self.scores = scores(h, 2 * c.encoder_size, c.attention_size)
        self.decoder = GRUCell(e + c.context_size, h)
        self.readout = nn.Linear(h + c.context_size + e, e)
        self.output_bias = nn.Parameter(torch.zeros(c.vocabulary_size))

    def encode(self, source: Tensor, lengths: Tensor, *, drop: Drop | None = None) -> State:
        """Read sentences; see `EncoderDecoder.encode`."""
        packed = pack_padded_sequence(
            self._embed(source, drop), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        states, last = self.encoder(packed)
        summary = torch.tanh(self.context(torch.cat([last[0], last[1]], -1)))  # (B, C)
        hidden = torch.tanh(self.start(summary))  # (B, H)
        if self.scores is None:
            return hidden, summary if drop is None else drop(summary)
        annotations, _ = pad_packed_sequence(states, batch_first=True)
        annotations = annotations if drop is None else drop(annotations)
        contexts = torch.tanh(self.context(annotations))
        return hidden, lengths.to(hidden.device), contexts, annotations @ self.scores.key

    def decode(
        self,
        tokens: Tensor,
        state: State,
        *,
        trace: bool = False,
        kept_heads: Tensor | None = None,
        drop: Drop | None = None,
    ) -> DecoderOutput:
        """Read tokens of the translation; see `EncoderDecoder.decode`."""
        hidden, *source = state
        embedded = self._embed(tokens, drop)
        size = self.config.embedding_size
        weight_embedded, weight_context = self.decoder.weight_ih.split(
            [size, self.config.context_size], 1
        )
        # Of the embeddings one product for all steps, of the contexts one for each.
        from_embedded = embedded @ weight_embedded.T + self.decoder.bias_ih
        hiddens, contexts, weights = [], [], []
        for now in from_embedded.unbind(1):
            context, alpha = self._context_vector(hidden, source)
            if kept_heads is not None:
                context = context * kept_heads[0, 0]
            (hidden,) = self.decoder.step(now + context @ weight_context.T, (hidden,)).state
            hiddens.append(hidden)
            contexts.append(context)
            weights.append(alpha)
        parts = torch.cat([torch.stack(hiddens, 1), torch.stack(contexts, 1), embedded], -1)
        out = torch.tanh(self.readout(parts))  # (B, T, E)
        out = out if drop is None else drop(out)
        logits = functional.linear(out, self.embedding.weight, self.output_bias)
        traced = None
        if trace and self.scores is not None:
            traced = torch.stack(weights, 1)[:, None, None]  # (B, 1, 1, T, S)
        return DecoderOutput(logits, (hidden, *source), traced)

    def _context_vector(self, hidden: Tensor, source: list[Tensor]) -> tuple[Tensor, Tensor]:
        """Return the context of the next step, (B, C), and the weights it was made with, (B, S)."""
        if self.scores is None:
            return source[0], source[0].new_ones(len(hidden), 1)
        lengths, contexts, keys = source
        queries = (hidden @ self.scores.query)[:, None]  # (B, 1, A)
        scores = self.scores.compare(queries, keys)  # (B, 1, S)
        visible = padding_mask(lengths, keys.shape[1])
        weights = masked_softmax(scores.masked_fill(~visible, float("-inf")))
        return (weights @ contexts)[:, 0], weights[:, 0]

    def _embed(self, tokens: Tensor, drop: Drop | None) -> Tensor:
        """Return vectors (B, T, E) with entries of about 1: as the output layer they are smaller."""
        embedded = self.embedding(tokens) * self.config.embedding_size**0.5
        return embedded if drop is None else drop(embedded)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights: recurrent matrices orthogonal, all else by the number of inputs."""
        self.embedding.weight.normal_(0.0, self.config.embedding_size**-0.5, generator=rng)
        for layer in (self.context, self.start, self.readout):
            layer.weight.normal_(0.0, layer.in_features**-0.5, generator=rng)
            layer.bias.zero_()
        for name, parameter in self.encoder.named_parameters():
            if name.startswith("bias"):
                parameter.zero_()
            elif name.startswith("weight_ih"):
                parameter.normal_(0.0, parameter.shape[1] ** -0.5, generator=rng)
            else:
                for block in parameter.chunk(3):
                    nn.init.orthogonal_(block, generator=rng)
        self.decoder.initialise(rng)
        draw_recurrence(self.decoder, "orthogonal", rng)
        if self.scores is not None:
            self.scores.initialise(rng)
        self.output_bias.zero_()
