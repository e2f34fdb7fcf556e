"""Every head of a model by numbers: its patterns, how sharp it is, and what it does on repeated tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lm_core.analysis.attention_trace import TransformerTrace, entropies, trace_attention
from lm_core.analysis.head_patterns import HeadPattern, find_head_patterns
from lm_core.analysis.repeated_tokens import RepetitionScores, score_repetition
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.results import Count, NonNegative, Recorded
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.training_text import load_book
from lm_core.training import checkpoints
from lm_core.training.checkpoints import list_checkpoints, load_checkpoint, read_meta
from lm_core.training.model_vocabulary import vocabulary_of

WINDOW = 128
"""Tokens of each piece of text that is read, from an empty memory."""

HELD_OUT = 0.05
"""Last share of the training text that is read: what recipes hold out until the last fifth of the steps."""

INDUCTION_SCORE = "token after the same random token"
SAME_SCORE = "same random token earlier"
_MOST_REPEATED, _SEQUENCES = 50, 32


@dataclass(frozen=True)
class HeadScores:
    """All heads of one model.

    Of the patterns those called `INDUCTION_SCORE` and `SAME_SCORE` are on random tokens that come twice;
    there the control is the same positions of tokens that do not.
    """

    model: str
    weights_sha256: str  # from its provenance
    steps: Count  # of its training
    patterns: tuple[HeadPattern, ...]
    entropy_bits: tuple[tuple[NonNegative, ...], ...]  # mean of a row, by layer and head
    largest_scores: tuple[tuple[NonNegative, ...], ...]  # largest size of a scaled score, likewise
    repetition_losses: tuple[NonNegative, NonNegative]
    """Nats per random token, first and second time."""

    def lines(self) -> Iterator[str]:
        """Yield what a person is told: how sharp the heads are, and the best head of each pattern."""
        entropy, largest = torch.tensor(self.entropy_bits), torch.tensor(self.largest_scores)
        once, again = self.repetition_losses
        yield (
            f"{self.model}, {self.steps:,} steps: entropy {entropy.mean():.2f} bits"
            f" ({entropy.min():.2f} to {entropy.max():.2f}), largest score {largest.max():.1f}"
            f" (median head {largest.median():.1f}); random tokens {once:.2f} nats, again {again:.2f}"
        )
        for pattern in dict.fromkeys(p.pattern for p in self.patterns):
            if best := self.best(pattern):
                shuffled = "" if best.shuffled_share is None else f"{best.shuffled_share:9.3f}"
                yield (
                    f"  {pattern:<40}{best.layer + 1}.{best.head + 1}{best.share:9.3f}{shuffled:>9}"
                    f"{best.uniform_share:9.3f}{best.n_tokens:8d}"
                )

    def best(self, pattern: str) -> HeadPattern | None:
        """Return the head that follows a pattern most, beyond its controls; None if none was scored."""
        found = [p for p in self.patterns if p.pattern == pattern]
        return max(found, key=lambda p: p.excess, default=None)


@dataclass(frozen=True)
class HeadResults(Recorded, name="attention"):
    """The heads of all models."""

    models: dict[str, HeadScores]  # by name


def score_heads(
    model: TransformerLanguageModel, vocabulary: CharacterVocabulary, tokens: Tensor
) -> dict[str, Any]:
    """Return the fields of a `HeadScores` that are measured.

    Parameters
    ----------
    vocabulary : CharacterVocabulary, the model's
    tokens : int64 Tensor of shape (n windows, T), pieces of text, each read from an empty memory
    """
    traces = [trace_attention(model, window) for window in tokens]
    patterns = find_head_patterns(
        (trace.weights, vocabulary.spell(trace.tokens.numpy())) for trace in traces
    )
    longest = min(model.config.context // 2, (model.config.vocabulary_size - 1) // 2)
    repetition = score_repetition(
        model, generator(0), length=min(_MOST_REPEATED, longest), n_sequences=_SEQUENCES
    )
    entropy = torch.stack([entropies(trace.weights).mean(-1) for trace in traces]).mean(0)
    largest = torch.stack([_largest_scores(trace) for trace in traces]).amax(0)
    return {
        "patterns": tuple(
            map(_rounded, (*patterns, *_as_patterns(repetition, min(_MOST_REPEATED, longest))))
        ),
        "entropy_bits": _as_rows(entropy),
        "largest_scores": _as_rows(largest),
        "repetition_losses": repetition.losses,
    }


def _largest_scores(trace: TransformerTrace) -> Tensor:
    """Return the size of each head's largest scaled score that is not masked, (layers, H)."""
    visible = [layer.attention.masked_scores for layer in trace.layers]
    return torch.stack(
        [scores.masked_fill(scores.isinf(), 0.0).abs().amax((-2, -1)) for scores in visible]
    )


def _as_rows(values: Tensor) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(value, 4) for value in row) for row in values.tolist())


def _as_patterns(scores: RepetitionScores, length: int) -> list[HeadPattern]:
    queries = range(length, 2 * length)
    chance = sum(1 / (query + 1) for query in queries) / length
    n_tokens = _SEQUENCES * length
    return [
        HeadPattern(
            layer,
            head,
            name,
            float(found[layer, head]),
            float(control[layer, head]),
            chance,
            n_tokens,
        )
        for name, found, control in (
            (INDUCTION_SCORE, scores.induction, scores.induction_control),
            (SAME_SCORE, scores.same_token, scores.same_token_control),
        )
        for layer in range(found.shape[0])
        for head in range(found.shape[1])
    ]


def _rounded(pattern: HeadPattern) -> HeadPattern:
    shuffled = pattern.shuffled_share
    return pattern._replace(
        share=round(pattern.share, 4),
        shuffled_share=None if shuffled is None else round(shuffled, 4),
        uniform_share=round(pattern.uniform_share, 4),
    )


def shipped_transformers() -> list[Path]:
    """Return the folders of the shipped transformers of the book, and of their snapshots."""
    family = TransformerLanguageModelConfig.__name__
    return [
        checkpoints.SHIPPED / meta.name
        for meta in list_checkpoints()
        if meta.config["family"] == family and meta.experiment is None
    ]


def score_model(folder: Path, n_windows: int) -> HeadScores:
    """Score the heads of a checkpoint on so many windows of the text that recipes hold out."""
    meta, vocabulary = read_meta(folder), vocabulary_of(read_meta(folder))
    train = load_book(vocabulary).train
    held_out = torch.from_numpy(train[len(train) - int(HELD_OUT * len(train)) :])
    window = min(WINDOW, meta.config["context"])
    tokens = held_out[: n_windows * window].view(-1, window)
    measured = score_heads(load_checkpoint(folder).model, vocabulary, tokens)
    return HeadScores(meta.name, meta.weights_sha256, meta.steps, **measured)
