"""Letters out: a word generated from a vector, and a word reversed by an encoder and a decoder."""

import pandas as pd
import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.sequence_models.inference import (
    WORD_LENGTHS,
    LetterStep,
    name_vector,
    reverse_word,
    sample_word,
    sample_words,
    share_of_length,
    word_of,
)
from lm_core.experiments.sequence_models.tasks import TEST_WORDS, TRAINED_LETTERS
from lm_core.rng import generator
from lm_core.text.symbols import LETTERS, read_word
from lm_core.training.checkpoints import SHIPPED, CheckpointMeta, read_meta
from pages.shared import charts
from pages.shared.charts.palette import VERMILLION
from pages.shared.models import model_named
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal, provenance
from pages.shared.ui.messages import show_error

GENERATOR, REVERSER = "name-generator", "word-reverser"
_SEVERAL = 200
_SHOWN = 24


# Vector to sequence ---------------------------------------------------------------------------


def vector_to_sequence() -> None:
    """Draw the vector's controls, the word generated from it, and the lengths of many."""
    columns = st.columns([1.3, 1.3, 1.3, 0.7], vertical_alignment="bottom")
    with columns[0]:
        nameness = control(
            st.slider,
            "name",
            "Name or word",
            0.0,
            1.0,
            1.0,
            0.05,
            help="1: a name; 0: any other word. Training has no value in between.",
        )
    with columns[1]:
        letters = control(st.slider, "letters", "Letters", *WORD_LENGTHS, 7)
    with columns[2]:
        temperature = control(st.slider, "temperature", "Temperature", 0.1, 1.5, 0.7, 0.1)
    with columns[3]:
        seed = control(st.number_input, "seed", "Seed", 0, 9_999, 1)
    meta = read_meta(SHIPPED / GENERATOR)
    settings = (nameness, letters, temperature, int(seed))
    steps = _sampled(*settings, meta.weights_sha256)
    generated = tuple(step.letter or "⊣" for step in steps)
    _diagram_and_letters(
        "generator",
        charts.Unrolled(("x", *(f"x{letter}" for letter in generated[:-1])), generated),
        steps,
        title=f"({nameness:g}, {letters}) becomes {word_of(steps)}",
        alt=f"Each state reads the vector x and the letter before, and predicts one: {word_of(steps)}.",
        name="vector-to-sequence",
    )
    st.markdown(
        f"The vector x = ({nameness:g}, {letters}/12) is an input of every step, together with the"
        " letter before. ⊣ is the end of the word. Only the hidden state tells the network how many"
        " letters are still to come."
    )
    _many(settings, meta)
    provenance(meta)


@st.cache_data(max_entries=256, show_spinner=False)
def _sampled(
    nameness: float, letters: int, temperature: float, seed: int, weights: str
) -> tuple[LetterStep, ...]:
    with model_calls:
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
    with model_calls:
        return sample_words(
            model_named(GENERATOR, weights).model,
            name_vector(nameness, letters),
            _SEVERAL,
            temperature=temperature,
            rng=generator(seed),
        )


def _many(settings: tuple[float, int, float, int], meta: CheckpointMeta) -> None:
    letters = settings[1]
    prediction = predict_then_reveal(
        "generator_length",
        f"The network generates {_SEVERAL} words from this vector. How many have exactly {letters}"
        " letters?",
        ("Nearly all", "About half", "Hardly any"),
    )
    if not prediction.revealed:
        return
    words = _many_sampled(*settings, meta.weights_sha256)
    scores = meta.scores
    st.markdown(
        f"**{share_of_length(words, letters):.0%} of {_SEVERAL} words have {letters} letters.** The"
        f" first {_SHOWN}: {', '.join(words[:_SHOWN])}."
    )
    st.markdown(
        f"On held-out words of the book its loss is {scores['nats per letter, other words']:.2f} nats"
        f" per letter, on held-out names {scores['nats per letter, names']:.2f}: there are far fewer"
        " names to learn from. Of 500 names of 7 letters that it generated after training,"
        f" {scores['generated names that are in the training words']:.0%} were names of its training"
        " data."
    )


# Sequence to sequence -------------------------------------------------------------------------


def sequence_to_sequence() -> None:
    """Draw the visitor's word, the network's reversal of it, and its accuracy by length."""
    text = control(st.text_input, "word", "Word, letters from a to z", "borodino")
    meta = read_meta(SHIPPED / REVERSER)
    try:
        word = read_word(text)
    except TextError as error:
        show_error(error, icon=":material/text_fields:")
    else:
        _reversal(word, _reversed(word, meta.weights_sha256), meta)
    _accuracy_by_length(meta)
    provenance(meta)


