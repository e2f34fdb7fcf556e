"""Sequence to vector: a sentence goes in, and out comes how likely it is that somebody says it."""

import pandas as pd
import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.sequence_models.inference import speech_probabilities
from lm_core.text.symbols import read_sentence
from pages.sequence_models.library import READERS, model_of, provenance_of
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal, provenance

_FIRST = "He was silent for a moment, but I know what you want"
_SHOWN = 11


def sentence_to_class() -> None:
    """Draw the visitor's sentence, the running verdicts of three readers, and how good they are."""
    text = control(st.text_input, "sentence", "Sentence: spoken, or told?", _FIRST)
    try:
        sentence = read_sentence(text)
    except TextError as error:
        st.error(str(error), icon=":material/text_fields:")
    else:
        _verdicts(sentence)
    _comparison()


def _verdicts(sentence: str) -> None:
    running = {
        title: _running(name, sentence, provenance_of(name).weights_sha256)
        for name, title in READERS.items()
    }
    ends = {title: values[-1] for title, values in running.items()}
    st.markdown(
        f"**Speech? {'; '.join(f'{title}: {value:.0%}' for title, value in ends.items())}**"
    )
    frame = charts.verdict_frame(sentence, running)
    show_chart(
        charts.verdict_chart(frame),
        frame,
        key="reader_verdicts",
        alt="; ".join(
            f"{title}: {values[0]:.0%} after the first character, {values[-1]:.0%} at the end"
            for title, values in running.items()
        ),
        name="running-verdict",
    )
    st.markdown(
        f"Read as `{sentence}`: without capitals and closing signs, which would tell too much. Each"
        " point is the verdict if the sentence ended there. The *last* state has to carry whatever"
        " decided; the *mean* hears every state alike, so that early words keep their say. *Both ways*"
        " is such a mean of two networks, of which one reads from the end to the beginning."
    )
    _diagram(sentence)


def _diagram(sentence: str) -> None:
    name = control(
        st.segmented_control,
        "reader",
        "Diagram of",
        list(READERS),
        default="speech-last",
        required=True,
        format_func=READERS.__getitem__,
    )
    shown = tuple(sentence[:_SHOWN].replace(" ", "·"))
    frame = charts.unrolled_frame(
        charts.Unrolled(
            shown,
            ("",) * (len(shown) - 1) + ("p",),
            backwards=name == "speech-both",
            pooled=name != "speech-last",
        )
    )
    show_chart(
        charts.unrolled_chart(frame, height=270),
        frame,
        key="reader_diagram",
        alt=f"The first {len(shown)} characters are read one by one; p comes from the"
        f" {READERS[name]}.",
        name="sequence-to-vector",
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _running(name: str, sentence: str, weights: str) -> tuple[float, ...]:
    del weights  # part of the key
    with model_calls:
        return speech_probabilities(model_of(name), sentence)


def _comparison() -> None:
    prediction = predict_then_reveal(
        "reader_best",
        "Which of the three reads best, on sentences that none has learned from?",
        ("The last state", "The mean of all states", "Both directions"),
    )
    if not prediction.revealed:
        return
    provenances = {title: provenance_of(name) for name, title in READERS.items()}
    st.dataframe(
        pd.DataFrame(
            {
                "What decides": list(provenances),
                "Right": [100 * meta.scores["accuracy"] for meta in provenances.values()],
                "Nats per sentence": [meta.losses["held out"] for meta in provenances.values()],
                "Parameters": [meta.parameter_count for meta in provenances.values()],
            }
        ),
        hide_index=True,
        column_config={
            "Right": st.column_config.NumberColumn(format="%.1f %%"),
            "Nats per sentence": st.column_config.NumberColumn(format="%.3f"),
            "Parameters": st.column_config.NumberColumn(format="localized"),
        },
    )
    n = next(iter(provenances.values())).scores["sentences"]
    one_error = 50 / n**0.5
    st.markdown(
        f"On {n:,.0f} sentences from the last tenth of *War and Peace*, half of them spoken, where a"
        f" blind guess is right 50 % of the time. One standard error is at most {one_error:.1f}"
        " points: smaller differences than twice that say little, and each was trained once."
    )
    for name in READERS:
        provenance(provenance_of(name))
