"""Which sentence of a pair a model finds likelier."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from lm_core.analysis.surprisal import context_before, readable_text
from lm_core.experiments.minimal_pairs.benchmark import Kind, MinimalPair
from lm_core.experiments.minimal_pairs.results import (
    PHENOMENA,
    PUBLISHED,
    PUBLISHED_OVERALL,
    KindScore,
    MeanShare,
    MinimalPairResults,
    Published,
)
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import folder_of, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of

_BATCH = 64
_ROUNDING = 1e-4
"""Nats by which the same score may differ when it is summed in another order."""


def score_kinds(name: str, kinds: Sequence[Kind]) -> list[KindScore]:
    """Return how many pairs of each kind a model, by shipped name or folder, gets right."""
    model, meta = load_checkpoint(folder_of(name))
    vocabulary = vocabulary_of(meta)
    shares = [round(share_right(model, vocabulary, kind.pairs), 4) for kind in kinds]
    return [
        KindScore(meta.name, kind.name, kind.phenomenon, right, len(kind.pairs))
        for kind, right in zip(kinds, shares, strict=True)
    ]


def table(results: MinimalPairResults, models: Sequence[str]) -> Iterator[str]:
    """Yield a line for each phenomenon: models that were scored, then the paper's, then people."""
    found = [results.by_phenomenon(name) for name in models]
    yield f"{'':<28}" + "".join(f"{name:>26}" for name in [*models, *Published._fields])
    for name, title in PHENOMENA.items():
        if ours := [shares[name] for shares in found if name in shares]:
            yield _row(title, ours, PUBLISHED[name])
    yield _row("all kinds", [results.overall(name) for name in models], PUBLISHED_OVERALL)


def _row(title: str, ours: Sequence[MeanShare], theirs: Published) -> str:
    shares = [f"{share.right:.1%} ± {share.standard_error:.1%}" for share in ours]
    return f"{title:<28}" + "".join(f"{s:>26}" for s in [*shares, *(f"{t:.1%}" for t in theirs)])


def share_right(
    model: LanguageModel, vocabulary: CharacterVocabulary, pairs: Sequence[MinimalPair]
) -> float:
    """Return the share of pairs whose grammatical sentence the model finds likelier; a tie is half a pair.

    Examples are the pairs that a vocabulary cannot tell apart, and any two orders of the same words for a
    model that does not know about order. Counted as right they would make such a model good at grammar.
    """
    texts = [readable_text(sentence, vocabulary) for pair in pairs for sentence in pair]
    good, bad = sentence_nats(model, vocabulary, texts).reshape(-1, 2).T
    is_tied = np.abs(good - bad) < _ROUNDING
    return float(np.where(is_tied, 0.5, good < bad).mean())


@torch.no_grad()
def sentence_nats(
    model: LanguageModel, vocabulary: CharacterVocabulary, texts: Sequence[str]
) -> np.ndarray:
    """Return minus the logarithm of each text's probability, at the beginning of a paragraph.

    Parameters
    ----------
    model : LanguageModel, in evaluation mode
    vocabulary : CharacterVocabulary, of the model
    texts : sequence of str, as `lm_core.analysis.surprisal.readable_text` returns them

    Returns
    -------
    ndarray of float64, shape (number of texts,)
    """
    before = context_before(vocabulary)
    rows = [torch.from_numpy(np.concatenate([before, vocabulary.encode(text)])) for text in texts]
    nats = np.empty(len(rows))
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    for start in range(0, len(rows), _BATCH):
        places = order[start : start + _BATCH]
        nats[places] = _batch_nats(model, [rows[i] for i in places], len(before)).numpy()
    return nats


def _batch_nats(model: LanguageModel, rows: list[Tensor], n_before: int) -> Tensor:
    """Return the loss of each row after its first tokens; what fills up the shorter ones comes last."""
    read = pad_sequence(rows, batch_first=True)
    logits, _ = model(read[:, :-1], model.initial_state(len(rows)))
    losses = functional.cross_entropy(logits.mT, read[:, 1:], reduction="none").double()
    places = torch.arange(1, read.shape[1])
    ends = torch.tensor([len(row) for row in rows])
    return losses.where((places >= n_before) & (places < ends[:, None]), 0.0).sum(1)
