"""The map of the letters while a network learns names: whether the vowels find each other."""

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.neural_language_model.study import EMBEDDING_SIZES
from lm_core.text.names import SYMBOLS
from pages.neural_language_model.letter_maps import N_RANDOM, VOWELS, LetterMaps, maps_of
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.charts.word_maps import map_frame, word_map
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code

FRAME = "letter_frame"  # name of the control that says which step of the training is shown

_GROUPS = ("vowel", "consonant", "end of a name")
_ANSWERS = {"All of it": 1.0, "Three quarters": 0.75, "Half": 0.5, "A quarter": 0.25}
_RATIO = "vowels together"
_BEFORE_1 = 0.5  # where on the logarithmic axis the start is drawn

_HEIGHT = 320
_GROWTH = 1.4  # the map is half as wide as those for which its names are laid out


def _choose_embedding_size() -> int:
    """Draw how many numbers a letter has, and return it."""
    return page.segments("letter_numbers", "Numbers a letter", EMBEDDING_SIZES)


def letters(screen: page.FirstScreen) -> None:
    """Draw the letters' map and how near the vowels are, step by step."""
    with screen.controls:
        size = _choose_embedding_size()
    maps = maps_of(size)
    asked = _ask(screen, maps, size)
    with screen.picture:
        page.playback_bar(
            FRAME,
            len(maps.steps),
            lambda i: _draw(maps, size, i, asked),
            label="Frame of the training",
        )
    if not asked.masks:
        page.note_beside(
            screen,
            "Nobody told the network what a vowel is. Similar letters follow after all five, so the same"
            f" weights serve them best from the same place. Of {N_RANDOM:,} random groups of five"
            f" letters, {maps.by_chance or 'none'} end as close. The letter that ends farthest from the"
            f" middle is {as_code(maps.farthest)}.",
        )


def _ask(screen: page.FirstScreen, maps: LetterMaps, size: int) -> page.Asked:
    return page.ask(
        screen,
        f"letters_{size}",
        "At the end, how far apart are two vowels, as a share of the distance from a vowel to a consonant?",
        _ANSWERS,
        right=maps.ratios[-1],
        reason=(
            f"**{percent(maps.ratios[-1])}** of it, and {percent(maps.ratios[0])} before the"
            " training, when all places were random. Vowels come together because similar letters"
            " follow them."
        ),
    )


def _draw(maps: LetterMaps, size: int, i: int, asked: page.Asked) -> None:
    is_masked = i > 0 and asked.masks
    vowels = (
        "how far apart are the vowels?"
        if is_masked
        else f"the vowels are at {percent(maps.ratios[i])}"
    )
    st.markdown(f"**After {maps.steps[i]:,} steps {vowels}**")
    left, right = st.columns([1.25, 1], gap="small")
    with left:
        _map(maps, size, i)
    with right:
        _ratios(maps, i, asked)


def _group(symbol: str) -> str:
    return _GROUPS[0] if symbol in VOWELS else _GROUPS[1] if symbol.isalpha() else _GROUPS[2]


def _map(maps: LetterMaps, size: int, i: int) -> None:
    every = np.concatenate(maps.points)
    low, high = every.min(0) - 0.3, every.max(0) + 0.3
    names = ("number", "number") if size == 2 else ("main direction", "main direction")
    frame = map_frame(SYMBOLS, maps.points[i], [_group(symbol) for symbol in SYMBOLS])
    page.show_chart(
        word_map(
            frame,
            titles=(f"first {names[0]}", f"second {names[1]}"),
            groups=_GROUPS,
            bounds=((low[0], high[0]), (low[1], high[1])),
            height=_HEIGHT,
            text_growth=_GROWTH,
        ),
        frame[["word", "x", "y", "group"]],
        key="letters_map",
        alt=f"The 26 letters and the end of a name after {maps.steps[i]:,} steps;"
        f" the picture shows {percent(maps.share)} of their variance.",
        name="letter-map",
        is_small=True,
    )


def _ratios(maps: LetterMaps, i: int, asked: page.Asked) -> None:
    shown = maps.ratios if not asked.masks else maps.ratios[:1]
    known = list(zip(maps.steps, shown, strict=False))
    last = maps.steps[-1]
    guess = asked.at(lambda value: (last, value))
    page.show_chart(
        page.line_chart(
            {_RATIO: [(max(step, _BEFORE_1), ratio) for step, ratio in known]},
            {_RATIO: page.LineStyle(BLUE)},
            page.Axis("step", (_BEFORE_1, last), True, (1, 10, 100, 1_000, last)),
            page.Axis("relative distance", (0.0, 1.5), form=".0%"),
            references={"as far as to consonants": [(_BEFORE_1, 1.0), (last, 1.0)]},
            guess=guess,
            now=max(maps.steps[i], _BEFORE_1),
            has_points=True,
            has_names=False,
            height=_HEIGHT,
        ),
        pd.DataFrame(known, columns=["step", "ratio"]),
        key="letters_ratio",
        alt=f"{percent(shown[min(i, len(shown) - 1)])} after"
        f" {maps.steps[min(i, len(shown) - 1)]:,} steps",
        name="vowels-together",
        is_small=True,
    )
