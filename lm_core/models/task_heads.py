r"""A pretrained encoder with one linear layer on top: for a class, for a tag a token, or for a span.

The four uses of BERT are one model, whose last layer looks at different places:

- class of a text, or of a pair of texts: the mean of all vectors of the text, one score a class;
- tags: every vector, one score a tag;
- span: two scores a token, for being the first and for being the last of the answer.

BERT reads the class off ``[CLS]``, whose vector its guess about the next sentence trained. The encoder
here never had that task, so the mean is taken instead, as in Sentence-BERT.

References
----------
Devlin et al. 2019, "BERT", section 4. https://arxiv.org/abs/1810.04805
Reimers & Gurevych 2019, "Sentence-BERT", section 3. https://arxiv.org/abs/1908.10084
"""

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import SettingError, require_at_least_1
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.multi_head_attention import linear

SEQUENCE, TOKENS, SPAN = "sequence", "tokens", "span"
KINDS = (SEQUENCE, TOKENS, SPAN)
NOT_ASKED = -100
"""Target of a token that has none, as `torch.nn.functional.cross_entropy` ignores it."""


class TaskModel(nn.Module):
    """Encoder -> vectors of the places that are asked -> Linear.

    Parameters
    ----------
    encoder : MaskedLanguageModel, without its own output layer, which is left alone
    kind : str, of `KINDS`
    n_labels : int, classes or tags, K; 2 for a span: first and last token
    rng : torch.Generator, draws the new layer
    """

    def __init__(
        self, encoder: MaskedLanguageModel, kind: str, n_labels: int, rng: torch.Generator
    ) -> None:
        super().__init__()
        if kind not in KINDS:
            raise SettingError(f"kind must be one of {KINDS}, got {kind!r}")
        require_at_least_1(n_labels=n_labels)
        self.encoder, self.kind = encoder, kind
        self.head = nn.Linear(encoder.config.width, n_labels)
        with torch.no_grad():
            self.head.weight.normal_(0.0, 0.02, generator=rng)
            self.head.bias.zero_()
        self.head.to(encoder.embedding.weight.device)

    def forward(
        self, tokens: Tensor, lengths: Tensor, *, dtype: torch.dtype | None = None
    ) -> Tensor:
        """Return the logits of the labels.

        Parameters
        ----------
        tokens : int64 Tensor of shape (B, T)
            ``[CLS]``, a text, ``[SEP]``, perhaps a second text and ``[SEP]``, then ``[PAD]``.
        lengths : int64 Tensor of shape (B,), tokens that are not padding
        dtype : torch.dtype, of the encoder's arithmetic

        Returns
        -------
        float32 Tensor
            (B, K) for a class; (B, T, K) for tags; (B, 2, T) for a span, -inf where no answer can
            be: outside the second text.
        """
        hidden = self.encoder.hidden_states(tokens, lengths, dtype=dtype).float()
        if self.kind == SEQUENCE:
            inside = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]
            hidden = (hidden * inside[:, :, None]).sum(1) / lengths[:, None]
        logits = linear(self.head, hidden)
        if self.kind == SPAN:
            outside = ~second_text(tokens, self.encoder.config.separator_id)
            logits = logits.mT.masked_fill(outside[:, None], -torch.inf)
        return logits

    def used_parameters(self) -> Iterator[nn.Parameter]:
        """Yield the weights that the logits depend on, those that are fixed included."""
        unused = {id(weight) for weight in self.encoder.output.parameters()}
        return (weight for weight in self.parameters() if id(weight) not in unused)

    @property
    def learned_parameter_count(self) -> int:
        """Numbers that training changes."""
        return sum(weight.numel() for weight in self.used_parameters() if weight.requires_grad)


def second_text(tokens: Tensor, separator_id: int) -> Tensor:
    """Return which tokens lie between the first and the second separator, bool of shape (B, T)."""
    is_separator = tokens == separator_id
    return (is_separator.cumsum(1) == 1) & ~is_separator


def task_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross-entropy of everything that is asked, in nats.

    Parameters
    ----------
    logits : Tensor of shape (B, K), (B, T, K) or (B, 2, T), as `TaskModel` returns them
    targets : int64 Tensor of shape (B,), (B, T) or (B, 2)
        Class; tag or `NOT_ASKED`; places of the answer's first and last token.
    """
    return functional.cross_entropy(
        logits.flatten(0, -2), targets.flatten(), ignore_index=NOT_ASKED
    )


def best_labels(logits: Tensor, kind: str) -> Tensor:
    """Return the most likely label of each place, or the most likely span, as targets are written.

    The last token of a span never comes before its first: the best pair in that order is taken.
    """
    if kind != SPAN:
        return logits.argmax(-1)
    first, last = logits.unbind(1)
    scores = first[:, :, None] + last[:, None]  # (B, T, T)
    backwards = torch.ones_like(scores[0]).tril(-1).bool()
    best = scores.masked_fill(backwards, -torch.inf).flatten(1).argmax(1)
    n_places = scores.shape[2]
    return torch.stack([best // n_places, best % n_places], 1)


def right_answers(logits: Tensor, targets: Tensor, kind: str) -> Tensor:
    """Return which answers are right, bool: a text each, or for tags an asked token each."""
    is_right = best_labels(logits, kind) == targets
    if kind == TOKENS:
        return is_right[targets != NOT_ASKED]
    return is_right.all(1) if kind == SPAN else is_right
