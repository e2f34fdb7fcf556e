"""The snapshots of a training: map, neighbours, losses, and the prediction for the window above."""

from collections.abc import Sequence

import streamlit as st

from lm_core.analysis.word_space import WordSpace
from lm_core.experiments.word2vec.negative_sampling_training import NegativeSamplingConfig
from lm_core.experiments.word2vec.short_text import (
    Snapshot,
    TrainingRecord,
    centre_word_probabilities,
    real_pair_probabilities,
)
from lm_core.experiments.word2vec.synthetic import CONFIG
from lm_core.text.word_vocabulary import WordVocabulary
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.charts.word_vectors import neighbour_bars, neighbour_frame
from pages.shared.counts import counted
from pages.shared.numbers import percent
from pages.shared.ui.playback import step_of
from pages.word2vec.snapshot_map import draw_map, words_on_map
from pages.word2vec.text import SYNTHETIC, Material
from pages.word2vec.training_loss import draw_losses
from pages.word2vec.window import PLACE

SNAPSHOT = "snapshot"  # name of the control that says which snapshot is shown

_NEAR, _GUESSES = 6, 5
_PAIRS, _LONG = 3, 6
"""Pairs of like words that are told, and the letters from which on a word is rarely a function word."""


def look_back(material: Material, training: TrainingRecord) -> None:
    """Draw a snapshot of the training, with the controls to walk through all of them."""
    vocabulary = material.short.vocabulary
    left, right = st.columns([1, 1], vertical_alignment="bottom")
    with left:
        start, words = _first_word(vocabulary), sorted(vocabulary.words)
        if st.session_state.get("of_word") not in (None, *words):
            del st.session_state["of_word"]
        word = page.control(st.selectbox, "of_word", "Word", words, words.index(start))
    with right:
        table = page.segments("embedding", "Embedding", ("input", "output"))
    page.playback_bar(
        SNAPSHOT,
        len(training.snapshots),
        lambda step: _draw(material, training, table, vocabulary.ids[word], step),
        label="Snapshot",
        seconds_per_step=0.6,
        shortcuts=False,
    )


def _first_word(vocabulary: WordVocabulary) -> str:
    """Return the word that is looked at first: of a stranger's text, a frequent one that says what it is about."""
    if "king" in vocabulary:
        return "king"
    by_count = vocabulary.words
    return next((word for word in by_count if len(word) >= _LONG), by_count[len(by_count) // 4])


def _draw(material: Material, training: TrainingRecord, table: str, word: int, step: int) -> None:
    snapshot = training.snapshots[min(step, len(training.snapshots) - 1)]
    space = WordSpace.of(material.short.vocabulary, getattr(snapshot, table))
    st.markdown(_what_is_learned(space, words_on_map(material, word), snapshot))
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        draw_map(material, training, table, word, snapshot)
    with right:
        _neighbours(space, word, snapshot)
        draw_losses(material, training, snapshot)
    _prediction(material, snapshot)


def _what_is_learned(space: WordSpace, shown: Sequence[int], snapshot: Snapshot) -> str:
    """Say which words of the map have the most similar vectors, and why, whatever the text."""
    pairs = [
        f"**{space.vocabulary.words[a]}** and **{space.vocabulary.words[b]}** ({cosine:.2f})"
        for a, b, cosine in space.most_alike(shown, _PAIRS)
    ]
    listed = ", ".join(pairs)
    if snapshot.step == 0:
        return f"Before the training all vectors are random, so some are alike by chance, with these cosines: {listed}."
    return (
        f"After {counted(snapshot.step, 'step')} these words on the map have the most similar vectors, with these"
        f" cosines: {listed}. Two vectors become similar where the same words stand around both words, because"
        " the network must then make the same predictions."
    )


def _neighbours(space: WordSpace, word: int, snapshot: Snapshot) -> None:
    found = space.nearest(space.vectors[word], _NEAR, exclude=[word])
    names = [space.vocabulary.words[each.id] for each in found]
    counts = [space.vocabulary.counts[each.id] for each in found]
    frame = neighbour_frame(names, [each.cosine for each in found], counts)
    finding = f"Nearest to {space.vocabulary.words[word]}: {names[0]}"
    st.markdown(f"**{finding}**")
    page.show_chart(
        neighbour_bars(frame, BLUE, height=200),
        key="snapshot_neighbours",
        alt=f"After {percent(snapshot.share)} of the training. {finding}, then {', '.join(names[1:])}.",
        name="training-neighbours",
    )


def _other_network(material: Material) -> str:
    """Say, where another network's prediction is drawn above, why it is another one."""
    if material.kind != SYNTHETIC:
        return ""
    return (
        f" The picture above is of another network, with {CONFIG.width} numbers a word so that all of"
        " them can be drawn: it was trained by itself, and its percentages differ."
    )


def _prediction(material: Material, snapshot: Snapshot) -> None:
    """Say which centre word the vectors of this snapshot predict for the window above."""
    ids, place = material.short.ids, step_of(PLACE)
    if place >= len(ids):
        return
    words = material.short.vocabulary.words
    if isinstance(material.config, NegativeSamplingConfig):
        _pairs(
            material.config,
            words,
            int(ids[place]),
            real_pair_probabilities(snapshot, ids, place, material.config.window),
        )
        return
    found = centre_word_probabilities(snapshot, ids, place, material.config)
    best = found.topk(_GUESSES)
    guessed = ", ".join(
        f"{words[i]} {percent(p)}"
        for i, p in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    )
    truth = int(ids[place])
    st.markdown(
        f"For the window above, these vectors of {snapshot.input.shape[1]} numbers predict as"
        f" centre word, because their products with the context are the largest: {guessed}. The"
        f" true word is **{words[truth]}**, with probability"
        f" {percent(float(found[truth]), 1)}.{_other_network(material)}"
    )


def _pairs(
    config: NegativeSamplingConfig,
    words: Sequence[str],
    centre: int,
    near: Sequence[tuple[int, float]],
) -> None:
    """Say which pairs of the window above skip-gram takes for true ones."""
    listed = ", ".join(f"*{words[i]}* {percent(p)}" for i, p in near)
    st.markdown(
        f"Skip-gram asks of each pair of words whether it is from the text or drawn. For **{words[centre]}**"
        f" and the words around it in the window above, its probability of *from the text* is: {listed}. One pair"
        f" in {config.negatives + 1} was from the text, that is {percent(1 / (config.negatives + 1))}, so a"
        " higher number means that the vectors have learned this pair."
    )
