"""Labelled texts as the encoder reads them: one or two texts between symbols, and what is to be found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from lm_core.errors import TextError
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.models.task_heads import NOT_ASKED


class LabelledTexts(NamedTuple):
    """Texts side by side, with their targets."""

    tokens: Tensor
    """int64, of shape (N, T)."""
    lengths: Tensor
    """int64, of shape (N,)."""
    targets: Tensor
    """int64, of shape (N,), (N, T) or (N, 2). As `lm_core.models.task_heads.task_loss` wants
    them."""

    def take(self, chosen: Tensor) -> "LabelledTexts":
        """Return some of them by number, int64 (M,), with no more padding than they need."""
        lengths, targets = self.lengths[chosen], self.targets[chosen]
        longest = int(lengths.max()) if len(chosen) else 0
        is_by_token = targets.dim() == 2 and targets.shape[1] == self.tokens.shape[1]
        targets = targets[:, :longest] if is_by_token else targets
        return LabelledTexts(self.tokens[chosen, :longest], lengths, targets)

    def first(self, n: int) -> "LabelledTexts":
        """Return the first n."""
        return self.take(torch.arange(min(n, len(self.lengths))))


@dataclass(frozen=True)
class Task:
    """Labelled texts to learn from, and others to be tried on."""

    labels: tuple[str, ...]
    """Classes or tags; the two ends of a span."""
    training: LabelledTexts
    test: LabelledTexts
    """`training` and `test`: both in random order."""
    baselines: dict[str, float]
    """Accuracy on the test texts of rules that read nothing, or little: by what they do."""


def between_separators(
    texts: Sequence[Sequence[int]], config: MaskedLanguageModelConfig
) -> list[int]:
    """Return one or two texts as the encoder reads them: ``[CLS]``, text, ``[SEP]``, text, ``[SEP]``.

    Raises TextError if they are longer than the encoder's longest text.
    """
    tokens = [config.first_id]
    for text in texts:
        tokens += [*text, config.separator_id]
    if len(tokens) > config.longest:
        raise TextError(
            f"a text may have at most {config.longest} subwords here, the symbols around it included,"
            f" got {len(tokens)}: shorten it"
        )
    return tokens


def labelled_texts(
    tokens: Sequence[Sequence[int]],
    targets: Sequence[int] | Sequence[Sequence[int]],
    config: MaskedLanguageModelConfig,
) -> LabelledTexts:
    """Put texts side by side; targets by token get `NOT_ASKED` where the text has ended.

    Parameters
    ----------
    tokens : sequence of N sequences of int, as `between_separators` returns them
    targets : sequence of N
        A class each; or a sequence each, as long as the text for tags, of two places for a span.
    """
    rows = [torch.tensor(list(row)) for row in tokens]
    found = [torch.tensor(target) for target in targets]
    is_class = not found or found[0].dim() == 0
    return LabelledTexts(
        pad_sequence(rows, batch_first=True, padding_value=config.padding_id),
        torch.tensor([len(row) for row in rows]),
        torch.stack(found) if is_class else pad_sequence(found, True, NOT_ASKED),
    )
