"""Every head of a model by numbers: its patterns, how sharp it is, and what it does on repeated tokens."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lm_core.analysis.attention_trace import TransformerTrace, entropies, trace_attention
from lm_core.analysis.head_patterns import HeadPattern, find_head_patterns
from lm_core.analysis.repeated_tokens import RepetitionScores, score_repetition
from lm_core.errors import ResultError
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import Results, results_path
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary

NAME = "attention"
SHIPPED = results_path(NAME)
WINDOW = 128
"""Tokens of each piece of text that is read, from an empty memory."""

INDUCTION_SCORE = "token after the same random token"
SAME_SCORE = "same random token earlier"
_MOST_REPEATED, _SEQUENCES = 50, 32


@dataclass(frozen=True)
class HeadScores:
    """All heads of one model.

    Attributes
    ----------
    model, weights_sha256 : str
        From its provenance.
    steps : int
        Of its training.
    patterns : tuple of HeadPattern
        On the text, and, called `INDUCTION_SCORE` and `SAME_SCORE`, on random tokens that come twice;
        there the control is the same positions of tokens that do not.
    entropy_bits : tuple of tuple of float
        Mean entropy of a row of each head, layers rows of H.
    largest_scores : tuple of tuple of float
        Largest size of a scaled score of each head.
    repetition_losses : tuple of (float, float)
        Mean nats per token of the first and of the second reading of random tokens.
    """

    model: str
    weights_sha256: str
    steps: int
    patterns: tuple[HeadPattern, ...]
    entropy_bits: tuple[tuple[float, ...], ...]
    largest_scores: tuple[tuple[float, ...], ...]
    repetition_losses: tuple[float, float]

    def best(self, pattern: str) -> HeadPattern | None:
        """Return the head that follows a pattern most, beyond its controls; None if none was scored."""
        found = [p for p in self.patterns if p.pattern == pattern]
        return max(found, key=lambda p: p.excess, default=None)


def score_heads(
    model: TransformerLanguageModel, vocabulary: CharacterVocabulary, tokens: Tensor
) -> dict[str, Any]:
    """Return the fields of a `HeadScores` that are measured.

    Parameters
    ----------
    model : TransformerLanguageModel
    vocabulary : CharacterVocabulary
        The model's.
    tokens : int64 Tensor of shape (n windows, T)
        Pieces of text, each read from an empty memory.
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
        "patterns": (*patterns, *_as_patterns(repetition, min(_MOST_REPEATED, longest))),
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


def save_head_scores(path: Path, scores: list[HeadScores], provenance: dict[str, Any]) -> None:
    """Write the scores of some models as one results file."""
    rows = [[of.model, *map(_rounded, pattern)] for of in scores for pattern in of.patterns]
    models = [{n: v for n, v in asdict(of).items() if n != "patterns"} for of in scores]
    Results(NAME, provenance, {"models": models, "patterns": rows}).save(path)


def _rounded(value: object) -> object:
    return round(value, 4) if isinstance(value, float) else value


def load_head_scores(path: Path = SHIPPED) -> dict[str, HeadScores]:
    """Read what `save_head_scores` wrote, by the model's name.

    Raises
    ------
    ResultError
        If the file is missing, damaged or another experiment's.
    """
    data = Results.load(path, NAME).data
    try:
        patterns: dict[str, list[HeadPattern]] = {of["model"]: [] for of in data["models"]}
        for model, *fields in data["patterns"]:
            patterns[model].append(HeadPattern(*fields))
        return {
            of["model"]: HeadScores(
                **{n: v for n, v in of.items() if not isinstance(v, list)},
                patterns=tuple(patterns[of["model"]]),
                entropy_bits=tuple(map(tuple, of["entropy_bits"])),
                largest_scores=tuple(map(tuple, of["largest_scores"])),
                repetition_losses=tuple(of["repetition_losses"]),
            )
            for of in data["models"]
        }
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(
            f"{path.name} must hold the scores of attention heads: {error}"
        ) from error
