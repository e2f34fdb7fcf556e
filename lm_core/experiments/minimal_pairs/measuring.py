"""Which sentence of a pair a model finds likelier."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from lm_core.analysis.surprisal import context_before, readable_text
from lm_core.experiments.minimal_pairs.benchmark import Kind, MinimalPair
from lm_core.experiments.minimal_pairs.by_word import TIED_BITS, bits_by_word
from lm_core.experiments.minimal_pairs.our_pairs import OUR_PAIRS, conditions, pairs_apart
from lm_core.experiments.minimal_pairs.results import (
    PHENOMENA,
    PUBLISHED,
    PUBLISHED_OVERALL,
    ApartScore,
    KindScore,
    MeanShare,
    MinimalPairResults,
    PairBits,
    Published,
)
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM, WordUnigram
from lm_core.experiments.neural_language_model.word_results import WordResults
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import folder_of, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of

_BATCH = 64


class Reader(NamedTuple):
    """A model that is asked which sentence it finds likelier."""

    name: str
    nats: Callable[[Sequence[str]], np.ndarray]
    """Minus the logarithm of each sentence's probability, float64 of shape (N,)."""
    bits_by_word: Callable[[str], tuple[float, ...]]


def reader_of(name: str) -> Reader:
    """Return the model of a shipped name or a folder, or the one that counts single words."""
    if name == UNIGRAM:
        bits_of = WordUnigram(WordResults.load().vocabulary).bits_by_word
        return Reader(
            name, lambda texts: math.log(2.0) * np.array([sum(bits_of(t)) for t in texts]), bits_of
        )
    model, meta = load_checkpoint(folder_of(name))
    vocabulary = vocabulary_of(meta)

    def nats(sentences: Sequence[str]) -> np.ndarray:
        return sentence_nats(model, vocabulary, [readable_text(s, vocabulary) for s in sentences])

    def by_word(sentence: str) -> tuple[float, ...]:
        return bits_by_word(model, vocabulary, readable_text(sentence, vocabulary))

    return Reader(meta.name, nats, by_word)


def score_models(
    names: Sequence[str], kinds: Sequence[Kind], provenance: dict[str, Any]
) -> MinimalPairResults:
    """Return what models get right of kinds of pairs and of our own."""
    readers = [reader_of(name) for name in names]
    return MinimalPairResults(
        provenance,
        tuple(score for reader in readers for score in score_kinds(reader, kinds)),
        tuple(pair for reader in readers for pair in score_ours(reader)),
        tuple(score for reader in readers for score in score_apart(reader)),
    )


def score_kinds(reader: Reader, kinds: Sequence[Kind]) -> list[KindScore]:
    """Return how many pairs of each kind a model gets right."""
    return [
        KindScore(
            reader.name,
            kind.name,
            kind.phenomenon,
            share_right(reader, kind.pairs),
            len(kind.pairs),
        )
        for kind in kinds
    ]


def score_ours(reader: Reader) -> list[PairBits]:
    """Return what each word of our own pairs surprises a model by."""
    return [
        PairBits(reader.name, pair.good, *map(reader.bits_by_word, pair))
        for pairs in OUR_PAIRS.values()
        for pair in pairs
    ]


def score_apart(reader: Reader) -> list[ApartScore]:
    """Return how many pairs a model gets right, by what stands between subject and verb."""
    found = []
    for between, words in conditions():
        pairs = pairs_apart(between, words)
        found.append(
            ApartScore(reader.name, between, words, share_right(reader, pairs), len(pairs))
        )
    return found


def table(new: MinimalPairResults) -> Iterator[str]:
    """Yield a line for each phenomenon: models that were scored, then the paper's, then people; then our pairs."""
    if new.models:
        found = [new.by_phenomenon(name) for name in new.models]
        yield _row("", [*new.models, *Published._fields])
        for name, title in PHENOMENA.items():
            if ours := [shares[name] for shares in found if name in shares]:
                yield _row(title, [*map(_share, ours), *map("{:.1%}".format, PUBLISHED[name])])
        overall = [_share(new.overall(name)) for name in new.models]
        yield _row("all kinds", [*overall, *map("{:.1%}".format, PUBLISHED_OVERALL)])
    by_place = {(s.model, s.between, s.words): s for s in new.apart}
    names = list(dict.fromkeys(s.model for s in new.apart))
    yield _row("between subject and verb", names)
    for between, words in conditions():
        apart = [_share(by_place[name, between, words]) for name in names]
        yield _row(f"{words} words, {between}", apart)


def _share(share: MeanShare | ApartScore) -> str:
    return f"{share.right:.1%} ± {share.standard_error:.1%}"


def _row(title: str, cells: Sequence[str]) -> str:
    return f"{title:<28}" + "".join(f"{cell:>26}" for cell in cells)


def share_right(reader: Reader, pairs: Sequence[MinimalPair]) -> float:
    """Return the share of pairs whose grammatical sentence the model finds likelier; a tie is half a pair.

    Examples are the pairs that a vocabulary cannot tell apart, and any two orders of the same words for a
    model that does not know about order. Counted as right they would make such a model good at grammar.
    """
    good, bad = reader.nats([sentence for pair in pairs for sentence in pair]).reshape(-1, 2).T
    is_tied = np.abs(good - bad) < TIED_BITS * math.log(2.0)
    return round(float(np.where(is_tied, 0.5, good < bad).mean()), 4)


@torch.no_grad()
def sentence_nats(
    model: LanguageModel, vocabulary: CharacterVocabulary, texts: Sequence[str]
) -> np.ndarray:
    """Return minus the logarithm of each text's probability, at the beginning of a paragraph.

    The result: ndarray of float64, shape (number of texts,).

    Parameters
    ----------
    model : LanguageModel, in evaluation mode
    vocabulary : CharacterVocabulary, of the model
    texts : sequence of str, as `lm_core.analysis.surprisal.readable_text` returns them
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
