"""What the model made of its own text: surprisal token by token, and where it repeats itself."""

import numpy as np
import streamlit as st

from lm_core.generation.repetition import find_loop
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, visible
from pages.shared.counts import counted
from pages.shared.numbers import percent
from pages.war_and_peace.generation_session import GenerationSession

_LINE_TOKENS = 100  # at the text's end, shown in the surprisal line
_STYLES = {"entropy": page.LineStyle(GREY, 1), "surprisal": page.LineStyle(BLUE)}


def surprisal(session: GenerationSession) -> None:
    """Draw the surprisal of the text's end, token by token, and its expected value."""
    recent, unit = session.generation.written[-_LINE_TOKENS:], session.vocabulary.unit
    if not recent:
        return
    bits, tokens = (
        [w.surprisal_bits for w in recent],
        session.vocabulary.spell([w.token for w in recent]),
    )
    values = {"entropy": [w.entropy_bits for w in recent], "surprisal": bits}
    page.show_lines(
        "writing_surprisal",
        {name: list(enumerate(line, 1)) for name, line in values.items()},
        _STYLES,
        page.Axis(unit, (1, _LINE_TOKENS)),
        page.Axis("bits", (0, 12.0)),
        beside={"written": [visible(token) for token in tokens]},
        said=f"Surprisal of the last {len(recent)} {unit}s in bits: {sum(bits) / len(bits):.2f} on"
        f" average, {max(bits):.1f} at most.",
        height=170,
    )


def loop_note(session: GenerationSession) -> None:
    """Say so where the text has begun to repeat itself."""
    loop = find_loop(np.array(session.generation.ids))
    if loop is not None:
        st.info(
            "The text repeats itself: a stretch of"
            f" {counted(loop.period, session.vocabulary.unit)} has come"
            f" {counted(loop.repeats, 'time')} in a row. At a low temperature this"
            " mostly happens sooner, because a model that reads nearly the same chooses the same again.",
            icon=":material/cycle:",
        )


def explain(session: GenerationSession) -> None:
    """Explain probability, surprisal and entropy with the generated text."""
    written, vocabulary = session.generation.written, session.vocabulary
    unit, ids = vocabulary.unit, session.generation.ids
    if unit == "token":
        mean_length = sum(map(len, vocabulary.spell(ids))) / len(ids)
        st.markdown(
            f"This model's *tokens* are {len(vocabulary) - 1:,} characters and subwords, some of"
            f" them whole words. The text above, the prompt included, is {len(ids):,} tokens long,"
            f" so a token has {mean_length:.1f} characters on average."
        )
    if not written:
        st.markdown(
            "The bars are the model's prediction of what comes next. So write, or pick a"
            f" {unit} by hand, and each {unit} shows the probability it had."
        )
        return
    mean = sum(w.surprisal_bits for w in written) / len(written)
    expected = sum(w.entropy_bits for w in written) / len(written)
    rarest = min(written, key=lambda w: w.model_probability)
    st.markdown(
        f"The {len(written):,} {unit}s have a mean *surprisal* of **{mean:.2f} bits**: −log₂ of the"
        " probability that the model gave to what was written."
        f" It expected {expected:.2f} bits, its *entropy*. {_verdict(mean - expected, unit)} The"
        f" least probable {unit} had {percent(rarest.model_probability, 2)}"
        f"{', picked by hand' if rarest.picked_by_hand else ''}."
    )


def _verdict(difference: float, unit: str) -> str:
    if difference < -0.15:
        return "The text is more predictable than the model expected, because your settings remove unlikely tokens or, in a short text, by chance."
    if difference > 0.15:
        return "The text is more surprising than the model expected, because your settings, you, or in a short text chance picked unlikely tokens."
    return (
        f"The two are close. Over many texts they agree where {unit}s are drawn as the model says, because its entropy is the"
        " surprisal that it expects; in a single text chance moves the surprisal, and your settings may as well."
    )
