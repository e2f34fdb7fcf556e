"""More ways to go on from one prompt: other temperatures, earlier training steps, greedy, beams."""

import math
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.published import SOURCE_LSTM
from lm_core.generation.beam_search import Beam, beam_search
from lm_core.generation.repetition import find_loop
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import GeneratedToken, TextGeneration
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.charts.comparisons import learning_curve
from pages.shared.components.texts import generation_strip
from pages.shared.counts import counted
from pages.shared.models.book_models import model_of, snapshots_of
from pages.shared.numbers import significant
from pages.shared.turns import fragment, model_calls
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.war_and_peace.opening import Identity, Opening
from pages.war_and_peace.pace import Pace, pace_of

_TEMPERATURES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0)
_MOST_COLUMNS = 4


class Growing(NamedTuple):
    """Texts that a class writes together, and since when, on the monotonic clock."""

    generations: tuple[TextGeneration, ...]
    since: float
    pace: Pace


def same_seed(opening: Opening, settings: SamplingSettings) -> None:
    """Draw up to four texts that grow together."""
    temperatures = control(
        st.multiselect,
        "temperatures",
        "Temperatures",
        _TEMPERATURES,
        (0.0, 0.6, 1.0, 1.5),
        max_selections=_MOST_COLUMNS,
        help="Everything else, the random numbers included, is the same in every column.",
    )
    if not temperatures:
        st.info("Choose at least one temperature.")
        return
    chosen = tuple(sorted(temperatures)[:_MOST_COLUMNS])
    growing = _growing(opening.identity, settings, chosen, opening)
    is_growing = any(len(text.written) < growing.pace.column for text in growing.generations)
    fragment(_columns, run_every=1.0 if is_growing else None)(
        growing, opening.vocabulary, is_growing
    )


def _columns(growing: Growing, vocabulary: CharacterVocabulary, is_growing: bool) -> None:
    pace = growing.pace
    due = pace.at_once + int(pace.per_second * (monotonic() - growing.since))
    shown = [_written_on(generation, due, pace) for generation in growing.generations]
    if is_growing and all(len(generation.written) >= pace.column for generation in shown):
        st.rerun()
    with st.container(key="live_columns"):
        columns = st.columns(len(shown))
    for column, generation in zip(columns, shown, strict=True):
        with column:
            _column(generation, vocabulary, is_growing)


def _written_on(generation: TextGeneration, due: int, pace: Pace) -> TextGeneration:
    """Write what is due by the clock of a text that all visitors share, and return it as it is then."""
    with model_calls:
        missing = min(due, pace.column) - len(generation.written)
        generation.write(max(0, min(missing, pace.per_second)))
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
        fills_place=is_presenting(),
    )
    mean = sum(written.entropy_bits for written in generation.written) / len(generation.written)
    loop = find_loop(np.array(generation.ids))
    circles = f" Repeats itself after {counted(loop.period, unit)}." if loop else ""
    uncertain = f"The model was uncertain by {mean:.2f} bits a {unit} on average, "
    st.caption(f"{'' if is_presenting() else uncertain}{2**mean:.1f} choices.{circles}")


@st.cache_resource(max_entries=24, show_spinner=False)
def _growing(
    identity: Identity,
    settings: SamplingSettings,
    temperatures: tuple[float, ...],
    _opening: Opening,
) -> Growing:
    """Return the texts of this opening, which are the same for a whole class: it writes them once."""
    with model_calls:
        begun = TextGeneration.begin(_opening.model, _opening.ids, settings, _opening.seed)
    generations = (begun.with_settings(replace(settings, temperature=t)) for t in temperatures)
    return Growing(tuple(generations), monotonic(), pace_of(_opening.meta))


_SNAPSHOT_LENGTH = 160
_PASS = 2_852_510  # characters of the training part


def during_training(opening: Opening, settings: SamplingSettings) -> None:
    """Draw a row of text for each saved training step, and the loss at each."""
    name = opening.meta.snapshot_of or opening.meta.name
    snapshots = snapshots_of(name)
    if len(snapshots) == 1:
        st.info(
            f"{opening.meta.title} was saved at the end of its training only: choose another model."
        )
        return
    measured = "B" if all("B" in meta.losses for meta in snapshots) else "validation"
    if not is_presenting():
        _learning_curve(snapshots, measured)
    for meta in _early_and_last(snapshots) if is_presenting() else snapshots:
        _snapshot(meta, meta.loss_of(measured), opening, settings)


