"""Where the letters lie while a network learns names."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.group_distances import distance_ratio, random_groups_as_close
from lm_core.analysis.principal_components import principal_components
from lm_core.experiments.neural_language_model.study import EMBEDDING_SIZES, steps_of_snapshots
from lm_core.rng import generator
from lm_core.text.names import SYMBOLS
from pages.neural_language_model.shipped import results

VOWELS = "aeiou"
N_RANDOM = 1_000


class LetterMaps(NamedTuple):
    """Where the letters lie at each step."""

    steps: tuple[int, ...]
    # tuple of ndarrays of shape (V, 2): all seen from where the last one differs most, if it has
    # more than two numbers
    points: tuple[np.ndarray, ...]
    share: float  # of the last embedding's variance that the map shows
    # mean distance between two vowels, by that between a vowel and a consonant, in all numbers
    ratios: tuple[float, ...]
    # of `N_RANDOM` random groups of as many letters, those that end as close together
    by_chance: int
    farthest: str  # the letter that ends farthest from the middle of all


@st.cache_data(max_entries=4, show_spinner=False)
def maps_of(size: int) -> LetterMaps:
    """Return the maps of a network whose letters have so many numbers."""
    place = EMBEDDING_SIZES.index(size)
    trained, embeddings = results().maps[place], results().embeddings[place]
    vowels = [SYMBOLS.index(letter) for letter in VOWELS]
    consonants = [i for i in range(1, len(SYMBOLS)) if i not in vowels]
    last = principal_components(embeddings[-1])
    if size == 2:
        points, share = embeddings, 1.0
    else:
        points, share = last.place(embeddings), float(last.shares.sum())
    return LetterMaps(
        steps_of_snapshots(trained.config.steps),
        tuple(points.numpy()),
        share,
        tuple(distance_ratio(vectors, vowels, consonants) for vectors in embeddings),
        random_groups_as_close(embeddings[-1], vowels, consonants, N_RANDOM, generator(0)),
        SYMBOLS[int((embeddings[-1] - embeddings[-1].mean(0)).norm(dim=1).argmax())],
    )
