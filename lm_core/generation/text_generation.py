"""A text in the making: written by a model, one character at a time, under somebody's hand.

A `TextGeneration` is what the page and the command line share. Which character comes i-th depends on the
seed's i-th random number alone, however the writing is cut into calls, and a rewound generation goes
on as it went before.
"""

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.generation.decoder import Decoder, decoder_for
from lm_core.generation.logit_transforms import next_mu
from lm_core.generation.prompts import checked_prompt, default_prompt
from lm_core.generation.sampling import (
    ChainTrace,
    SamplingSettings,
    draw,
    entropy_bits,
    first_mu,
    next_probabilities,
    run_chain,
)
from lm_core.models.language_model import LanguageModel
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary

_SNAPSHOT_EVERY = 64  # characters, at least, between two kept states; a rewind reads them again
_SNAPSHOT_BYTES = (
    8_192  # at most, for each character: the keys and values of a transformer are large
)
_UNIFORMS_AT_ONCE = 256
_TOKENS_OF_A_TURN = 32
_NO_HISTORY = torch.empty(0, dtype=torch.int64)


@dataclass(frozen=True)
class GeneratedToken:
    """One token of a generation, and what was thought of it when it was written."""

    token: int
    probability: float
    """Under what was drawn from, at the end of the sampling chain; 0 if a cut had blocked it and
    a hand picked it all the same."""
    model_probability: float
    """Under the model itself, before the chain."""
    entropy_bits: float
    """Mean surprise that the model expected here."""
    picked_by_hand: bool

    @property
    def surprisal_bits(self) -> float:
        """How surprising the token was to the model."""
        return surprisal_bits(self.model_probability)


