"""Axes made of words: where the words of a map lie between some words and their opposites."""

import streamlit as st
import torch

from lm_core.analysis.word_space import axis_between
from lm_core.errors import SettingError
from pages.embeddings.map_view import MapView, Picture
from pages.embeddings.typed_words import read_or_say
from pages.embeddings.vectors import MOST_TYPED
from pages.shared import page

_MOST = 8
_ENDS = {
    "left": ("Left end", "she her woman girl"),
    "right": ("Right end", "he his man boy"),
    "low": ("Lower end", "home family house"),
    "high": ("Upper end", "throne crown royal court"),
}


def on_own_axes(view: MapView) -> Picture | None:
    """Draw the four lists of words, and return where the words lie between them."""
    ends = {}
    with st.container(horizontal=True):
        typed = {
            name: page.control(st.text_input, name, label, words, max_chars=MOST_TYPED)
            for name, (label, words) in _ENDS.items()
        }
    for name, written in typed.items():
        found = read_or_say(
            written, view.choice.meta, view.choice.vocabulary, name=name, most=_MOST
        )
        ends[name] = found.known if found else ()
    if not all(ends.values()):
        return None
    space = view.choice.space(view.table)
    unit = {name: space.unit(ids) for name, ids in ends.items()}
    try:
        across = axis_between(unit["left"], unit["right"])
        up = axis_between(unit["low"], unit["high"])
    except SettingError as error:
        page.show_error(error)
        return None
    first = {name: view.choice.vocabulary.words[ids[0]] for name, ids in ends.items()}
    return Picture(
        view.unit @ torch.stack([across, up]).T,
        (f"{first['left']} ← → {first['right']}", f"{first['low']} ← → {first['high']}"),
        "An axis is a direction: it leads from the mean of the words at one end to the mean of the words"
        f" at the other ({len(ends['left'])} and {len(ends['right'])} words across, {len(ends['low'])} and"
        f" {len(ends['high'])} upwards). A word's place on it is the cosine of its vector with this"
        " direction, so it shows whose company the word keeps. The cosine of the two axes is"
        f" {float(across @ up):.2f}; at 0 they would measure different things.",
        f"Across from {first['left']} to {first['right']}, up from {first['low']} to {first['high']}",
    )
