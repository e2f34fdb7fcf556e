"""The snapshots of a training: map, neighbours, losses, and the prediction for the window above."""

import math
from collections.abc import Sequence

import streamlit as st

from lm_core.analysis.principal_components import Projection, principal_components
from lm_core.analysis.word_space import WordSpace, unit_vectors
from lm_core.experiments.published import WORD_LOSSES, WORD_VOCABULARY
from lm_core.experiments.word2vec.short_text import (
    GROUPS,
    Snapshot,
    TrainingRecord,
    centre_word_probabilities,
    group_of,
)
from lm_core.experiments.word2vec.synthetic import CONFIG
from lm_core.text.word_vocabulary import WordVocabulary
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, PURPLE
from pages.shared.charts.word_maps import map_frame, word_map
from pages.shared.charts.word_vectors import neighbour_bars, neighbour_frame
from pages.shared.numbers import percent
from pages.shared.ui.figures import show_chart
from pages.shared.ui.playback import step_of
from pages.word2vec.text import PLACE, SYNTHETIC, Material

SNAPSHOT = "snapshot"
"""Name of the control that says which snapshot is shown."""

_TABLES = ("input", "output")
_ON_MAP, _NEAR, _GUESSES, _POINTS = 60, 6, 5, 160
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
        table = page.segments("embedding", "Embedding", _TABLES, _TABLES[0])
    page.playback_bar(
        SNAPSHOT,
        len(training.snapshots),
        lambda step: _draw(material, training, table, vocabulary.ids[word], step),
        label="Snapshot",
        start=len(training.snapshots) - 1,
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
    st.markdown(_what_is_learned(space, _shown(material, word), snapshot))
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        _map(material, training, table, word, snapshot)
    with right:
        _neighbours(space, word, snapshot)
        _losses(material, training, snapshot)
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
        f"After {snapshot.step:,} steps these words on the map have the most similar vectors, with these"
        f" cosines: {listed}. Two vectors become similar where the same words stand around both words, because"
        " the network must then make the same predictions."
    )


def _map(
    material: Material, training: TrainingRecord, table: str, word: int, snapshot: Snapshot
) -> None:
    ids = _shown(material, word)
    last = unit_vectors(getattr(training.snapshots[-1], table)[ids])
    picture = principal_components(last, 2)
    points = picture.place(unit_vectors(getattr(snapshot, table)[ids])).numpy()
    words = [material.short.vocabulary.words[i] for i in ids]
    groups = (
        [group_of(name) for name in words] if material.kind == SYNTHETIC else ["a word"] * len(ids)
    )
    frame = map_frame(words, points, groups, chosen=0)
    title = (
        f"After {percent(snapshot.share)}: {words[0]} among {len(words)} words ({table} embedding)"
    )
    st.markdown(f"**{title}**")
    show_chart(
        word_map(
            frame,
            titles=_titles(picture),
            groups=(*GROUPS, "other") if material.kind == SYNTHETIC else ("a word",),
            bounds=((-1.05, 1.05), (-1.05, 1.05)),
            height=440,
        ),
        frame,
        key="snapshot_map",
        alt=f"{title}, in the first two principal components of the last snapshot.",
        name="training-map",
    )


def _shown(material: Material, word: int) -> list[int]:
    """Return the words on the map, the chosen one first; of a made text, those of all its groups."""
    vocabulary = material.short.vocabulary
    wanted: Sequence[int] = range(min(_ON_MAP, len(vocabulary)))
    if material.kind == SYNTHETIC:
        named = [name for names in GROUPS.values() for name in names]
        wanted = [vocabulary.ids[name] for name in named if name in vocabulary]
    return [word, *(i for i in wanted if i != word)]


def _titles(picture: Projection) -> tuple[str, str]:
    first, second = (
        f"{percent(share)} of the variance at the end" for share in picture.shares.tolist()
    )
    return f"direction 1 ({first})", f"direction 2 ({second})"


def _neighbours(space: WordSpace, word: int, snapshot: Snapshot) -> None:
    found = space.nearest(space.vectors[word], _NEAR, exclude=[word])
    names = [space.vocabulary.words[each.id] for each in found]
    counts = [space.vocabulary.counts[each.id] for each in found]
    frame = neighbour_frame(names, [each.cosine for each in found], counts)
    finding = f"Nearest to {space.vocabulary.words[word]}: {names[0]}"
    st.markdown(f"**{finding}**")
    show_chart(
        neighbour_bars(frame, BLUE, height=200),
        frame,
        key="snapshot_neighbours",
        alt=f"After {percent(snapshot.share)} of the training. {finding}, then {', '.join(names[1:])}.",
        name="training-neighbours",
    )


def _losses(material: Material, training: TrainingRecord, snapshot: Snapshot) -> None:
    n_words = len(material.short.vocabulary)
    chance = math.log(n_words)
    points = _thinned(training.losses)
    reached, when = len(training.losses), "at the end" if training.is_done else "so far"
    now = ""
    if 0 < snapshot.step < reached:
        now = f", at this snapshot {_near(training.losses, snapshot.step):.2f}"
    st.markdown(f"**Loss: {_near(training.losses, reached):.2f} nats a word {when}{now}**")
    top = float(math.ceil(max(chance, points[0][1])))
    drawn = line_chart(
        {"loss": points},
        {"loss": LineStyle(PURPLE)},
        Axis("step", (0.0, float(training.n_steps))),
        Axis("loss (nats a word)", (0.0, top)),
        references={f"chance: ln {n_words}": [(0, chance), (training.n_steps, chance)]},
        now=float(snapshot.step),
        height=170,
    )
    show_chart(
        drawn,
        lambda: drawn.data.loc[drawn.data["name"] != "", ["name", "x", "y"]],
        key="snapshot_loss",
        alt=f"Loss from {points[0][1]:.2f} to {points[-1][1]:.2f} nats; chance is {chance:.2f}.",
        name="training-loss",
    )
    st.caption(
        f"Published on WikiText-2: {WORD_LOSSES[0]:.3f} nats in the first pass, {WORD_LOSSES[-1]:.3f} in"
        f" the seventh; chance is ln {WORD_VOCABULARY:,} = {math.log(WORD_VOCABULARY):.3f}.",
        help="Blog series, part II, and its notebook.",
    )


def _thinned(losses: Sequence[float]) -> list[tuple[float, float]]:
    """Return at most so many points of a curve, each the mean of its stretch."""
    every = -(-len(losses) // _POINTS)
    stretches = (losses[i : i + every] for i in range(0, len(losses), every))
    return [
        (float(min(len(losses), (i + 1) * every)), sum(part) / len(part))
        for i, part in enumerate(stretches)
    ]


def _near(losses: Sequence[float], step: int) -> float:
    """Return the mean loss of the ten steps before a snapshot: that of one batch says little."""
    nearby = losses[max(0, step - 10) : step]
    return sum(nearby) / len(nearby)


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
    found = centre_word_probabilities(snapshot, ids, place, material.config)
    words = material.short.vocabulary.words
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
