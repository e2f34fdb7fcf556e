"""What the numbers on the desk mean, in words that quote them."""

import math

import streamlit as st
from pages.war_and_peace.session import GenerationSession


def explain(session: GenerationSession) -> None:
    """Explain probability, surprisal and entropy with the text that stands on the desk."""
    written, unit = session.generation.written, session.vocabulary.unit
    if unit == "token":
        _say_what_tokens_are(session)
    if not written:
        st.markdown(
            "The bars are everything the model knows about what comes next. Write, or pick a"
            f" {unit} by hand, and each {unit} keeps the probability it had."
        )
        return
    surprisal = [-math.log2(max(w.model_probability, 1e-12)) for w in written]
    mean = sum(surprisal) / len(surprisal)
    expected = sum(w.entropy_bits for w in written) / len(written)
    rarest = min(written, key=lambda w: w.model_probability)
    st.markdown(
        f"The {len(written):,} {unit}s were worth **{mean:.2f} bits** each: so surprised was"
        " the model, on average, by what was written (its *surprisal*, −log₂ of the probability)."
        f" It expected {expected:.2f} bits (its *entropy*). {_verdict(mean - expected, unit)} The"
        f" least probable {unit} had {rarest.model_probability:.2%}"
        f"{', picked by hand' if rarest.picked_by_hand else ''}."
    )


def _say_what_tokens_are(session: GenerationSession) -> None:
    ids, vocabulary = session.generation.ids, session.vocabulary
    n_characters = sum(map(len, vocabulary.spell(ids)))
    st.markdown(
        f"This model's *tokens* are {len(vocabulary) - 1:,} characters and subwords, some of"
        f" them whole words. The text above, the prompt included, is {len(ids):,} tokens long:"
        f" {n_characters / len(ids):.1f} characters each."
    )


def _verdict(difference: float, unit: str) -> str:
    if difference < -0.15:
        return "It writes more predictably than it believes the book to be: the chain cuts risks."
    if difference > 0.15:
        return (
            "It is surprised by its own text: the chain, or a hand, chose what it finds unlikely."
        )
    return f"The two agree, as they must when {unit}s are drawn as the model says."
