"""Whole texts: two gaps filled together, sentences read backwards, and what Gibbs sampling writes."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch

from lm_core.analysis.gaps import AT_ONCE, CERTAIN_FIRST, LEFT_FIRST, covered, fill_gaps
from lm_core.analysis.pseudo_log_likelihood import pseudo_log_likelihoods
from lm_core.analysis.surprisal import score_text, shuffled_words
from lm_core.generation.gibbs import gibbs_sampling
from lm_core.models.language_model import LanguageModel
from lm_core.models.masked_language_model import MaskedLanguageModel, gap_probabilities
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.whole_words import SubwordText, backwards, read_subwords

_MOST = 120


class PairScore(NamedTuple):
    """Two neighbouring words covered together, and filled in one way."""

    order: str
    """Of `lm_core.analysis.gaps`."""
    pairs: int
    both_right: float
    """Share of pairs of which both words were found."""
    bits: float | None
    """Mean surprisal of the true pair; None where the order depends on what is found."""


def score_pairs(
    model: MaskedLanguageModel, texts: Sequence[SubwordText], n: int, *, seed: int = 0
) -> list[PairScore]:
    """Cover n pairs of neighbouring words of one subword each, one pair a text."""
    rng, mask_id = generator(seed), model.config.mask_id
    right = dict.fromkeys((AT_ONCE, LEFT_FIRST, CERTAIN_FIRST), 0)
    nats = dict.fromkeys((AT_ONCE, LEFT_FIRST), 0.0)
    n_pairs = 0
    for text in texts:
        pairs = [
            (a.start, b.start)
            for a, b in zip(text.words, text.words[1:], strict=False)
            if len(a) == len(b) == 1
            and all(text.spelled[w.start].strip().isalpha() for w in (a, b))
        ]
        if not pairs or n_pairs == n:
            continue
        gaps = pairs[int(torch.randint(len(pairs), (), generator=rng))]
        tokens, n_pairs = torch.from_numpy(text.ids), n_pairs + 1
        for order in right:
            right[order] += bool((fill_gaps(model, tokens, gaps, order).tokens == tokens).all())
        alone = gap_probabilities(model, covered(tokens, gaps, mask_id)[None], torch.tensor([gaps]))
        known = gap_probabilities(
            model, covered(tokens, gaps[1:], mask_id)[None], torch.tensor([gaps[1:]])
        )
        first, second = alone[0, 0, tokens[gaps[0]]], alone[0, 1, tokens[gaps[1]]]
        nats[AT_ONCE] -= float(first.log() + second.log())
        nats[LEFT_FIRST] -= float(first.log() + known[0, 0, tokens[gaps[1]]].log())
    return [
        PairScore(
            order,
            n_pairs,
            round(right[order] / n_pairs, 4),
            round(nats[order] / n_pairs / math.log(2.0), 4) if order in nats else None,
        )
        for order in right
    ]


AS_WRITTEN, BACKWARDS, SHUFFLED = "as written", "backwards", "shuffled"


class OrderScore(NamedTuple):
    """Sentences with their words in some order: mean bits a word, from the left and from both sides."""

    order: str
    sentences: int
    left_bits: float
    both_bits: float


def score_orders(
    model: MaskedLanguageModel,
    causal: LanguageModel,
    vocabulary: CharacterVocabulary,
    texts: Sequence[SubwordText],
) -> list[OrderScore]:
    """Read sentences as they are written, backwards, and with their words shuffled."""
    lines = ["".join(text.spelled).strip() for text in texts]
    arranged = {
        AS_WRITTEN: lines,
        BACKWARDS: [backwards(line) for line in lines],
        SHUFFLED: [shuffled_words(line, seed) for seed, line in enumerate(lines)],
    }
    scores = []
    for order, sentences in arranged.items():
        n_words, left, both = 0, 0.0, 0.0
        for sentence in sentences:
            text = read_subwords(sentence, vocabulary, _MOST)
            n_words += len(sentence.split())
            left += float(score_text(causal, sentence, vocabulary).surprisal.sum())
            both -= float(
                pseudo_log_likelihoods(model, torch.from_numpy(text.ids), text.words).sum()
            ) / math.log(2.0)
        scores.append(
            OrderScore(order, len(sentences), round(left / n_words, 4), round(both / n_words, 4))
        )
    return scores


class SweepScore(NamedTuple):
    """Chains of Gibbs sampling after so many sweeps."""

    sweep: int
    bits: float
    """Mean bits a character that the causal model needs for the texts."""
    low: float
    high: float
    """`low` and `high`: quarter points of the chains."""


def score_gibbs(
    model: MaskedLanguageModel,
    causal: LanguageModel,
    vocabulary: CharacterVocabulary,
    *,
    chains: int,
    tokens: int,
    sweeps: int,
    on_progress: Callable[[float], None] | None = None,
) -> list[SweepScore]:
    """Draw texts from nothing but masks, and let the causal model score them after every sweep."""
    bits = np.empty((chains, sweeps))
    begin = [*vocabulary.encode("\n").tolist(), *[model.config.mask_id] * tokens]
    for chain in range(chains):
        steps = gibbs_sampling(model, begin, range(1, tokens + 1), rng=generator(chain))
        for step, made in zip(range(1, sweeps * tokens + 1), steps, strict=False):
            if step % tokens == 0:
                bits[chain, made.sweep - 1] = bits_of(causal, vocabulary, made.tokens[1:])
        if on_progress:
            on_progress((chain + 1) / chains)
    quarters = np.quantile(bits, (0.25, 0.75), axis=0)
    return [
        SweepScore(i + 1, *(round(float(v), 4) for v in values))
        for i, values in enumerate(zip(bits.mean(0), *quarters, strict=True))
    ]


def bits_of(causal: LanguageModel, vocabulary: CharacterVocabulary, tokens: Sequence[int]) -> float:
    """Return the bits a character that a causal model needs for a text at a paragraph's beginning."""
    ids = np.concatenate([vocabulary.encode("\n"), np.array(tokens, np.int64)])
    text = torch.from_numpy(ids)
    with torch.no_grad():
        logits, _ = causal(text[None, :-1], causal.initial_state(1))
    nats = torch.nn.functional.cross_entropy(logits[0], text[1:], reduction="sum").item()
    return nats / math.log(2.0) / float(vocabulary.lengths[ids[1:]].sum())
