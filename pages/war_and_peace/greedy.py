"""What the model writes at temperature 0: does it repeat itself? It is written while the page is read."""

from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.errors import ShapeError
from lm_core.generation.repetition import Loop, find_loop, recurrence
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from pages.shared import page
from pages.shared.counts import counted
from pages.shared.models.book_models import model_of
from pages.shared.numbers import percent, significant
from pages.shared.ui.markdown import as_code
from pages.war_and_peace.generation_session import pace_of
from pages.war_and_peace.opening import Opening

_REPEATS = ("Never: the book does not either", "Yes, word for word, over and over")
"""The answers to choose from: does it repeat itself?"""
_AT_A_TIME_S, _EVERY_S = 0.3, 0.6
"""Seconds of writing at a time, and from one such time to the next: meanwhile every control answers."""


class GreedyText(NamedTuple):
    """A text written at temperature 0, and the circle it ends in, if any."""

    tokens: tuple[str, ...]
    n_prompt: int
    loop: Loop | None
    # of the model's state from one round to the next; none of one that grows with the text
    distances: tuple[float, ...]


@dataclass
class GreedyWriting:
    """A text that is being written at temperature 0, once for all visitors."""

    model: LanguageModel
    ids: tuple[int, ...]  # the prompt
    length: int  # how many tokens it will have
    piece: int  # tokens in one call of the model
    generation: TextGeneration | None = None  # what is written; None until somebody waits for it

    @property
    def n_written(self) -> int:
        """How many tokens are written."""
        return 0 if self.generation is None else len(self.generation.written)

    @property
    def is_done(self) -> bool:
        """Whether all of it is written."""
        return self.n_written >= self.length

    def write(self, longest_s: float) -> None:
        """Write for so many seconds, or to the end; the first time, only read the prompt."""
        if self.generation is None:
            with page.model_calls:
                greedy = SamplingSettings(temperature=0.0)
                self.generation = TextGeneration.begin(self.model, self.ids, greedy, 0)
            return
        ends = monotonic() + longest_s
        while not self.is_done and monotonic() < ends:
            with page.model_calls:
                self.generation.write(min(self.piece, max(0, self.length - self.n_written)))


def greedy_writing(opening: Opening) -> GreedyWriting:
    """Return what the model is writing, or has written, at temperature 0."""
    meta, pace = opening.meta, pace_of(opening.meta)
    return _writing(meta.name, meta.weights_sha256, opening.ids, pace.greedy, pace.piece)


@st.cache_resource(max_entries=32, show_spinner=False)
def _writing(
    name: str, weights_sha256: str, ids: tuple[int, ...], length: int, piece: int
) -> GreedyWriting:
    return GreedyWriting(model_of(name, weights_sha256), ids, length, piece)


def greedy_text(opening: Opening) -> GreedyText:
    """Return what the model has written at temperature 0, and the circle in it."""
    writing, meta = greedy_writing(opening), opening.meta
    key = meta.name, meta.weights_sha256
    return _analysed(key, opening.ids, writing, opening.vocabulary)


@st.cache_data(max_entries=32, show_spinner=False)
def _analysed(
    key: tuple[str, str], ids: tuple[int, ...], _writing: GreedyWriting, _known: CharacterVocabulary
) -> GreedyText:
    del key  # name and weights of the model
    text = np.array(_writing.generation.ids if _writing.generation else ids)
    with page.model_calls:
        loop = find_loop(text)
        try:
            distances = recurrence(_writing.model, text, loop).distances if loop else ()
        except ShapeError:
            distances = ()
    return GreedyText(tuple(_known.spell(text.tolist())), len(ids), loop, distances)


def is_asked() -> bool:
    """Return whether the question about the text at temperature 0 is still open."""
    return "revealed_greedy" not in st.session_state


def ask_whether_it_repeats(opening: Opening) -> page.Asked[str]:
    """Ask whether a text that is not drawn at random repeats itself, and judge the guess once it is written."""
    unit = opening.vocabulary.unit
    kind = unit if unit == "character" else f"{unit}, here a part of a word,"
    taken = f"At temperature 0 the most probable {kind} is always taken."
    asked = page.ask(None, "greedy", f"{taken} Will the text ever repeat itself?", _REPEATS)
    if not asked.masks:
        is_done = greedy_writing(opening).is_done
        with st.container(key="live_greedy"):
            page.fragment(_watch, run_every=None if is_done else _EVERY_S)(opening, asked, is_done)
    return asked


def _watch(opening: Opening, asked: page.Asked[str], was_done: bool) -> None:
    writing, unit = greedy_writing(opening), opening.vocabulary.unit
    if not was_done:
        writing.write(_AT_A_TIME_S)
        if writing.is_done:
            st.rerun()
        st.progress(
            writing.n_written / writing.length,
            f"At temperature 0 it has written {writing.n_written:,} of {writing.length:,} {unit}s.",
        )
        return
    greedy = greedy_text(opening)
    reason = f"Not within {writing.length:,} {unit}s, for this prompt and this model."
    if greedy.loop is not None:
        start, period, repeats = greedy.loop.start, greedy.loop.period, greedy.loop.repeats
        phrase = "".join(greedy.tokens[start : start + period])
        reason = (
            f"From {unit} {start - greedy.n_prompt:,} on, {as_code(phrase)} ({counted(period, unit)})"
            f" comes {counted(repeats, 'time')} in a row"
        )
    asked.judge(right=_REPEATS[greedy.loop is not None], reason=reason)


def explain_greedy(opening: Opening) -> None:
    """Explain the circle of the text at temperature 0, once it is written, and fold the whole text away."""
    if not greedy_writing(opening).is_done:
        return
    greedy = greedy_text(opening)
    if greedy.loop is not None:
        st.markdown(_why(greedy.distances))
    with st.expander("The whole text at temperature 0"):
        st.text("".join(greedy.tokens))


def _why(distances: tuple[float, ...]) -> str:
    if not distances:
        return (
            "Nothing is drawn at temperature 0, so the text depends on the tokens alone that the model"
            " reads: those of its window. In a circle the same phrase fills more and more of them. A"
            " single random choice can break it, because all that follows reads another token."
        )
    text = "Nothing is drawn at temperature 0, so the text depends on the model's state alone."
    if distances[-1] == 0.0:
        return (
            f"{text} Here the state is the same to the last digit after each round, so it can"
            " never leave the circle."
        )
    return (
        f"{text} The first round led the state to within {percent(distances[0], 1)} of where it had"
        f" been, the last one to within {significant(distances[-1], 2)} of it (as a share of its"
        " length). A loop to which the state comes back closer and closer is an *attractor*. A single"
        " random choice can break it, because it leads the state elsewhere."
    )
