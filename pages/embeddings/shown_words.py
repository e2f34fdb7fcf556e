"""The words that a map shows, and their colours."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from lm_core.analysis.t_sne import MOST_POINTS
from lm_core.analysis.word_space import WordSpace
from lm_core.experiments.clustering.word_points import word_clusters
from lm_core.rng import generator
from pages.embeddings.vectors import INPUT, is_own
from pages.embeddings.word_choice import Choice
from pages.shared.ui.controls import control
from pages.shared.word_links import (
    AROUND,
    CLUSTER,
    FEWEST_COLOURS,
    FREQUENCY,
    MOST_COLOURS,
    link_to_clusters,
)

_FREQUENT, _THEMES = "most frequent", "seven themes"
THEMES = {
    "rulers": "king queen prince princess emperor empress",
    "family": "father mother brother sister son daughter",
    "numbers": "two three four five six seven",
    "body": "hand head face arm foot hair",
    "food": "bread meat wine tea milk soup",
    "war": "army battle soldiers enemy regiment cannon",
    "weather": "rain snow wind storm sun clouds",
}
_FEWEST_OF_THEMES = 12  # words of the themes that vectors must hold for a map of them
_BANDS = ((1_000, "1,000 times or more"), (100, "100 to 999 times"), (0, "fewer than 100 times"))


class Shown(NamedTuple):
    """The words of a map."""

    # whichever of them is chosen, in the same order: so a picture of them stays as it is
    ids: tuple[int, ...]
    place: int  # of the chosen word among them
    # of each word: a theme, its cluster, or how often it occurs; "no theme" for a chosen word that
    # has none
    groups: tuple[str, ...]
    legend: tuple[str, ...]  # the groups that have a colour, in their order


def choose_shown(choice: Choice, table: str = INPUT) -> Shown:
    """Draw what decides which words are on the map, and return them."""
    n_known = sum(w in choice.vocabulary for words in THEMES.values() for w in words.split())
    kinds = (_THEMES, AROUND, _FREQUENT) if n_known >= _FEWEST_OF_THEMES else (AROUND, _FREQUENT)
    kind = control(st.selectbox, "shown", "Words", kinds)
    if kind == _THEMES:
        return _of_themes(choice)
    n = control(st.slider, "points", "How many", 30, MOST_POINTS, 120, 10)
    if kind == _FREQUENT:
        ids = _with(choice.word, range(min(n, len(choice.vocabulary))), n)
    else:  # other words with each chosen one
        space = choice.space(table)
        wanted = space.unit([choice.word])[0]
        found = space.nearest(wanted, n - 1, exclude=[choice.word], among=choice.among)
        ids = (choice.word, *(each.id for each in found))
    colours = (CLUSTER,) if is_own(choice.meta) else (FREQUENCY, CLUSTER)  # files hold no counts
    if control(st.selectbox, "coloured", "Coloured by", colours) == CLUSTER:
        return _in_clusters(choice, table, ids)
    counts = choice.vocabulary.counts
    return Shown(
        ids,
        ids.index(choice.word),
        tuple(next(name for least, name in _BANDS if counts[i] >= least) for i in ids),
        tuple(name for _, name in _BANDS),
    )


def _in_clusters(choice: Choice, table: str, ids: tuple[int, ...]) -> Shown:
    """Draw how many clusters there are, and the way to the page on them."""
    clusters = control(st.slider, "map_clusters", "Clusters K", FEWEST_COLOURS, MOST_COLOURS, 5)
    space = f"{choice.meta.name} {choice.meta.weights_sha256} {table} {choice.subtract_mean}"
    numbers = _clusters(choice.space(table), ids, clusters, space)
    if not is_own(choice.meta):
        link_to_clusters([choice.vocabulary.words[i] for i in ids], choice.meta.title, clusters)
    names = tuple(f"cluster {k + 1}" for k in range(clusters))
    return Shown(ids, ids.index(choice.word), tuple(names[k] for k in numbers), names)


@st.cache_data(max_entries=64, show_spinner=False)
def _clusters(
    _space: WordSpace, ids: tuple[int, ...], clusters: int, space: str
) -> tuple[int, ...]:
    """Return the cluster of each word; `space` tells the tables apart."""
    del space
    return tuple(word_clusters(_space.unit(ids), clusters, generator(0)).tolist())


def _with(word: int, ids: Sequence[int], n: int) -> tuple[int, ...]:
    """Return at most n ids with a word among them: where it is, or behind the others."""
    first = ids[:n]
    return tuple(first) if word in first else (*first[: n - 1], word)


def _of_themes(choice: Choice) -> Shown:
    known = choice.vocabulary.ids
    group_of = {known[w]: t for t, words in THEMES.items() for w in words.split() if w in known}
    ids = _with(choice.word, list(group_of), len(group_of) + 1)
    groups = tuple(group_of.get(i, "no theme") for i in ids)
    return Shown(ids, ids.index(choice.word), groups, tuple(THEMES))
