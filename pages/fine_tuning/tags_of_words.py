"""A tag for every word: the head that reads each word's vector."""

import numpy as np
import streamlit as st

from lm_core.experiments.fine_tuning.asking import WordsToTag, read_words, tag_probabilities
from lm_core.experiments.fine_tuning.settings import TAG
from pages.fine_tuning.examples import TAGGED
from pages.fine_tuning.head_fields import field, say_what_was_read
from pages.fine_tuning.subject import encoder_meta, results, tuned_model, vocabulary
from pages.shared import page
from pages.shared.charts.predictions import percentage
from pages.shared.charts.tagging import tag_map, tag_table
from pages.shared.numbers import percent
from pages.shared.turns import model_calls
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import read_or_keep


def tag_words(screen: page.FirstScreen, n_labelled: int) -> None:
    """Draw the tag of each word, by its vector."""
    typed = field(screen, "sentence_to_tag", "Sentence", TAGGED[0], TAGGED)
    with screen.picture:
        say_what_was_read(typed, TAGGED)
        asked = read_or_keep(
            "sentence_to_tag", typed, lambda text: read_words(text, vocabulary()), TAGGED[0]
        )
        labels = results().tasks[TAG].labels
        found = _tag_probabilities(
            encoder_meta().weights_sha256,
            n_labelled,
            asked.words,
            tuple(asked.subwords),
            tuple(asked.places),
        )
        least = int(found.max(1).argmin())
        tag = labels[int(found[least].argmax())]
        st.markdown(
            f"**Least certain: {as_code(asked.words[least])} is {tag} with"
            f" {percentage(float(found[least].max()))}**"
        )
        nothing = [[-1] * len(asked.words)]  # no tag is underlined: nothing was counted here
        table = tag_table([asked.words], labels, [found], nothing, [least])
        page.show_chart(
            tag_map(table, height=300),
            table,
            key="tag_map",
            alt="; ".join(
                f"{word} {labels[int(p.argmax())]} {percent(p.max())}"
                for word, p in zip(asked.words, found, strict=True)
            ),
            name="tags-of-words",
        )


@st.cache_data(max_entries=256, show_spinner=False)
def _tag_probabilities(
    sha256: str,
    n_labelled: int,
    words: tuple[str, ...],
    subwords: tuple[int, ...],
    places: tuple[int, ...],
) -> np.ndarray:
    del sha256  # part of the key
    model = tuned_model(TAG, n_labelled)
    with model_calls:
        return tag_probabilities(model, WordsToTag(words, list(subwords), list(places)))
