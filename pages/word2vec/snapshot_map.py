"""The words of a snapshot as a map."""

from collections.abc import Sequence

import streamlit as st

from lm_core.analysis.principal_components import Projection, principal_components
from lm_core.analysis.word_space import unit_vectors
from lm_core.experiments.word2vec.short_text import GROUPS, Snapshot, TrainingRecord, group_of
from pages.shared.charts.word_maps import map_frame, word_map
from pages.shared.numbers import percent
from pages.shared.ui.figures import show_chart
from pages.word2vec.text import SYNTHETIC, Material

_ON_MAP = 60


def draw_map(
    material: Material, training: TrainingRecord, table: str, word: int, snapshot: Snapshot
) -> None:
    """Draw the words by their vectors, seen from where the last snapshot differs most."""
    ids = words_on_map(material, word)
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


def words_on_map(material: Material, word: int) -> list[int]:
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
