"""What each model costs on the held-out characters, carried through and with little to look back at."""

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch

from lm_core.errors import SettingError
from lm_core.experiments.model_ladder.families import MIXTURE, NGRAM, family_of, models_to_score
from lm_core.experiments.model_ladder.results import CONTEXTS, LadderResults, Rung
from lm_core.models.language_model import LanguageModel
from lm_core.models.ngram import estimate
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import Book, load_book
from lm_core.training.checkpoints import CheckpointMeta, load_shipped
from lm_core.training.evaluation import (
    BLOCK,
    carried_losses,
    mixed_losses,
    per_character,
    score,
    short_context_losses,
)
from lm_core.training.model_vocabulary import vocabulary_of

COUNTED = tuple(f"ngram-{k}" for k in (0, 1, 2, 3, 4, 5, 7, 9))
"""n-grams with all their counts, by the characters that they look back at."""

MIXED = {f"{name}+ngram-9": (name, "ngram-9") for name in ("book-lstm", "source-lstm")}
WEIGHT = 0.6
"""Of the network in a mixture, as the War and Peace results have it."""

_LEAD = 20
"""Characters at the start that nobody is scored on: a first token of several has no prediction."""

_DIGITS = 5


class Losses(NamedTuple):
    """What a model needed, in nats."""

    carried: np.ndarray
    """Of shape (N,). Of each held-out character from `_LEAD` on."""
    by_context: tuple[np.ndarray, ...]
    """Tuple of ndarray of shape (P,). Of each place, for each of the longest `CONTEXTS`, into
    which every token goes."""


_Scored = tuple[dict[str, Any], Losses]


def not_scored(kept: LadderResults) -> list[str]:
    """Return the names of all that could be scored and are not."""
    scored = {rung.name for rung in kept.rungs}
    trained = [meta.name for meta in kept.missing(models_to_score())]
    return [*trained, *(name for name in (*COUNTED, *MIXED) if name not in scored)]


class Ladder:
    """Scores models on the held-out characters, each of them once."""

    def __init__(self, n_characters: int | None, n_places: int) -> None:
        self.began = time.perf_counter()
        self.book = load_book(SOURCE)
        self._n = len(_held_out(self.book)[:n_characters])
        self._metas = {meta.name: meta for meta in models_to_score()}
        self._facts: dict[str, dict[str, Any]] = {}
        self._losses: dict[str, Losses] = {}
        places = torch.randperm(self._n - CONTEXTS[-1], generator=generator(0))[:n_places]
        self._places = places.sort().values + CONTEXTS[-1]

    def rung(self, name: str) -> Rung:
        """Return the rung of a model; raises SettingError if there is none of that name."""
        losses = self.losses(name)
        whole = losses.carried[: len(losses.carried) // BLOCK * BLOCK]
        return Rung(
            name=name,
            **self._facts[name],
            loss=_rounded(score(losses.carried).nats),
            blocks=tuple(map(_rounded, whole.reshape(-1, BLOCK).mean(1))),
            by_context=tuple(_rounded(part.mean()) for part in losses.by_context),
        )

    def losses(self, name: str) -> Losses:
        """Return what a model needs; `rung` has what can go wrong."""
        if name not in self._losses:
            if name in MIXED:
                self._facts[name], self._losses[name] = self._mixed(*MIXED[name])
            elif name in COUNTED:
                self._facts[name], self._losses[name] = self._counted(name)
            elif name in self._metas:
                self._facts[name], self._losses[name] = self._trained(self._metas[name])
            else:
                known = ", ".join((*self._metas, *COUNTED, *MIXED))
                raise SettingError(f"{name!r} cannot be scored: choose among {known}")
        return self._losses[name]

    def _trained(self, meta: CheckpointMeta) -> _Scored:
        model = load_shipped(meta.name).model
        facts = {
            "title": meta.title,
            "family": family_of(meta),
            "parameters": meta.parameter_count,
            "characters_seen": meta.characters_seen,
            "seconds": meta.seconds,
            "weights_sha256": meta.weights_sha256,
        }
        vocabulary = vocabulary_of(meta)
        book = self.book if vocabulary == self.book.vocabulary else load_book(vocabulary)
        return facts, self._measured(meta.name, model, book)

    def _counted(self, name: str) -> _Scored:
        n_context = int(name.removeprefix("ngram-"))
        began = time.process_time()
        model = estimate(self.book.train, len(SOURCE), n_context)
        facts = {
            "title": _title(n_context),
            "family": NGRAM,
            "parameters": sum(model.config.entries),
            "characters_seen": len(self.book.train),
            "seconds": round(time.process_time() - began, 1),
            "weights_sha256": "",
        }
        return facts, self._measured(name, model, self.book)

    def _mixed(self, first: str, second: str) -> _Scored:
        parts = (self.losses(first), self.losses(second))
        mix = partial(mixed_losses, weight=WEIGHT)
        mixed = Losses(
            mix(*(part.carried for part in parts)),
            tuple(mix(*pair) for pair in zip(*(part.by_context for part in parts), strict=True)),
        )
        both = [self._facts[first], self._facts[second]]
        facts = {
            "title": f"{both[0]['title']} mixed with the n-gram",
            "family": MIXTURE,
            "parameters": sum(facts["parameters"] for facts in both),
            "characters_seen": max(facts["characters_seen"] for facts in both),
            "seconds": sum(facts["seconds"] for facts in both),
            "weights_sha256": "",
        }
        return facts, mixed

    def _measured(self, name: str, model: LanguageModel, book: Book) -> Losses:
        tokens = torch.from_numpy(_held_out(book))
        lengths = book.vocabulary.lengths[tokens.numpy()]
        n_tokens = int(np.searchsorted(lengths.cumsum(), self._n)) + 1
        tokens, lengths = tokens[:n_tokens], lengths[:n_tokens]
        losses = carried_losses(model, tokens, on_progress=_progress(name, "the whole"))
        # Character by character, those of the first token left out.
        losses = per_character(losses, lengths[1:])[_LEAD - lengths[0] : self._n - lengths[0]]
        by_context = []
        for context in CONTEXTS:
            if context >= max(book.vocabulary.lengths):
                _progress(name, str(context))(0.0)
                by_context.append(self._with_context(context, model, tokens, lengths))
        return Losses(losses, tuple(by_context))

    def _with_context(
        self, context: int, model: LanguageModel, tokens: torch.Tensor, lengths: np.ndarray
    ) -> np.ndarray:
        """Return what each place costs a model that sees the tokens within so many characters."""
        starts = lengths.cumsum() - lengths
        predicted = np.searchsorted(starts, self._places.numpy(), side="right") - 1
        n_seen = predicted - np.searchsorted(starts, starts[predicted] - context)
        losses = np.empty(len(predicted))
        for n in np.unique(n_seen):
            alike = n_seen == n
            losses[alike] = short_context_losses(
                model, tokens, torch.from_numpy(predicted[alike]), int(n)
            )
        return losses / lengths[predicted]


def _title(n_context: int) -> str:
    """Return the title of an n-gram with all its counts."""
    if not n_context:
        return "unigram"
    return f"n-gram, {n_context} character{'s' * (n_context > 1)}, all counts"


def _held_out(book: Book) -> np.ndarray:
    return book.ids[book.split : book.licence_start]


def _rounded(value: float) -> float:
    return round(float(value), _DIGITS)


def _progress(name: str, what: str) -> Callable[[float], None]:
    def report(share: float) -> None:
        sys.stderr.write(f"\r{name}, {what}: {share:4.0%} ")

    return report