class TextGeneration:
    """A prompt and what follows it. Begin one with `TextGeneration.begin`."""

    def __init__(
        self, decoder: Decoder, prompt_ids: tuple[int, ...], settings: SamplingSettings, seed: int
    ) -> None:
        self._decoder = decoder
        self._settings = settings
        self._ids = list(prompt_ids)
        self._n_prompt = len(prompt_ids)
        self._written: list[GeneratedToken] = []
        self._uniforms = _Uniforms(seed)
        self._mu = first_mu(settings)
        self._logits, self._state = decoder.read(np.array(prompt_ids))
        self._snapshots = [_Snapshot(0, self._logits, self._state)]

    @classmethod
    def begin(
        cls,
        model: LanguageModel,
        prompt_ids: Sequence[int] | np.ndarray,
        settings: SamplingSettings,
        seed: int,
    ) -> "TextGeneration":
        """Read a prompt.

        Raises TextError if the prompt is empty or holds an id that the model does not know.

        Parameters
        ----------
        prompt_ids : ints in [0, V), at least one
            `lm_core.generation.prompts.DEFAULT_PROMPT` is used where there is none.
        seed : int, start of this generation's random numbers
        """
        return cls(decoder_for(model), checked_prompt(prompt_ids, model), settings, seed)

    @classmethod
    def resume(
        cls,
        model: LanguageModel,
        prompt_ids: Sequence[int] | np.ndarray,
        settings: SamplingSettings,
        seed: int,
        written: Sequence[GeneratedToken],
    ) -> "TextGeneration":
        """Return a generation that had come so far before, and goes on as it would have gone on then.

        Raises TextError if the prompt or what was written holds an id that the model does not know.

        Parameters
        ----------
        model, prompt_ids, settings, seed
            As of `begin`.
        """
        generation = cls.begin(model, prompt_ids, settings, seed)
        if written:
            tokens = checked_prompt([each.token for each in written], model)
            generation._ids += tokens
            generation._written += written
            read = generation._decoder.read(np.array(tokens), generation._state)
            generation._logits, generation._state = read
            generation._mu = generation._mu_after_all()
            generation._take_snapshot()
        return generation

    @property
    def settings(self) -> SamplingSettings:
        """How the next character will be chosen."""
        return self._settings

    @property
    def prompt_ids(self) -> tuple[int, ...]:
        """The tokens that the generation began with."""
        return tuple(self._ids[: self._n_prompt])

    @property
    def written(self) -> tuple[GeneratedToken, ...]:
        """The characters written so far."""
        return tuple(self._written)

    @property
    def ids(self) -> tuple[int, ...]:
        """All tokens: the prompt's, then the written ones."""
        return tuple(self._ids)

    def chain_trace(self) -> ChainTrace:
        """Return the way of the next character's distribution through the sampling chain."""
        return run_chain(self._logits, self._settings, self._history(), self._mu)

    def write(self, n: int) -> list[GeneratedToken]:
        """Let the model write n more characters, and return them."""
        begin = len(self._written)
        while (missing := begin + n - len(self._written)) > 0:
            self._extend(min(missing, _SNAPSHOT_EVERY - len(self._written) % _SNAPSHOT_EVERY))
        return self._written[begin:]

    def pick(self, token: int) -> GeneratedToken:
        """Write one character by hand, whether or not the chain would have allowed it.

        The random number that would have decided here is used up. Raises SettingError if there is
        no such token.
        """
        if not 0 <= token < self._logits.shape[-1]:
            raise SettingError(f"token must lie in [0, {self._logits.shape[-1]}), got {token}")
        self._extend(1, picked=int(token))
        return self._written[-1]

    def rewind(self, n_written: int) -> None:
        """Forget all but the first `n_written` written characters.

        Raises SettingError if the generation is not that long.
        """
        if not 0 <= n_written <= len(self._written):
            raise SettingError(f"n_written must lie in [0, {len(self._written)}], got {n_written}")
        n_read, last = len(self._ids), self._n_prompt + n_written - 1
        del self._written[n_written:]
        del self._ids[last + 1 :]
        while self._snapshots[-1].n_written > n_written:
            self._snapshots.pop()
        nearest, logits, state = self._snapshots[-1]
        begin, kept = self._n_prompt + nearest, None
        if begin < last:
            kept = self._decoder.earlier_state(self._state, n_read, last)
        if kept is not None:
            begin, state = last, kept
        missing = self._ids[begin:]
        if len(missing) > _SNAPSHOT_EVERY:
            logits, state = self._decoder.read(np.array(missing), state)
        else:
            for token in missing:
                logits, state = self._decoder.step(token, state)
        self._logits, self._state = logits, state
        self._mu = self._mu_after_all()

    def with_settings(self, settings: SamplingSettings) -> "TextGeneration":
        """Return a generation with the same text and random numbers that goes on under other settings.

        Mirostat's bound is what it would be had the settings been in force from the start.
        """
        generation = copy.copy(self)
        generation._settings = settings
        generation._ids, generation._written = self._ids.copy(), self._written.copy()
        generation._snapshots = self._snapshots.copy()
        generation._uniforms = _Uniforms(self._uniforms.seed)
        generation._mu = generation._mu_after_all()
        return generation

    def _extend(self, n: int, picked: int | None = None) -> None:
        """Write n characters, at most up to the next snapshot; or the one picked."""
        settings, steers = self._settings, "mirostat_tau" in self._settings.active
        first = len(self._written)
        logits, drawn_from = [], []
        for i in range(first, first + n):
            probabilities = next_probabilities(self._logits, settings, self._history(), self._mu)
            token = draw(probabilities, self._uniforms[i]) if picked is None else picked
            logits.append(self._logits)
            drawn_from.append(probabilities)
            if steers:
                self._mu = _mu_after(self._mu, float(self._logits.softmax(-1)[token]), settings)
            self._ids.append(token)
            self._logits, self._state = self._decoder.step(token, self._state)
        tokens = self._ids[self._n_prompt + first :]
        self._written += _records(tokens, logits, drawn_from, picked is not None)
        if len(self._written) % _SNAPSHOT_EVERY == 0:
            self._take_snapshot()

    def _take_snapshot(self) -> None:
        """Keep the state, unless the one before lies too near for its size."""
        n_since = len(self._written) - self._snapshots[-1].n_written
        if _n_bytes(self._state) <= _SNAPSHOT_BYTES * n_since:
            self._snapshots.append(_Snapshot(len(self._written), self._logits, self._state))

    def _history(self) -> Tensor:
        """Return the tokens that the repetition penalty counts, int64 (T,); none while it is off."""
        if "repetition_penalty" not in self._settings.active:
            return _NO_HISTORY
        return torch.tensor(self._ids[-self._settings.repetition_window :])

    def _mu_after_all(self) -> float:
        """Mirostat's bound after all that is written; a constant while it is off."""
        mu = first_mu(self._settings)
        if "mirostat_tau" in self._settings.active:
            for written in self._written:
                mu = _mu_after(mu, written.model_probability, self._settings)
        return mu


