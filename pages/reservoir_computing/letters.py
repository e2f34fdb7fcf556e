"""The next character: a reservoir beside a network that learned all its weights, on the book and on your text."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st
import torch

from lm_core.analysis.surprisal import readable_text
from lm_core.errors import CheckpointError, TextError
from lm_core.experiments.reservoir_computing.letters import RNN, UNITS
from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.study import RADII
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.evaluation import carried_losses
from pages.reservoir_computing.reservoirs import LEARNED, RESERVOIR, STYLES
from pages.shared import page
from pages.shared.charts.lines import Axis, line_chart
from pages.shared.components.texts import FIRST, SECOND, Tint, tinted_text
from pages.shared.models.language_models import model_named, provenance_of
from pages.shared.turns import model_calls
from pages.shared.ui.figures import show_chart
from pages.shared.ui.messages import show_error
from pages.shared.ui.text_input import checked_text, say_limits
from pages.shared.ui.times import duration
from pages.shared.ui.what_was_read import read_and_say

_TEXT = (
    "The prince looked at the countess and said nothing. She took off her gloves, sat down by the window, and"
    " began to weep. At that moment her telephone rang."
)
_FIELD, _LONGEST = "letters_text", 500
_FIRST_RADIUS = 0.3
_BIGRAM = 2.378
"""Nats per character of a table of all pairs of letters: the model ladder's on all the held-out text."""
_ANSWERS = {
    "About 1.3, as the RNN": 1.3,
    "About 2.3, as a table of letter pairs": 2.3,
    "About 3": 3.0,
}
_FULL_NATS = 5.0


class Letters(NamedTuple):
    """A text, and what each of its characters but the first cost both networks, in nats."""

    text: str
    reservoir: np.ndarray  # shape (len(text) - 1,)
    rnn: np.ndarray  # shape (len(text) - 1,)


class Read(NamedTuple):
    """A spectral radius and a text."""

    radius: float
    text: str


def _choose_letters(screen: page.FirstScreen) -> Read:
    """Draw the choice of a spectral radius and the field for a text, and return them."""
    with screen.controls:
        radius = page.pick(
            "letters_radius",
            "Spectral radius λ",
            RADII,
            _FIRST_RADIUS,
            format_func=lambda value: f"{value:g}",
            width=190 if page.is_presenting() else 150,  # its name in one line
        )
        typed = page.text(_FIELD, "Your text", _TEXT, max_chars=_LONGEST, width=300)
        say_limits({_FIELD: _LONGEST})
    with screen.beside:
        return Read(float(radius), read_and_say(_FIELD, str(typed), _read, _TEXT))


def _read(raw: str) -> tuple[str, WhatWasRead]:
    text = _checked(raw)
    return text, sentence_as_read(raw, text, SOURCE)


def _checked(raw: str) -> str:
    text = readable_text(checked_text(raw, most=_LONGEST), SOURCE).strip()
    if len(text) < 2:
        raise TextError(
            f"the networks read {len(text)} of these {len(raw):,} characters: type some English words"
        )
    return text


@st.cache_data(max_entries=128, show_spinner=False)
def _losses(_results: ReservoirResults, read: Read) -> Letters:
    ids = torch.from_numpy(SOURCE.encode(read.text))
    reservoir, rnn = _results.letter_model(read.radius), model_named(RNN).model
    with model_calls:
        return Letters(read.text, carried_losses(reservoir, ids), carried_losses(rnn, ids))


def letters(screen: page.FirstScreen) -> None:
    """Draw the loss by spectral radius, and a text in the colour of who expected each character more."""
    read = _choose_letters(screen)
    results = page.shipped(ReservoirResults)
    loss = next(row.loss for row in results.letters if row.radius == read.radius)
    asked = _ask(screen, results, read, loss)
    with screen.picture:
        st.markdown(f"**{_finding(results, loss, asked)}**")
        _by_radius(results, read, loss, asked)
        if not asked.masks:
            try:
                _text(_losses(results, read))
            except CheckpointError as error:
                show_error(error)
    page.note_beside(
        screen,
        "Letters are one-hot inputs, and the read-out is solved for the next one. Which letters"
        " matter, and when, must be learned, so a random W, which only mixes them, can hardly"
        " single them out. **Type a text**, and see which network expects it.",
    )
    if not page.is_presenting() and not asked.masks:
        _costs(results, read)