def _learning_curve(snapshots: Sequence[CheckpointMeta], measured: str) -> None:
    frame = pd.DataFrame(
        {
            "characters_seen": [meta.characters_seen for meta in snapshots],
            "loss": [meta.loss_of(measured) for meta in snapshots],
            "series": snapshots[-1].title,
        }
    ).dropna()
    lowest, highest = frame["loss"].min(), frame["loss"].max()
    show_chart(
        learning_curve(
            frame,
            losses=(min(1.0, lowest), max(4.5, highest)),
            references=_references(measured),
        ),
        frame,
        key="writing_learning",
        alt=f"Loss falls from {frame['loss'].iloc[0]:.2f} to"
        f" {frame['loss'].iloc[-1]:.2f} nats per character.",
        name="learning-curve",
    )


def _early_and_last(snapshots: Sequence[CheckpointMeta]) -> list[CheckpointMeta]:
    """Return as many as a projector has room for: early on a text changes most."""
    last = len(snapshots) - 1
    return [snapshots[i] for i in sorted({0, last // 4, last // 2, last})]


def _snapshot(
    meta: CheckpointMeta, loss: float | None, opening: Opening, settings: SamplingSettings
) -> None:
    """Draw what a model writes after one of its steps, and say how far it is then."""
    said = [f"**{meta.steps:,} steps**", _seen(meta)]
    if loss is not None:
        said.append(f"{loss:.2f} nats/char")
    ids, seed = opening.ids, opening.seed
    text = _text_at(meta.name, meta.weights_sha256, ids, seed, settings, meta)
    if is_presenting():
        st.markdown(", ".join(said))
        st.text(text)
        return
    left, right = st.columns([1, 4])
    left.markdown("  \n".join(said))
    with right.container(border=True):
        st.text(text)


def _seen(meta: CheckpointMeta) -> str:
    if meta.corpus == WAR_AND_PEACE.name:
        return f"{significant(meta.characters_seen / _PASS, 2)} times the book"
    return f"{meta.characters_seen:,} characters seen"


def _references(protocol: str) -> dict[str, float]:
    """Return the published figure to draw beside ours, where it was measured in the same way."""
    carried = SOURCE_LSTM.carried
    return {SOURCE_LSTM.title: carried} if protocol == "B" and carried is not None else {}


@st.cache_data(max_entries=64, show_spinner="Writing")
def _text_at(
    name: str,
    weights_sha256: str,
    ids: tuple[int, ...],
    seed: int,
    settings: SamplingSettings,
    _meta: CheckpointMeta,
) -> str:
    with model_calls:
        generation = TextGeneration.begin(model_of(name, weights_sha256), ids, settings, seed)
        generation.write(_SNAPSHOT_LENGTH)
    return vocabulary_of(_meta).decode(generation.ids)


def beams(opening: Opening, written: tuple[GeneratedToken, ...]) -> None:
    """Search for probable continuations of the prompt, and compare with what was written."""
    left, right = st.columns(2)
    with left:
        width = control(st.select_slider, "beam_width", "Beams", [1, 2, 4, 8, 16, 32], 8)
    with right:
        length = control(
            st.slider, "beam_length", f"{opening.vocabulary.unit.capitalize()}s", 20, 160, 80, 20
        )
    unit, length = opening.vocabulary.unit, min(length, pace_of(opening.meta).beam)
    found = _search(opening.meta.name, opening.meta.weights_sha256, opening.ids, width, length)
    for beam in found[:4]:
        per_token = -beam.log_probability / length
        with st.container(border=not is_presenting()):
            st.text(opening.vocabulary.decode([*opening.ids, *beam.tokens]))
            st.caption(
                f"probability {significant(math.exp(beam.log_probability), 1)}:"
                f" {per_token / math.log(2):.2f} bits a {unit}"
            )
    best = -found[0].log_probability / length / math.log(2)
    st.markdown(
        f"The best of {width} beams needs **{best:.2f} bits a {unit}**; the generated text"
        f" {_bits_per_token(written):.2f}."
    )
    if is_presenting():
        return
    st.markdown(
        "A search for the most probable text finds common"
        " words that lead to common words, and often the same ones again: probable is not the same"
        " as good."
    )


def _bits_per_token(written: tuple[GeneratedToken, ...]) -> float:
    """Return the mean surprisal of a written text, nan for none."""
    if not written:
        return math.nan
    return sum(w.surprisal_bits for w in written) / len(written)


@st.cache_data(max_entries=32, show_spinner="Searching")
def _search(
    name: str, weights_sha256: str, ids: tuple[int, ...], width: int, length: int
) -> list[Beam]:
    with model_calls:
        return beam_search(model_of(name, weights_sha256), ids, width, length)