@st.cache_data(max_entries=256, show_spinner=False)
def _reversed(word: str, weights: str) -> tuple[LetterStep, ...]:
    with model_calls:
        return reverse_word(model_named(REVERSER, weights).model, word)


def _reversal(word: str, steps: tuple[LetterStep, ...], meta: CheckpointMeta) -> None:
    answer = word_of(steps)
    verdict = "right" if answer == word[::-1] else f"wrong: the right answer is {word[::-1]}"
    generated = tuple(step.letter or "⊣" for step in steps)
    _diagram_and_letters(
        "reverser",
        charts.Unrolled(
            (*word, "⊢", *generated[:-1]), ("",) * len(word) + generated, decoder_from=len(word)
        ),
        steps,
        title=f"{word} becomes {answer or 'nothing'}, {verdict}",
        alt=f"The encoder reads {word}; from its last state the decoder predicts {answer}.",
        name="sequence-to-sequence",
    )
    st.markdown(
        "The *encoder* reads the whole word first. At ⊢ the *decoder* h′ takes over its last state:"
        f" {meta.config['hidden_size']} values, whatever the word's length. They are all that the decoder receives of"
        f" {word}. From then on it reads its own letters until it predicts the end ⊣."
    )


def _accuracy_by_length(meta: CheckpointMeta) -> None:
    longer = TRAINED_LETTERS + 2
    prediction = predict_then_reveal(
        "reverser_longer",
        f"Training had random words of at most {TRAINED_LETTERS} letters. How many words of"
        f" {longer} letters does the network reverse without an error?",
        ("Nearly all", "About half", "Hardly any"),
    )
    if not prediction.revealed:
        return
    whole = {int(name.split()[2]): share for name, share in meta.scores.items()}
    title = (
        f"{whole[TRAINED_LETTERS]:.1%} of words right at {TRAINED_LETTERS} letters,"
        f" {whole[longer]:.1%} at {longer}"
    )
    st.markdown(f"**{title}**")
    show_chart(
        charts.line_chart(
            {"accuracy": list(whole.items())},
            {"accuracy": charts.LineStyle(VERMILLION)},
            charts.Axis("letters in the word", (1, max(whole))),
            charts.Axis("words without an error", (0.0, 1.0), form=".0%"),
            references={
                "longest in training": [(TRAINED_LETTERS, y) for y in (0.0, 1.0)],
            },
            has_points=True,
            height=230,
        ),
        pd.DataFrame(
            {"length": list(whole), "accuracy": list(whole.values()), "words": TEST_WORDS}
        ),
        key="reverser_lengths",
        alt=f"{title}. Chance is practically 0.",
        name="accuracy-by-length",
    )
    st.markdown(
        f"Measured on {TEST_WORDS} new random words of each length. In random words no letter can be"
        " guessed from the others, so the state must store every one of them. *Attention* removes"
        " this bottleneck: it gives the decoder all states of the encoder."
    )


# Both -----------------------------------------------------------------------------------------


def _diagram_and_letters(
    key: str,
    network: charts.Unrolled,
    steps: tuple[LetterStep, ...],
    *,
    title: str,
    alt: str,
    name: str,
) -> None:
    """Draw the unrolled network, and beside it the distribution of every letter."""
    left, right = st.columns([1.1, 1], gap="medium")
    with left:
        st.markdown(f"**{title}**")
        frame = charts.unrolled_frame(network)
        show_chart(
            charts.unrolled_chart(frame, height=300),
            frame,
            key=f"{key}_diagram",
            alt=alt,
            name=name,
        )
    with right:
        least = min(steps, key=lambda step: max(step.probabilities))
        letter, largest = least.letter or "the end", max(least.probabilities)
        st.markdown(
            f"**Least certain step: {letter}, where the largest probability is {largest:.0%}**"
        )
        frame = charts.letters_frame(
            [step.letter for step in steps], [step.probabilities for step in steps], LETTERS
        )
        predicted = ", ".join(step.letter or "⊣" for step in steps)
        show_chart(
            charts.letters_chart(frame, height=350),
            frame,
            key=f"{key}_letters",
            alt=f"{len(steps)} rows of 27 probabilities; predicted: {predicted}.",
            name=f"{name}-letters",
        )