def _ask(
    screen: page.FirstScreen, results: ReservoirResults, read: Read, loss: float
) -> page.Asked:
    return page.ask(
        screen,
        "letters",
        f"The loss of the RNN of {UNITS} units is {results.rnn_loss:.2f} nats a character of the book. And"
        f" a reservoir of {UNITS}?",
        _ANSWERS,
        right=loss,
        reason=f"**{loss:.2f}** nats, little better than counting pairs of letters ({_BIGRAM:.2f}). A"
        " random W mixes all letters alike, so here the recurrent weights probably must be learned; how"
        " much is due to the RNN's longer reading was not tested.",
        when=read.radius == _FIRST_RADIUS,
    )


def _finding(results: ReservoirResults, loss: float, asked: page.Asked) -> str:
    begin = (
        f"Next character of War and Peace: the loss of a trained RNN is {results.rnn_loss:.2f} nats"
    )
    if asked.masks:
        return f"{begin}; and {UNITS} units that never learn?"
    return f"{begin}, {UNITS} units that never learn {loss:.2f}"


def _by_radius(results: ReservoirResults, read: Read, loss: float, asked: page.Asked) -> None:
    is_masked = asked.masks
    ends = (RADII[0], RADII[-1])
    lines = {LEARNED: [(end, results.rnn_loss) for end in ends]}
    if not is_masked:
        lines[RESERVOIR] = [(row.radius, row.loss) for row in results.letters]
    guess = asked.at(lambda value: (read.radius, value))
    show_chart(
        line_chart(
            lines,
            STYLES,
            Axis("spectral radius λ", ends),
            Axis("nats per character", (1.0, 3.2)),
            references={"table of letter pairs": [(end, _BIGRAM) for end in ends]},
            rings={} if is_masked else {RESERVOIR: [(read.radius, loss)]},
            guess=guess,
            now=1.0,
            height=190,
        ),
        pa.table(
            {
                "spectral radius": [row.radius for row in results.letters],
                "reservoir": [None if is_masked else row.loss for row in results.letters],
                "RNN": [results.rnn_loss] * len(results.letters),
            }
        ),
        key="letters_by_radius",
        alt=f"The RNN has {results.rnn_loss:.2f} nats per character"
        + (
            ""
            if is_masked
            else f", the reservoir {loss:.2f} at a spectral radius of {read.radius:g}"
        ),
        name="letters-by-radius",
    )


def _text(found: Letters) -> None:
    tints = [Tint((), 0, "Nothing came before it")]
    for ours, theirs in zip(found.reservoir, found.rnn, strict=True):
        strength = round(85 * min(1.0, abs(ours - theirs) / _FULL_NATS))
        reading = f"{ours:.1f} nats for the reservoir, {theirs:.1f} for the RNN"
        tints.append(Tint((FIRST if ours < theirs else SECOND,), strength, reading))
    tinted_text(
        list(found.text),
        tints,
        key="letters_strip",
        legend=[
            (
                FIRST,
                f"the reservoir expected it more ({found.reservoir.mean():.2f} nats a character)",
            ),
            (SECOND, f"the RNN expected it more ({found.rnn.mean():.2f})"),
        ],
        unit="character",
        label="Your text, each character in the colour of the network that gave it more probability",
    )


def _costs(results: ReservoirResults, read: Read) -> None:
    """Say what both have read, and what it took."""
    made = results.provenance
    meta = provenance_of(RNN)
    seconds = next(row.seconds for row in results.letters if row.radius == read.radius)
    st.markdown(
        f"The reservoir read {made['characters']:,} characters once and solved"
        f" {(UNITS + 1) * len(SOURCE):,} weights in closed form, {seconds:.0f} s of one core. The"
        f" RNN learned {meta.parameter_count:,} weights in {duration(meta.seconds)}, from"
        f" {meta.characters_seen / 1e6:.1f} million characters with repeats. Both are scored on the"
        f" same {made['characters_scored']:,} unseen characters. Least squares gives estimates of"
        " probabilities that may be negative, so what is below 0.001 is raised to it."
    )
