"""What one vector holds of a sentence, drawn as its numbers."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.translation_support import JudgedWord, context_vector
from lm_core.generation.translation import Translation
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.shared import page
from pages.shared.charts.word_vectors import vector_frame, vector_strips
from pages.shared.models.language_models import provenance_of
from pages.shared.models.translation import ATTENTION, ONE_VECTOR, translator


class Certain(NamedTuple):
    """One model's translation and, word by word, its own probability and the transformer's."""

    translation: Translation
    own: tuple[JudgedWord, ...]  # the end included
    judged: tuple[JudgedWord, ...]  # the end included

    @property
    def invented(self) -> list[JudgedWord]:
        """The invented words, with the model's own probability of each."""
        return [o for o, j in zip(self.own, self.judged, strict=True) if j.is_invented]


def draw_vector(sentence: str, both: dict[str, Certain]) -> None:
    """Draw all that the one-vector model knows of the sentence."""
    vector = _context(provenance_of(ONE_VECTOR).weights_sha256, sentence)
    n_attention = len(both[ATTENTION].translation.target_ids)
    frame = vector_frame(["c"], vector[None])
    st.markdown(f"**All that it knows of the sentence are these {len(vector)} numbers**")
    page.show_chart(
        vector_strips(frame),
        key="context_vector",
        alt=f"The context vector: {len(vector)} numbers from {vector.min():.2f} to {vector.max():.2f}.",
        is_small=True,
    )
    st.caption(
        "A number below 0 is blue, one above orange. With attention there is a fresh vector for each of"
        f" the {n_attention} subwords of its translation, so no single one has to hold everything."
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _context(weights_sha256: str, sentence: str) -> np.ndarray:
    del weights_sha256  # part of the key
    model = translator(ONE_VECTOR)
    assert isinstance(model, RecurrentEncoderDecoder)
    with page.model_calls:
        found: np.ndarray = context_vector(model, shipped_vocabulary(), sentence).numpy()
    return found
