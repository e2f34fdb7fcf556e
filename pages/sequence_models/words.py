"""Letters out: a word generated from a vector, and a word reversed by an encoder and a decoder."""

import numpy as np
import pandas as pd
import streamlit as st

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
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.checkpoints import SHIPPED, CheckpointMeta, read_meta
from pages.sequence_models.sequences_charts import (
    Unrolled,
    letters_chart,
    letters_table,
    unrolled_chart,
    unrolled_table,
)
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import GUESS, VERMILLION
from pages.shared.charts.predictions import (
    bars_in_words,
    drawn_shares,
    percentage,
    prediction_bars,
    prediction_table,
)
from pages.shared.models.language_models import model_named
from pages.shared.numbers import percent
from pages.shared.turns import model_calls
from pages.shared.ui import lesson
from pages.shared.ui.figures import show_chart
from pages.shared.ui.what_was_read import read_and_say

GENERATOR, REVERSER = "name-generator", "word-reverser"
_SEVERAL = 200
_SHOWN = 24
_HEIGHT = 290
FIRST_WORD = "petersburg"
HOW_MANY = {
    "Nearly all": lesson.Answer(0.85, 0.95),
    "About half": lesson.Answer(0.4, 0.5),
    "Few": lesson.Answer(0.1, 0.2),
    "Hardly any": lesson.Answer(0.0, 0.02),
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
        _diagram(
            "generator",
            Unrolled(("x", *(f"x{letter}" for letter in generated[:-1])), generated),
            title=f"From the vector ({nameness:g}, {letters}/{WORD_LENGTHS[1]}), so {_wanted(nameness)} of"
            f" {letters} letters, comes {word_of(steps) or 'nothing'}",
            alt=f"Each state reads the vector x and the letter before, and predicts one: {word_of(steps)}.",
            name="vector-to-sequence",
        )
    with screen.beside:
        prediction = lesson.predict_then_reveal(
            "generator_length",
            f"The network generates {_SEVERAL} words from this vector. How many have exactly {letters}"
            " letters?",
            list(HOW_MANY),
        )
        if prediction.revealed:
            _lengths_of_many(settings, meta, prediction)
        page.note_beside(
            screen,
            f"The vector x = ({nameness:g}, {letters}/12) is an input of every step, together with"
            " the letter before. ⊣ is the end of the word. It is the same at every step, so only"
            " the hidden state tells the network how many letters are still to come.",
        )
    if prediction.revealed:
        _many(settings, meta)
    _letters("generator", steps, name="vector-to-sequence")
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


def _lengths_of_many(
    settings: tuple[float, int, float, int], meta: CheckpointMeta, prediction: lesson.Prediction
) -> None:
    """Say how many generated words have the length that was asked for."""
    share = share_of_length(_many_sampled(*settings, meta.weights_sha256), settings[1])
    reason = f"{percent(share)} of {_SEVERAL} words have {settings[1]} letters."
    lesson.show_verdict(prediction, right=lesson.answer_of(share, HOW_MANY), reason=reason)
    _bars_of_lengths(settings, meta, prediction)


def _bars_of_lengths(
    settings: tuple[float, int, float, int], meta: CheckpointMeta, prediction: lesson.Prediction
) -> None:
    """Draw how many generated words have each length; the outline is the guess."""
    lengths = [len(word) for word in _many_sampled(*settings, meta.weights_sha256)]
    shares = np.bincount(lengths, minlength=settings[1] + 1) / len(lengths)
    guess = lesson.typical_value(prediction, HOW_MANY)
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
    show_chart(
        prediction_bars(frame, unit="length", mark="goal"),
        frame,
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


# Sequence to sequence -------------------------------------------------------------------------


def sequence_to_sequence(screen: page.FirstScreen) -> None:
    """Draw the visitor's word, the network's reversal of it, and its accuracy by length."""
    with screen.controls:
        text = page.text("word", "Word, letters from a to z", FIRST_WORD, width=260)
    meta = read_meta(SHIPPED / REVERSER)
    longer = TRAINED_LETTERS + 2
    with screen.beside:
        prediction = lesson.predict_then_reveal(
            "reverser_longer",
            f"Training had random words of at most {TRAINED_LETTERS} letters. How many words of"
            f" {longer} letters does the network reverse without an error?",
            list(HOW_MANY),
        )
        if prediction.revealed:
            _longer_words(meta, longer, prediction)
    with screen.picture:
        left, right = st.columns([1.35, 1], gap="medium")
        with left:
            word = read_and_say("word", text, _read, FIRST_WORD)
            steps = _reversed(word, meta.weights_sha256)
            _reversal(word, steps)
        with right:
            _accuracy_by_length(meta, prediction)
    st.markdown(
        "The *encoder* reads the whole word first. At ⊢ the *decoder* h′ takes over its last"
        f" state: {meta.config['hidden_size']} values, whatever the word's length. They are all"
        " that the decoder receives. From then on it reads its own letters until it predicts the"
        " end ⊣. *Attention* removes this bottleneck, because it gives the decoder all states of"
        " the encoder."
    )
    _letters("reverser", steps, name="sequence-to-sequence", right=f"{word[::-1]}⊣")
    lesson.provenance(meta)


def _read(typed: str) -> tuple[str, WhatWasRead]:
    word = read_word(typed)
    return word, sentence_as_read(typed, word)


@st.cache_data(max_entries=256, show_spinner=False)
def _reversed(word: str, weights: str) -> tuple[LetterStep, ...]:
    with model_calls:
        return reverse_word(model_named(REVERSER, weights).model, word)


def _first_mistake(answer: str, right: str) -> str:
    """Return from which letter on an answer differs from the right one, and what that is."""
    pairs = zip(f"{answer}⊣", f"{right}⊣", strict=False)
    place = next(i for i, (given, wanted) in enumerate(pairs) if given != wanted)
    wanted = right[place] if place < len(right) else "the end"
    return f"letter {place + 1} should be {wanted}, as in {right}"


def _reversal(word: str, steps: tuple[LetterStep, ...]) -> None:
    answer = word_of(steps)
    verdict = "right" if answer == word[::-1] else f"wrong: {_first_mistake(answer, word[::-1])}"
    generated = tuple(step.letter or "⊣" for step in steps)
    right = f"{word[::-1]}⊣"
    wrong = {len(word) + i for i, letter in enumerate(generated) if letter != right[i : i + 1]}
    _diagram(
        "reverser",
        Unrolled(
            (*word, "⊢", *generated[:-1]),
            ("",) * len(word) + generated,
            decoder_from=len(word),
            wrong=frozenset(wrong),
        ),
        title=f"{word} becomes {answer or 'nothing'}, {verdict}",
        alt=f"The encoder reads {word}; from its last state the decoder predicts {answer}.",
        name="sequence-to-sequence",
    )


def _shares(meta: CheckpointMeta) -> dict[int, float]:
    """Return the share of words reversed without an error, by length."""
    return {int(name.split()[2]): share for name, share in meta.scores.items()}


def _longer_words(meta: CheckpointMeta, longer: int, prediction: lesson.Prediction) -> None:
    shares = _shares(meta)
    reason = (
        f"{percent(shares[longer], 1)} of {TEST_WORDS} random words of {longer} letters,"
        f" {percent(shares[TRAINED_LETTERS], 1)} of those of {TRAINED_LETTERS}. In random words no letter"
        " can be guessed from the others, so the state must store every one."
    )
    lesson.show_verdict(prediction, right=lesson.answer_of(shares[longer], HOW_MANY), reason=reason)


def _accuracy_by_length(meta: CheckpointMeta, prediction: lesson.Prediction) -> None:
    """Draw the accuracy up to the longest words of training, or of all lengths."""
    shares, longer = _shares(meta), TRAINED_LETTERS + 2
    last = max(shares) if prediction.revealed else TRAINED_LETTERS
    shown = {length: share for length, share in shares.items() if length <= last}
    title = f"{percent(shown[TRAINED_LETTERS], 1)} of words right at {TRAINED_LETTERS} letters" + (
        f", {percent(shown[longer], 1)} at {longer}" if prediction.revealed else ""
    )
    guess = lesson.guesses_in_picture(prediction, lambda said: (longer, HOW_MANY[said].typical))
    st.markdown(f"**{title}**")
    show_chart(
        line_chart(
            {"accuracy": list(shown.items())},
            {"accuracy": LineStyle(VERMILLION)},
            Axis("letters in the word", (1, max(shares))),
            Axis("words without an error", (0.0, 1.0), form=".0%"),
            references={"in training": [(TRAINED_LETTERS, y) for y in (1.0, 0.0)]},
            guess=guess,
            has_points=True,
            has_names=False,
            height=_HEIGHT,
        ),
        pd.DataFrame(
            {"length": list(shown), "accuracy": list(shown.values()), "words": TEST_WORDS}
        ),
        key="reverser_lengths",
        alt=f"{title}. Chance is practically 0.",
        name="accuracy-by-length",
    )


# Both -----------------------------------------------------------------------------------------


def _diagram(key: str, network: Unrolled, *, title: str, alt: str, name: str) -> None:
    """Draw the unrolled network."""
    st.markdown(f"**{title}**")
    table = unrolled_table(network)
    show_chart(
        unrolled_chart(table, height=_HEIGHT), table, key=f"{key}_diagram", alt=alt, name=name
    )


def _letters(key: str, steps: tuple[LetterStep, ...], *, name: str, right: str = "") -> None:
    """Draw the distribution of every letter, and of the least certain one its best candidates.

    Parameters
    ----------
    right : str, the letters that would be right, if that is known
    """
    symbols = ["⊣", *LETTERS]
    i = min(range(len(steps)), key=lambda i: max(steps[i].probabilities))
    letter = steps[i].letter or "⊣"
    left, beside = st.columns([1, 1.35], gap="medium")
    with left:
        marked = symbols.index(right[i] if i < len(right) else letter)
        table = prediction_table(symbols, {"": np.array(steps[i].probabilities)}, marked=marked)
        shares = drawn_shares(table)
        likeliest = next(iter(shares))
        title = f"Least certain step, {i + 1}: {letter} with {percentage(shares[letter])}"
        if letter != likeliest:
            title += f"; {likeliest} had {percentage(shares[likeliest])}"
        st.markdown(f"**{title}**")
        show_chart(
            prediction_bars(table, unit="letter", mark="right" if right else "drawn"),
            table,
            key=f"{key}_least_certain",
            alt=f"{title}. The bars: {bars_in_words(table)}.",
            name=f"{name}-least-certain",
        )
    with beside:
        predicted = ", ".join(step.letter or "⊣" for step in steps)
        st.markdown("**All letters at each step**")
        table = letters_table(
            [step.letter for step in steps], [step.probabilities for step in steps], LETTERS
        )
        show_chart(
            letters_chart(table, height=350),
            table,
            key=f"{key}_letters",
            alt=f"{len(steps)} rows of 27 probabilities; predicted: {predicted}.",
            name=f"{name}-letters",
        )
