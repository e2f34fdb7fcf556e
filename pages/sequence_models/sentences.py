"""Sequence to vector: a sentence goes in, and out comes the probability that somebody says it."""

import pandas as pd
import streamlit as st

from lm_core.experiments.sequence_models.inference import speech_probabilities
from lm_core.text.symbols import read_sentence
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.checkpoints import SHIPPED, read_meta
from pages.sequence_models import letters_chart, unrolled_network_chart
from pages.shared import page
from pages.shared.models.language_models import model_named
from pages.shared.numbers import percent
from pages.shared.ui import lesson
from pages.shared.ui.markdown import escaped

CLASSIFIERS = {
    "speech-last": "last state",
    "speech-mean": "mean state",
    "speech-both": "bidirectional",
}
_BEST = dict(
    zip(
        ("The last state", "The mean of all states", "The bidirectional one"),
        CLASSIFIERS.values(),
        strict=True,
    )
)
"""The answers to choose from, and the classifier that each names."""
_FIRST = "He was silent for a moment, but I know what you want"
_SHOWN = 11


def sequence_to_vector(screen: page.FirstScreen) -> None:
    """Draw the probability of speech after each character, and how the classifiers compare."""
    with screen.controls:
        text = page.text("sentence", "Sentence: speech or narration?", _FIRST)
    asked = _ask(screen)
    with screen.picture:
        sentence = page.read_and_say("sentence", text, _read, _FIRST)
        _probabilities(sentence)
    _explain(sentence)
    _diagram(sentence)
    if not asked.masks:
        _comparison()


def _read(typed: str) -> tuple[str, WhatWasRead]:
    sentence = read_sentence(typed)
    return sentence, sentence_as_read(typed, sentence)


def _probabilities(sentence: str) -> None:
    running = {
        title: _after_each_character(name, sentence, read_meta(SHIPPED / name).weights_sha256)
        for name, title in CLASSIFIERS.items()
    }
    ends = "; ".join(f"{title}: {percent(values[-1])}" for title, values in running.items())
    st.markdown(f"**Probability of speech: {ends}**")
    page.show_chart(
        letters_chart.probability_lines(sentence, running, title="probability of speech"),
        pd.DataFrame({"character": list(sentence), **running}),
        key="classifier_probabilities",
        alt="; ".join(
            f"{title}: {percent(values[0])} after the first character, {percent(values[-1])} at the end"
            for title, values in running.items()
        ),
        name="probability-by-character",
    )


def _explain(sentence: str) -> None:
    st.markdown(
        f"Read as *{escaped(sentence)}*: without capitals and closing signs, which would give the class away."
        " Each point is the output if the sentence ended there. The *last state* must store whatever"
        " decides. The *mean state* weighs all states alike, so early words still count. The"
        " *bidirectional* classifier takes the mean state of two networks, one of which reads from the"
        " end."
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _after_each_character(name: str, sentence: str, weights: str) -> tuple[float, ...]:
    with page.model_calls:
        return speech_probabilities(model_named(name, weights).model, sentence)


def _diagram(sentence: str) -> None:
    name = page.segments("classifier", "Diagram of", CLASSIFIERS, "speech-last")
    shown = tuple(sentence[:_SHOWN].replace(" ", "·"))
    table = unrolled_network_chart.unrolled_table(
        unrolled_network_chart.Unrolled(
            shown,
            ("",) * (len(shown) - 1) + ("p",),
            backwards=name == "speech-both",
            pooled=name != "speech-last",
        )
    )
    page.show_chart(
        unrolled_network_chart.unrolled_chart(table, height=270),
        key="classifier_diagram",
        alt=f"The first {len(shown)} characters are read one by one; p comes from:"
        f" {CLASSIFIERS[name]}.",
        name="sequence-to-vector",
    )


def _ask(screen: page.FirstScreen) -> page.Asked:
    """Ask which classifier is right most often, and say how often the others are."""
    shares = {
        title: read_meta(SHIPPED / name).scores["accuracy"] for name, title in CLASSIFIERS.items()
    }
    best = max(shares, key=shares.__getitem__)
    reason = ", ".join(f"{title} {percent(share, 1)}" for title, share in shares.items())
    return page.ask(
        screen,
        "classifier_best",
        "Which of the three classifiers is best on held-out sentences?",
        _BEST,
        right=page.answer_meaning(best, _BEST),
        reason=f"Right on held-out sentences: {reason}. The last state has to hold the whole"
        " sentence, while a mean has a part of every place. So small a difference may also be"
        " chance, because about 1,000 sentences leave a standard error of 1.2 points.",
    )


def _comparison() -> None:
    provenances = {title: read_meta(SHIPPED / name) for name, title in CLASSIFIERS.items()}
    st.dataframe(
        pd.DataFrame(
            {
                "Classifier": list(provenances),
                "Right": [100 * meta.scores["accuracy"] for meta in provenances.values()],
                "Nats per sentence": [meta.losses["held out"] for meta in provenances.values()],
                "Parameters": [meta.parameter_count for meta in provenances.values()],
            }
        ),
        hide_index=True,
        column_config={
            "Right": st.column_config.NumberColumn(format="%.1f %%"),
            "Nats per sentence": st.column_config.NumberColumn(format="%.3f"),
            "Parameters": st.column_config.NumberColumn(format="localized"),
        },
    )
    n = next(iter(provenances.values())).scores["sentences"]
    st.markdown(
        f"Measured on {n:,.0f} sentences from the last tenth of *War and Peace*, half of them spoken:"
        f" chance is 50 %. One standard error is at most {50 / n**0.5:.1f} points, so differences of"
        " less than two of them say little. Each classifier was trained once."
    )
    for meta in provenances.values():
        lesson.provenance(meta)
