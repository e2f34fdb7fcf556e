"""More ways to go on from one prompt: other temperatures, and the most probable continuations."""

import math
from dataclasses import replace
from time import monotonic
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.generation.beam_search import Beam, beam_search
from lm_core.generation.repetition import find_loop
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import GeneratedToken, TextGeneration
from lm_core.text.character_vocabulary import CharacterVocabulary
from pages.shared import page
from pages.shared.components.texts import generation_strip
from pages.shared.counts import counted
from pages.shared.models.book_models import model_of
from pages.shared.numbers import significant
from pages.war_and_peace.generation_session import Pace, pace_of
from pages.war_and_peace.greedy import is_asked
from pages.war_and_peace.opening import Identity, Opening

_TEMPERATURES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0)
_MOST_COLUMNS = 4
_LONGEST_S = 0.3  # seconds that all columns may take at a time
_TWO_LINES = 160  # characters of a text that two lines of a projector hold


class Growing(NamedTuple):
    """Texts that a class writes together, and since when, on the monotonic clock."""

    generations: tuple[TextGeneration, ...]
    since: float
    pace: Pace


def same_seed(opening: Opening, settings: SamplingSettings) -> None:
    """Draw up to four texts that grow together."""
    temperatures = page.control(
        st.multiselect, "temperatures", "Temperatures", _TEMPERATURES, (0.0, 0.6, 1.0, 1.5),
        max_selections=_MOST_COLUMNS,
        help="Everything else, the random numbers included, is the same in every column, so all"
        " differences come from the temperature.")  # fmt: skip
    if not temperatures:
        st.info("Choose at least one temperature.")
        return
    chosen = tuple(sorted(temperatures)[:_MOST_COLUMNS])
    growing = _growing(opening.identity, settings, chosen, opening)
    is_growing = any(len(text.written) < growing.pace.column for text in growing.generations)
    columns = page.fragment(_columns, run_every=1.0 if is_growing else None)
    columns(growing, opening.vocabulary, is_growing)


def _columns(growing: Growing, vocabulary: CharacterVocabulary, is_growing: bool) -> None:
    pace = growing.pace
    due = pace.at_once + int(pace.per_second * (monotonic() - growing.since))
    each_s = _LONGEST_S / len(growing.generations)
    shown = [_written_on(generation, due, pace, each_s) for generation in growing.generations]
    if is_growing and all(len(generation.written) >= pace.column for generation in shown):
        st.rerun()
    with st.container(key="live_columns"):
        columns = st.columns(len(shown))
    for column, generation in zip(columns, shown, strict=True):
        with column:
            if generation.settings.temperature == 0.0 and is_asked():
                st.markdown("**Temperature 0**")
                st.markdown("Whether this text repeats itself is the question: answer it first.")
            else:
                _column(generation, vocabulary, is_growing)


def _written_on(
    generation: TextGeneration, due: int, pace: Pace, longest_s: float
) -> TextGeneration:
    """Write what is due by the clock of a text that all visitors share, and return it as it is then.

    A model that needs longer than that for what is due falls behind the clock: nobody's click waits for it.
    """
    due, ends = min(due, pace.column), monotonic() + longest_s
    while (missing := due - len(generation.written)) > 0:
        with page.model_calls:
            generation.write(min(missing, pace.at_once))
        if monotonic() > ends:
            break
    return generation.with_settings(generation.settings)


def _column(generation: TextGeneration, vocabulary: CharacterVocabulary, is_growing: bool) -> None:
    temperature, unit = generation.settings.temperature, vocabulary.unit
    st.markdown(f"**Temperature {temperature:g}**")
    generation_strip(
        generation,
        vocabulary.spell(generation.ids),
        key=f"writing_column_{temperature:g}",
        label=f"Text at temperature {temperature:g}",
        unit=unit,
        is_growing=is_growing,
        follow=False,  # where the columns part stays in sight
        fills_place=page.is_presenting(),
    )
    mean = sum(written.entropy_bits for written in generation.written) / len(generation.written)
    loop = find_loop(np.array(generation.ids))
    circles = f" Repeats itself after {counted(loop.period, unit)}." if loop else ""
    uncertain = f"The model was uncertain by {mean:.2f} bits a {unit} on average, "
    st.caption(f"{'' if page.is_presenting() else uncertain}{2**mean:.1f} choices.{circles}")


@st.cache_resource(max_entries=24, show_spinner=False)
def _growing(
    identity: Identity,
    settings: SamplingSettings,
    temperatures: tuple[float, ...],
    _opening: Opening,
) -> Growing:
    """Return the texts of this opening, which are the same for a whole class: it writes them once."""
    with page.model_calls:
        begun = TextGeneration.begin(_opening.model, _opening.ids, settings, _opening.seed)
    generations = (begun.with_settings(replace(settings, temperature=t)) for t in temperatures)
    return Growing(tuple(generations), monotonic(), pace_of(_opening.meta))


def beams(opening: Opening, written: tuple[GeneratedToken, ...]) -> None:
    """Search for probable continuations of the prompt, and compare with what was written."""
    meta, unit = opening.meta, opening.vocabulary.unit
    left, right = st.columns(2)
    with left:
        width = page.pick("beam_width", "Beams", [1, 2, 4, 8, 16, 32], 8)
    with right:
        asked = page.slider("beam_length", f"{unit.capitalize()}s", 20, 160, 80, 20)
    length = min(asked, pace_of(meta).beam)
    found = _search(meta.name, meta.weights_sha256, opening.ids, width, length)
    bits = [-beam.log_probability / length / math.log(2) for beam in found]
    texts = [opening.vocabulary.decode([*opening.ids, *beam.tokens]) for beam in found[:4]]
    if page.is_presenting():  # as many as the screen holds, in whole lines
        texts = [text.replace("\n", " ¶ ") for text in texts][
            : 2 if len(texts[0]) > _TWO_LINES else 4
        ]
    for i, text in enumerate(texts):
        with st.container(border=not page.is_presenting(), key=f"beam_{i}"):
            st.text(text)
            st.caption(
                f"probability {significant(math.exp(found[i].log_probability), 1)}:"
                f" {bits[i]:.2f} bits a {unit}"
            )
    of_text = sum(w.surprisal_bits for w in written) / len(written) if written else math.nan
    st.markdown(
        f"The text of the best of {width} beams has a surprisal of **{bits[0]:.2f} bits a {unit}**;"
        f" the text that was drawn at random has {of_text:.2f}. A beam search looks for what is"
        " probable, so its text mostly surprises the model less."
    )
    if not page.is_presenting():
        st.markdown(
            "People surprise each other now and then, so a text with no surprise at all reads badly. The"
            " search finds common words that lead to common words, and often the same ones again:"
            " probable is not the same as good."
        )


@st.cache_data(max_entries=32, show_spinner="Searching")
def _search(
    name: str, weights_sha256: str, ids: tuple[int, ...], width: int, length: int
) -> list[Beam]:
    with page.model_calls:
        return beam_search(model_of(name, weights_sha256), ids, width, length)
