"""When the next quotation mark comes, with a unit held and without."""

import numpy as np
import pandas as pd
import streamlit as st
import torch

from lm_core.analysis.connectivity import state_before
from lm_core.analysis.continuations import NextMark, next_quotation_mark
from lm_core.analysis.surprisal import context_before
from lm_core.analysis.unit_activations import Clamp, ReadableLSTM
from lm_core.generation.sampling import SamplingSettings
from lm_core.models.recurrent_language_model import LSTMLanguageModel
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.model_vocabulary import vocabulary_of
from pages.inside_a_writer.subject import Subject
from pages.shared import page
from pages.shared.charts.surprisal import rank_bars
from pages.shared.models.book_models import model_of, snapshots_of

TEMPERATURE = 0.7
_TEXTS, _LENGTH = 64, 200
_CLASSES = ("closes", "opens", "no mark")
_MANY = "writer_many_wanted"


def until_next_mark(subject: Subject, place: int, clamp: Clamp, seed: int) -> None:
    """Draw over many texts which quotation mark comes next, with the unit free and held."""
    st.header("Does the next quotation mark close or open?", anchor=False)
    identity = (subject.meta.name, subject.meta.weights_sha256, subject.text[:place])
    wanted = (*identity, clamp, seed)
    if st.button(f"Write {_TEXTS} texts of each", icon=":material/edit_note:", key="writer_many"):
        st.session_state[_MANY] = wanted
    if st.session_state.get(_MANY) != wanted:
        st.caption(
            "One text proves nothing, because chance draws every character. Many, with the same"
            " random numbers, take seconds."
        )
        return
    marks = {
        "left alone": _marks(*identity, None, seed),
        f"held at {clamp.value:+.1f}": _marks(*identity, clamp, seed),
    }
    frame = pd.DataFrame(
        [
            (name, said, count / _TEXTS)
            for name, counts in marks.items()
            for said, count in zip(_CLASSES, counts, strict=True)
        ],
        columns=["kind", "rank", "share"],
    )
    ends = "; ".join(
        f"{name}: {m.closes} of {_TEXTS} close, {m.opens} open" for name, m in marks.items()
    )
    st.markdown(f"**The next mark within {_LENGTH} characters. {ends}**")
    page.show_chart(
        rank_bars(frame, _CLASSES, of="the texts"),
        frame.rename(columns={"kind": "unit", "rank": "next mark"}),
        key="writer_marks",
        alt=ends,
        name="next-quotation-mark",
    )


@st.cache_data(max_entries=32, show_spinner="Writing")
def _marks(name: str, weights_sha256: str, text: str, clamp: Clamp | None, seed: int) -> NextMark:
    """Return how many texts have which next quotation mark."""
    readable, last, vocabulary = from_here(name, weights_sha256, text, clamp)
    return next_quotation_mark(
        readable,
        last,
        vocabulary,
        SamplingSettings(TEMPERATURE),
        _TEXTS,
        _LENGTH,
        generator(seed),
        model_turn=lambda: page.model_calls,
    )


def from_here(
    name: str, weights_sha256: str, text: str, clamp: Clamp | None
) -> tuple[ReadableLSTM, np.ndarray, CharacterVocabulary]:
    """Return the model after all but the last character, the clamp in force from that one on."""
    model, vocabulary = model_of(name, weights_sha256), vocabulary_of(snapshots_of(name)[-1])
    ids = np.concatenate([context_before(vocabulary), vocabulary.encode(text)])
    assert isinstance(model, LSTMLanguageModel)
    with page.model_calls:
        start = state_before(model, torch.from_numpy(ids), len(ids) - 1)
    return ReadableLSTM(model, clamp, start), ids[-1:], vocabulary
