"""The network that predicts the word in the middle of the window, with vectors that are trained."""

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.word_space import unit_vectors
from lm_core.experiments.word2vec.full_softmax import mean_of_context
from lm_core.experiments.word2vec.short_text import GROUPS, Snapshot
from lm_core.experiments.word2vec.synthetic import CONFIG, SyntheticVectors
from pages.shared import page
from pages.shared.charts.word_vectors import vector_frame, vector_strips
from pages.shared.numbers import percent
from pages.word2vec.word_network_chart import OutputWord, network_chart, network_frame

_SHOWN = 7
_OPTIONS = ("No: they never meet", "Yes: they occur in the same contexts", "Only by chance")


@st.cache_resource(max_entries=1, show_spinner=False)
def _trained() -> tuple[tuple[str, ...], Snapshot]:
    found = SyntheticVectors.load()
    return found.words, found.vectors


def are_trained(context: list[str], centre: str) -> bool:
    """Return whether all these words have vectors in the trained network."""
    words, _ = _trained()
    return bool(context) and {*context, centre} <= set(words)


def draw_network(context: list[str], centre: str) -> None:
    """Draw how the context words' vectors become the probabilities of the word in the middle."""
    words, vectors = _trained()
    ids = torch.tensor([[words.index(word) for word in context]])
    hidden = mean_of_context(vectors.input, ids, torch.ones_like(ids, dtype=torch.bool))
    found = (hidden @ vectors.output.T).softmax(1)[0]
    best = found.topk(_SHOWN).indices.tolist()
    truth = words.index(centre)
    shown = best if truth in best else [*best[:-1], truth]
    outputs = [
        OutputWord(words[i], vectors.output[i].numpy(), float(found[i]), i == truth) for i in shown
    ]
    rows = [
        (word, vectors.input[i].numpy()) for word, i in zip(context, ids[0].tolist(), strict=True)
    ]
    frame = network_frame(rows, hidden[0].numpy(), outputs)
    listed = ", ".join(f"{each.word} {percent(each.probability)}" for each in outputs[:3])
    finding = f"In place of {centre} the trained network expects {listed}"
    st.markdown(f"**{finding}**")
    page.show_chart(
        network_chart(frame),
        frame[["kind", "word", "value"]],
        key="network",
        alt=f"{finding}. Context: {', '.join(context)}.",
        name="word2vec-network",
    )


def ask_for_company() -> None:
    """Ask whether words that never meet become alike; then tell the cosines."""
    words, vectors = _trained()
    king, ruler, dog = (words.index(word) for word in ("king", "ruler", "dog"))
    unit = unit_vectors(vectors.input)
    near, far = float(unit[king] @ unit[ruler]), float(unit[king] @ unit[dog])
    asked = page.ask(
        None,
        "company",
        "*king* and *ruler* never occur in the same sentence of this text. Will their vectors become"
        " similar?",
        _OPTIONS,
        right=_OPTIONS[1],
        reason=f"The cosine of *king* and *ruler* is **{near:.2f}**, that of *king* and *dog*"
        f" {far:.2f}. Words in the same contexts must make the same predictions, and the"
        " network predicts from their vectors alone, so the vectors become similar.",
    )
    if not asked.masks and not page.is_presenting():  # where only the picture has room
        _alike(unit[[king, ruler, dog]].numpy(), near)


def _alike(vectors: np.ndarray, cosine: float) -> None:
    """Draw the numbers of the two words that became alike, and those of one that did not."""
    frame = vector_frame(("king", "ruler", "dog"), vectors)
    finding = (
        f"king and ruler have nearly the same {vectors.shape[1]} numbers, dog has different ones"
    )
    st.markdown(f"**{finding}**")
    page.show_chart(
        vector_strips(frame),
        key="company_strips",
        alt=f"{finding}; the cosine of king and ruler is {cosine:.2f}.",
        name="word2vec-king-ruler-dog",
    )


def how_to_read() -> None:
    """Say what the picture shows; in the presenter view, where the answer needs the room, only its colour."""
    if page.is_presenting():
        st.caption("Orange: the true word.")
        return
    st.markdown(
        f"Each word has {CONFIG.width} numbers in the *input embedding* (left matrix) and {CONFIG.width}"
        " in the *output embedding* (right). CBOW takes the mean of the context words' rows, multiplies"
        " it with every output row, and *softmax* turns the products into probabilities. The true word is"
        f" orange. Words of one group, such as {', '.join(GROUPS['rulers'])}, share the probability,"
        " because any of them could stand there."
    )
