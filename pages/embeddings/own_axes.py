"""Axes made of words: one end the mean of some words, the other end that of others."""

import streamlit as st
import torch

from lm_core.analysis.word_space import axis_between
from lm_core.errors import SettingError
from pages.embeddings.choices import MOST_TYPED, read_or_say
from pages.embeddings.map_picture import MapView, Picture
from pages.shared.ui.controls import control

_MOST = 8
_ENDS = {
    "left": ("Left end", "she her woman lady"),
    "right": ("Right end", "he his man gentleman"),
    "low": ("Lower end", "peace quiet home"),
    "high": ("Upper end", "war battle enemy"),
}


def on_own_axes(view: MapView) -> Picture | None:
    """Draw the four lists of words, and return where the words lie between them."""
    ends = {}
    for name, (label, words) in _ENDS.items():
        typed = control(st.text_input, name, label, words, max_chars=MOST_TYPED)
        found = read_or_say(typed, view.choice.meta, view.choice.vocabulary, name=name, most=_MOST)
        ends[name] = found.known if found else ()
    if not all(ends.values()):
        return None
    space = view.choice.space(view.table)
    unit = {name: space.unit(ids) for name, ids in ends.items()}
    try:
        across = axis_between(unit["left"], unit["right"])
        up = axis_between(unit["low"], unit["high"])
    except SettingError as error:
        st.error(str(error))
        return None
    first = {name: view.choice.vocabulary.words[ids[0]] for name, ids in ends.items()}
    return Picture(
        view.unit @ torch.stack([across, up]).T,
        (f"{first['left']} ← → {first['right']}", f"{first['low']} ← → {first['high']}"),
        f"A word's place is the cosine of its vector with an axis: across, from the mean of"
        f" {len(ends['left'])} words to that of {len(ends['right'])}; up, from {len(ends['low'])} to"
        f" {len(ends['high'])}. The cosine of the two axes is {float(across @ up):.2f}: at 0 they say"
        " different things.",
    )
