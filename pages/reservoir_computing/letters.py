"""The next character: a reservoir beside a network that learned all its weights, on the book and on your text."""

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.errors import CheckpointError
from lm_core.experiments.reservoir_computing.letters import RNN, UNITS
from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.evaluation import carried_losses
from pages.reservoir_computing.letters_choice import FIRST_RADIUS, Read, choose_letters
from pages.reservoir_computing.losses_by_radius import BIGRAM, draw_by_radius
from pages.shared import page
from pages.shared.components.texts import FIRST, SECOND, Tint, tinted_text
from pages.shared.models.language_models import model_named, provenance_of
from pages.shared.ui.times import duration

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


@st.cache_data(max_entries=128, show_spinner=False)
def _losses(_results: ReservoirResults, read: Read) -> Letters:
    ids = torch.from_numpy(SOURCE.encode(read.text))
    reservoir, rnn = _results.letter_model(read.radius), model_named(RNN).model
    with page.model_calls:
        return Letters(read.text, carried_losses(reservoir, ids), carried_losses(rnn, ids))


def letters(screen: page.FirstScreen) -> None:
    """Draw the loss by spectral radius, and a text in the colour of who expected each character more."""
    read = choose_letters(screen)
    results = page.shipped(ReservoirResults)
    loss = next(row.loss for row in results.letters if row.radius == read.radius)
    asked = _ask(screen, results, read, loss)
    with screen.picture:
        st.markdown(f"**{_finding(results, loss, asked)}**")
        draw_by_radius(results, read, loss, asked)
        if not asked.masks:
            try:
                _text(_losses(results, read))
            except CheckpointError as error:
                page.show_error(error)
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
        reason=f"**{loss:.2f}** nats, little better than counting pairs of letters ({BIGRAM:.2f}). A"
        " random W mixes all letters alike, so here the recurrent weights probably must be learned; how"
        " much is due to the RNN's longer reading was not tested.",
        when=read.radius == FIRST_RADIUS,
    )


def _finding(results: ReservoirResults, loss: float, asked: page.Asked) -> str:
    begin = (
        f"Next character of War and Peace: the loss of a trained RNN is {results.rnn_loss:.2f} nats"
    )
    if asked.masks:
        return f"{begin}; and {UNITS} units that never learn?"
    return f"{begin}, {UNITS} units that never learn {loss:.2f}"


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
