"""Vector to sequence: two numbers go in, a word comes out letter by letter."""

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
from lm_core.text.symbols import LETTERS
from pages.sequence_models.library import WRITER, model_of, provenance_of
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal, provenance

_SEVERAL = 200
_SHOWN = 24


def vector_to_word() -> None:
    """Draw the vector's controls, the word that it leads to, and many more."""
    columns = st.columns([1.3, 1.3, 1.3, 0.7], vertical_alignment="bottom")
    with columns[0]:
        nameness = control(
            st.slider,
            "name",
            "How much of a name",
            0.0,
            1.0,
            1.0,
            0.05,
            help="0 a word, 1 a name; training knew nothing in between.",
        )
    with columns[1]:
        letters = control(st.slider, "letters", "Letters", *WORD_LENGTHS, 7)
    with columns[2]:
        temperature = control(st.slider, "temperature", "Temperature", 0.1, 1.5, 0.7, 0.1)
    with columns[3]:
        seed = control(st.number_input, "seed", "Seed", 0, 9_999, 1)
    asked = (nameness, letters, temperature, int(seed))
    steps = _word(*asked, provenance_of(WRITER).weights_sha256)
    _picture(nameness, letters, steps)
    _many(asked)
    provenance(provenance_of(WRITER))


@st.cache_data(max_entries=256, show_spinner=False)
def _word(
    nameness: float, letters: int, temperature: float, seed: int, weights: str
) -> tuple[LetterStep, ...]:
    del weights  # part of the key
    with model_calls:
        return sample_word(
            model_of(WRITER),
            name_vector(nameness, letters),
            temperature=temperature,
            rng=generator(seed),
        )


@st.cache_data(max_entries=256, show_spinner=False)
def _words(
    nameness: float, letters: int, temperature: float, seed: int, weights: str
) -> tuple[str, ...]:
    del weights  # part of the key
    with model_calls:
        return sample_words(
            model_of(WRITER),
            name_vector(nameness, letters),
            _SEVERAL,
            temperature=temperature,
            rng=generator(seed),
        )


def _picture(nameness: float, letters: int, steps: tuple[LetterStep, ...]) -> None:
    word = word_of(steps)
    written = [step.letter or "⊣" for step in steps]
    left, right = st.columns([1, 1], gap="medium")
    with left:
        st.markdown(f"**({nameness:g}, {letters}) becomes {word}**")
        frame = charts.unrolled_frame(
            charts.Unrolled(("x", *(f"x{letter}" for letter in written[:-1])), tuple(written))
        )
        show_chart(
            charts.unrolled_chart(frame, height=300),
            frame,
            key="writer_diagram",
            alt=f"Each state reads the vector x and the letter before, and writes one: {word}.",
            name="vector-to-sequence",
        )
    with right:
        least = min(max(step.probabilities) for step in steps)
        st.markdown(f"**Where it was least sure, no letter had more than {least:.0%}**")
        frame = charts.letters_frame(
            [step.letter for step in steps], [step.probabilities for step in steps], LETTERS
        )
        show_chart(
            charts.letters_chart(frame, height=350),
            frame,
            key="writer_letters",
            alt=f"{len(steps)} rows of 27 probabilities; drawn were {', '.join(written)}.",
            name="letters",
        )
    st.markdown(
        f"The vector x = ({nameness:g}, {letters}/12) is read anew at every step, beside the letter"
        " written just before; ⊣ is the end of the word. How much of the word is still to come is"
        " written nowhere: the state has to keep count."
    )


def _many(asked: tuple[float, int, float, int]) -> None:
    letters = asked[1]
    prediction = predict_then_reveal(
        "writer_length",
        f"It writes {_SEVERAL} words from this vector. How many have exactly {letters} letters?",
        ("Nearly all", "About half", "Hardly any"),
    )
    if not prediction.revealed:
        return
    words = _words(*asked, provenance_of(WRITER).weights_sha256)
    scores = provenance_of(WRITER).scores
    st.markdown(
        f"**{share_of_length(words, letters):.0%} of {_SEVERAL} words have {letters} letters.** The"
        f" first {_SHOWN}: {', '.join(words[:_SHOWN])}."
    )
    st.markdown(
        f"On words of the book that it has not learned from it needs"
        f" {scores['nats per letter, other words']:.2f} nats a letter, on names"
        f" {scores['nats per letter, names']:.2f}: there are far fewer names to learn from. Of 500"
        " names of 7 letters that it wrote after its training,"
        f" {scores['generated names that are in the training words']:.0%} were names that it had read."
    )
