"""Sequence to sequence: an encoder reads a word, a decoder writes it from back to front."""

import pandas as pd
import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.sequence_models.inference import LetterStep, reverse_word, word_of
from lm_core.experiments.sequence_models.tasks import TEST_WORDS, TRAINED_LETTERS
from lm_core.text.symbols import LETTERS, read_word
from pages.sequence_models.library import BACK, model_of, provenance_of
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal, provenance


def word_to_word() -> None:
    """Draw the visitor's word, what comes back, and how that goes wrong as words grow."""
    text = control(st.text_input, "word", "Word, letters from a to z", "borodino")
    try:
        word = read_word(text)
    except TextError as error:
        st.error(str(error), icon=":material/text_fields:")
    else:
        _picture(word, _written(word, provenance_of(BACK).weights_sha256))
    _by_length()
    provenance(provenance_of(BACK))


@st.cache_data(max_entries=256, show_spinner=False)
def _written(word: str, weights: str) -> tuple[LetterStep, ...]:
    del weights  # part of the key
    with model_calls:
        return reverse_word(model_of(BACK), word)


def _picture(word: str, steps: tuple[LetterStep, ...]) -> None:
    answer = word_of(steps)
    verdict = "right" if answer == word[::-1] else f"wrong: {word[::-1]} was asked for"
    written = tuple(step.letter or "⊣" for step in steps)
    left, right = st.columns([1.15, 1], gap="medium")
    with left:
        st.markdown(f"**{word} comes back as {answer or 'nothing'}, {verdict}**")
        frame = charts.unrolled_frame(
            charts.Unrolled(
                (*word, "⊢", *written[:-1]), ("",) * len(word) + written, handed_over=len(word)
            )
        )
        show_chart(
            charts.unrolled_chart(frame, height=300),
            frame,
            key="back_diagram",
            alt=f"The encoder reads {word}; its last state goes to the decoder, which writes"
            f" {answer}.",
            name="sequence-to-sequence",
        )
    with right:
        least = min(steps, key=lambda step: max(step.probabilities))
        st.markdown(
            f"**Least sure of {least.letter or 'the end'}, with {max(least.probabilities):.0%}**"
        )
        frame = charts.letters_frame(
            [step.letter for step in steps], [step.probabilities for step in steps], LETTERS
        )
        show_chart(
            charts.letters_chart(frame, height=350),
            frame,
            key="back_letters",
            alt=f"{len(steps)} rows of 27 probabilities; written were {', '.join(written)}.",
            name="letters-back",
        )
    n_state = provenance_of(BACK).config["hidden_size"]
    st.markdown(
        f"Nothing is written before all of it is read. At ⊢ the encoder's last state is handed"
        f" over to h′: {n_state} numbers whatever the word's length, and all that the decoder ever"
        f" learns of {word}. From then on it reads its own letters, until it writes the end ⊣."
    )


def _by_length() -> None:
    prediction = predict_then_reveal(
        "back_longer",
        f"It was trained on random letters, up to {TRAINED_LETTERS} of them. How many words of"
        f" {TRAINED_LETTERS + 2} letters does it write back without a fault?",
        ("Nearly all", "About half", "Hardly any"),
    )
    if not prediction.revealed:
        return
    scores = provenance_of(BACK).scores
    whole = {int(name.split()[2]): share for name, share in scores.items()}
    frame = pd.DataFrame(
        {
            "length": list(whole),
            "accuracy": list(whole.values()),
            "prompts": TEST_WORDS,
            "chance": 0.0,
        }
    )
    longer = TRAINED_LETTERS + 2
    title = f"{whole[TRAINED_LETTERS]:.1%} whole at {TRAINED_LETTERS} letters, {whole[longer]:.1%} at {longer}"
    st.markdown(f"**{title}**")
    show_chart(
        charts.lengths_chart(frame, trained=TRAINED_LETTERS, title="letters in the word"),
        frame,
        key="back_lengths",
        alt=f"{title}. Chance is practically 0.",
        name="whole-words-by-length",
    )
    st.markdown(
        f"Measured on {TEST_WORDS} fresh random words of each length. Random letters leave nothing to guess,"
        " so every one of them must pass through the same state. A decoder that may look back at"
        " all of the encoder's states, with *attention*, has no such bottleneck."
    )
