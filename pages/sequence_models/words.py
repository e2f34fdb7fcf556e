"""Letters out: a word generated from a vector."""

import numpy as np
import streamlit as st

from lm_core.experiments.sequence_models.inference import (
    WORD_LENGTHS,
    LetterStep,
    name_vector,
    sample_word,
    sample_words,
    share_of_length,
    word_of,
)
from lm_core.rng import generator
from lm_core.training.checkpoints import SHIPPED, CheckpointMeta, read_meta
from pages.sequence_models.letter_steps import draw_diagram, letter_steps
from pages.sequence_models.unrolled_network_chart import Unrolled
from pages.shared import page
from pages.shared.charts.palette import GUESS
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.models.language_models import model_named
from pages.shared.numbers import percent
from pages.shared.ui import lesson

GENERATOR = "name-generator"
_SEVERAL = 200
_SHOWN = 24
HOW_MANY = {
    "Nearly all": page.Answer(0.85, 0.95),
    "About three in four": page.Answer(0.65, 0.75),
    "About half": page.Answer(0.4, 0.5),
    "Few": page.Answer(0.1, 0.2),
    "Hardly any": page.Answer(0.0, 0.02),
}
"""The answers to choose from, by the share of the words."""


# Vector to sequence ---------------------------------------------------------------------------


def vector_to_sequence(screen: page.FirstScreen) -> None:
    """Draw the vector's controls, the word generated from it, and the lengths of many."""
    with screen.controls:
        nameness = page.slider(
            "name",
            "Name or word",
            0.0,
            1.0,
            1.0,
            0.05,
            help="1 asks for a name and 0 for any other word. Training had no value in between, so"
            " what comes there is up to the network.",
            width=180,
        )
        letters = page.control(st.slider, "letters", "Letters", *WORD_LENGTHS, 7, width=180)
        with st.popover("More", icon=":material/tune:"):
            temperature = page.slider("temperature", "Temperature", 0.1, 1.5, 0.7, 0.1)
            seed = page.number("seed", "Seed", 0, 9_999, 1)
    meta = read_meta(SHIPPED / GENERATOR)
    settings = (nameness, letters, temperature, int(seed))
    steps = _sampled(*settings, meta.weights_sha256)
    generated = tuple(step.letter or "⊣" for step in steps)
    with screen.picture:
        draw_diagram(
            "generator",
            Unrolled(("x", *(f"x{letter}" for letter in generated[:-1])), generated),
            title=f"From the vector ({nameness:g}, {letters}/{WORD_LENGTHS[1]}), so {_wanted(nameness)} of"
            f" {letters} letters, comes {word_of(steps) or 'nothing'}",
            alt=f"Each state reads the vector x and the letter before, and predicts one: {word_of(steps)}.",
            name="vector-to-sequence",
        )
    asked = _ask(screen, settings, meta)
    if not asked.masks:
        with screen.beside:
            _bars_of_lengths(settings, meta, asked)
    page.note_beside(
        screen,
        f"The vector x = ({nameness:g}, {letters}/12) is an input of every step, together with"
        " the letter before. ⊣ is the end of the word. It is the same at every step, so only"
        " the hidden state tells the network how many letters are still to come.",
    )
    if not asked.masks:
        _many(settings, meta)
    letter_steps("generator", steps, name="vector-to-sequence")
    lesson.provenance(meta)


def _wanted(nameness: float) -> str:
    """Return what the first number of the vector asks for."""
    if nameness in (0.0, 1.0):
        return "a name" if nameness else "a word that is no name"
    return f"something between word (0) and name (1), {nameness:g},"


@st.cache_data(max_entries=256, show_spinner=False)
def _sampled(
    nameness: float, letters: int, temperature: float, seed: int, weights: str
) -> tuple[LetterStep, ...]:
    with page.model_calls:
        return sample_word(
            model_named(GENERATOR, weights).model,
            name_vector(nameness, letters),
            temperature=temperature,
            rng=generator(seed),
        )


@st.cache_data(max_entries=256, show_spinner=False)
def _many_sampled(
    nameness: float, letters: int, temperature: float, seed: int, weights: str
) -> tuple[str, ...]:
    with page.model_calls:
        return sample_words(
            model_named(GENERATOR, weights).model,
            name_vector(nameness, letters),
            _SEVERAL,
            temperature=temperature,
            rng=generator(seed),
        )


def _ask(
    screen: page.FirstScreen, settings: tuple[float, int, float, int], meta: CheckpointMeta
) -> page.Asked:
    """Ask how many generated words have the length that was asked for; they are generated for the answer."""

    def share() -> float:
        return share_of_length(_many_sampled(*settings, meta.weights_sha256), settings[1])

    return page.ask(
        screen,
        "generator_length",
        f"The network generates {_SEVERAL} words from this vector. How many have exactly {settings[1]}"
        " letters?",
        HOW_MANY,
        right=share,
        reason=lambda _: f"{percent(share())} of {_SEVERAL} words have {settings[1]} letters.",
    )


def _bars_of_lengths(
    settings: tuple[float, int, float, int], meta: CheckpointMeta, asked: page.Asked
) -> None:
    """Draw how many generated words have each length; the outline is the guess."""
    lengths = [len(word) for word in _many_sampled(*settings, meta.weights_sha256)]
    shares = np.bincount(lengths, minlength=settings[1] + 1) / len(lengths)
    guess = HOW_MANY[asked.guess].typical if asked.guess else None
    st.markdown(
        f"**Letters of {_SEVERAL} words**" + ("" if guess is None else f"; outlined: {GUESS}")
    )
    frame = prediction_table(
        [str(length) for length in range(len(shares))],
        {"": shares},
        most=4,
        marked=settings[1],
        guess=guess,
    )
    page.show_chart(
        prediction_bars(frame, unit="length", mark="goal"),
        key="generator_lengths",
        alt=f"{percent(shares[settings[1]])} of {_SEVERAL} words have {settings[1]} letters.",
        name="generated-lengths",
    )


def _many(settings: tuple[float, int, float, int], meta: CheckpointMeta) -> None:
    words, scores = _many_sampled(*settings, meta.weights_sha256), meta.scores
    st.markdown(f"The first {_SHOWN} of {_SEVERAL} words: {', '.join(words[:_SHOWN])}.")
    st.markdown(
        f"On held-out words of the book its loss is {scores['nats per letter, other words']:.2f}"
        f" nats per letter, on held-out names {scores['nats per letter, names']:.2f}; a likely"
        " reason, which was not tested, is that there are far fewer names to learn from, so their"
        " spelling is known less well. Of 500 names of 7 letters that it generated after training,"
        f" {percent(scores['generated names that are in the training words'])} were names of its"
        " training data."
    )
