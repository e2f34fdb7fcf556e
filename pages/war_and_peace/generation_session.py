"""A text in the making: written, stepped, picked by hand and taken back, while it is written on or not."""

import math
import time
from dataclasses import dataclass, field
from typing import NamedTuple

from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import page
from pages.shared.ui.text_input import TEXT_CHARACTERS
from pages.war_and_peace.opening import Identity

TOKENS_PER_SECOND = 60
_LONGEST_S = 0.8
"""Seconds that writing what is due may take: a slow model falls behind the clock, and no click waits for it."""
_LONGEST_WORD = 20
_MOST_UNDONE = 20
_LARGE = 20_000_000  # parameters from which on a model is written with at a slower pace


class Pace(NamedTuple):
    """Numbers of tokens."""

    first: dict[str, int]  # before the first paint, so that there is something to read, by the unit
    piece: int  # while the model is held; then it is the next visitor's turn
    column: int  # of a text beside others, in all
    at_once: int  # of these before the first paint
    per_second: int  # and then each second
    greedy: int  # at temperature 0
    beam: int  # longest that is searched for, and what the search begins with


SMALL = Pace({"character": 240, "token": 80}, 20, 320, 8, 40, 1_000, 160)
LARGE = Pace({"character": 24, "token": 24}, 2, 60, 2, 2, 150, 20)


def pace_of(meta: CheckpointMeta) -> Pace:
    """Return at which pace a model writes."""
    return LARGE if meta.parameter_count > _LARGE else SMALL


@dataclass
class GenerationSession:
    """A generation, and whether it is being written on just now."""

    opening_identity: Identity  # a change of model, prompt or seed begins a new session
    vocabulary: CharacterVocabulary  # the model's
    generation: TextGeneration
    # when the writing began, on the monotonic clock, and with how many tokens
    live_since: tuple[float, int] | None = None
    pace: Pace = SMALL
    picks: int = 0  # tokens picked by hand so far
    # the text up to before the token that is looked at; None while that is the next one
    inspected: TextGeneration | None = None
    # what the text was before each change that took something away or picked by hand
    past: list[TextGeneration] = field(default_factory=list)
    kept: tuple[int, ...] = ()  # the text as it is kept for the visitor

    @property
    def is_live(self) -> bool:
        """Whether it is being written on."""
        return self.live_since is not None

    @property
    def room(self) -> int:
        """How many more tokens the page can hold."""
        return TEXT_CHARACTERS - len(self.generation.ids)

    def write(self, n: int, longest_s: float = math.inf) -> None:
        """Write n tokens, or as many as there is room for, or as are written in so many seconds."""
        left, ends = min(n, self.room), time.monotonic() + longest_s
        while left > 0 and time.monotonic() < ends:
            with page.model_calls:
                self.generation.write(min(left, self.pace.piece))
            left -= self.pace.piece

    def write_words(self, n: int) -> None:
        """Write n tokens; of characters, on to the end of the word, where much is possible again."""
        self.write(n)
        if self.vocabulary.unit != "character":
            return
        for _ in range(_LONGEST_WORD):
            if self.vocabulary.symbols[self.generation.ids[-1]].isspace():
                return
            self.write(1)

    def start(self) -> None:
        """Begin to write live."""
        self._remember()
        self.live_since = (time.monotonic(), len(self.generation.written))

    def stop(self) -> None:
        """Stop writing live."""
        self.live_since = None

    def catch_up(self) -> None:
        """Write what is due by the clock; a late or a surplus call does no harm."""
        if self.live_since is None:
            return
        began, n_before = self.live_since
        due = n_before + int((time.monotonic() - began + 1.0) * TOKENS_PER_SECOND)
        missing = due - len(self.generation.written)
        self.write(min(missing, 2 * TOKENS_PER_SECOND), _LONGEST_S)
        if self.room <= 0:
            self.stop()

    def adopt(self, settings: SamplingSettings) -> None:
        """Let what follows be chosen under these settings; what is written stays."""
        if settings != self.generation.settings:
            self.generation = self.generation.with_settings(settings)
            if self.inspected is not None:
                self.inspected = self.inspected.with_settings(settings)

    def begin_again(self, text: TextGeneration) -> None:
        """Take a text of the same opening in place of this one; it is copied, and stays as it is."""
        self.clear()
        self.generation = _copy(text)

    def clear(self) -> None:
        """Go back to the prompt."""
        self._remember()
        self._rewind(0)

    def inspect(self, i: int | None) -> None:
        """Look at what was possible at the i-th written token; None for the next one."""
        self.inspected = None
        if i is not None and 0 <= i < len(self.generation.written):
            self.inspected = _copy(self.generation)
            with page.model_calls:
                self.inspected.rewind(i)

    def go_back(self, n_written: int) -> None:
        """Take back all but the first written tokens."""
        self._remember()
        self._rewind(n_written)

    def pick(self, token: int) -> None:
        """Write one token by hand after the text, or after what is inspected of it."""
        self._remember()
        if self.inspected is not None:
            self._rewind(len(self.inspected.written))
        self.stop()
        self.generation.pick(token)
        self.picks += 1

    def undo(self) -> None:
        """Bring back the text that the last change took away."""
        self.stop()
        self.inspected = None
        self.generation = self.past.pop().with_settings(self.generation.settings)

    def _remember(self) -> None:
        self.past = [*self.past[1 - _MOST_UNDONE :], _copy(self.generation)]

    def _rewind(self, n_written: int) -> None:
        self.stop()
        self.inspected = None
        with page.model_calls:
            self.generation.rewind(n_written)


def _copy(generation: TextGeneration) -> TextGeneration:
    return generation.with_settings(generation.settings)