class _Snapshot(NamedTuple):
    """A state to which a rewind can go back."""

    n_written: int
    logits: Tensor
    state: Any


def _n_bytes(state: Any) -> int:
    """Return the size of a decoder's state: tensors or arrays, in tuples or lists."""
    if isinstance(state, tuple | list):
        return sum(map(_n_bytes, state))
    return state.nbytes


def surprisal_bits(probability: float) -> float:
    """Return -log2 of a probability; what was picked by hand may be too improbable for a float."""
    return -math.log2(max(probability, 1e-30))


def _mu_after(mu: float, model_probability: float, settings: SamplingSettings) -> float:
    """Mirostat's bound after a token of that probability under the model."""
    surprise_bits = surprisal_bits(model_probability)
    return next_mu(mu, surprise_bits, settings.mirostat_tau, settings.mirostat_rate)


def _records(
    tokens: list[int], logits: list[Tensor], drawn_from: list[Tensor], by_hand: bool
) -> list[GeneratedToken]:
    """Return the records of n tokens, given the model's logits and the chain's probabilities, n times (V,)."""
    # All at once: token by token this would take half the time of writing.
    chosen = torch.tensor(tokens).unsqueeze(-1)  # (n, 1)
    model = torch.stack(logits).softmax(-1, dtype=torch.float32)  # (n, V)
    return [
        GeneratedToken(token, probability, model_probability, bits, by_hand)
        for token, probability, model_probability, bits in zip(
            tokens,
            torch.stack(drawn_from).gather(-1, chosen).squeeze(-1).tolist(),
            model.gather(-1, chosen).squeeze(-1).tolist(),
            entropy_bits(model).tolist(),
            strict=True,
        )
    ]


class _Uniforms:
    """The row without end of random numbers in [0, 1) that a seed gives, drawn block by block."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._rng = generator(seed)
        self._drawn: list[float] = []

    def __getitem__(self, i: int) -> float:
        while i >= len(self._drawn):
            block = torch.rand(_UNIFORMS_AT_ONCE, generator=self._rng, dtype=torch.float64)
            self._drawn += block.tolist()
        return self._drawn[i]


def generate(
    model: LanguageModel,
    prompt_ids: Sequence[int] | np.ndarray,
    settings: SamplingSettings,
    seed: int,
) -> Iterator[GeneratedToken]:
    """Write without end: ``TextGeneration.begin(...)``, then character after character.

    Raises TextError as `TextGeneration.begin`.
    """
    generation = TextGeneration.begin(model, prompt_ids, settings, seed)
    while True:
        yield from generation.write(1)


def write_text(
    model: LanguageModel,
    vocabulary: CharacterVocabulary,
    settings: SamplingSettings,
    seed: int,
    *,
    n_characters: int,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> str:
    """Return a text of so many characters that a model writes from `default_prompt`, without the prompt.

    Parameters
    ----------
    vocabulary : CharacterVocabulary, what the model reads and writes
    seed : int, start of the text's random numbers
    n_characters : int, at least 1
    model_turn : callable that returns a context manager
        Held while a few tokens are written: a lock, where several share the model.
    """
    with model_turn():
        prompt = vocabulary.encode(default_prompt(vocabulary))
        generation = TextGeneration.begin(model, prompt, settings, seed)
    text = ""
    while len(text) < n_characters:
        with model_turn():
            generation.write(_TOKENS_OF_A_TURN)
        text = vocabulary.decode([written.token for written in generation.written])
    return text[:n_characters]
