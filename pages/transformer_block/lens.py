"""What the model would say after each stage, if it ended there: the logit lens."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import PURPLE, visible
from pages.shared.components.attention import data_popover
from pages.shared.components.cell_grids import Grid, Outline, Stack, cell_grids, row_height
from pages.shared.models.read_sentences import Sentence
from pages.shared.numbers import percent
from pages.transformer_block.followed import choose_followed
from pages.transformer_block.question import ask_first_block
from pages.transformer_block.said_early import MOST, Lens, spelled
from pages.transformer_block.stages import stream_name
from pages.transformer_block.subject import choose_sentence, choose_token

_HEIGHT, _PRESENTED = 320, 440
"""Pixels of the grid, and in the presenter view at least."""


def what_it_would_say(screen: page.FirstScreen) -> None:
    """Draw the five likeliest tokens after each stage, and one of them followed through all."""
    sentence, more = choose_sentence(screen)
    position = choose_token(sentence, more)
    found, token = choose_followed(sentence, position, more, screen.picture)
    asked = ask_first_block(screen, sentence, position)
    with screen.picture:
        st.markdown(f"**{_finding(sentence, found, token, is_masked=asked.masks)}**")
        left, right = st.columns([1.8 if page.is_presenting() else 1.2, 1], gap="small")
        with left:
            _grid(sentence, found, token, is_masked=asked.masks)
            if not page.is_presenting():
                table = partial(_table, sentence, found, is_masked=asked.masks)
                data_popover(table, key="lens_data", name="logit-lens")
        with right:
            _course(sentence, found, token, asked)
    page.note_beside(
        screen,
        "The *logit lens* takes the stream after a stage straight to the last norm and the output layer,"
        " as if the blocks that follow added nothing. The last row is the model's own prediction. The"
        " rows in between have to be read with care, because the model was never trained to speak there.",
    )


def _finding(sentence: Sentence, found: Lens, token: int, *, is_masked: bool) -> str:
    word, at = spelled(sentence, token), found.ids.index(token)
    last = f"In the end {word} has {percent(float(found.followed[-1, at]))}"
    if is_masked:
        return f"{last}: where does it come from?"
    gains = np.diff(found.followed[:, at])
    largest = int(gains.argmax())
    if gains[largest] <= 0:
        return f"{last}: no stage makes it likelier"
    return f"{last}: most comes with {stream_name(found.stages[largest + 1])}"


def _grid(sentence: Sentence, found: Lens, token: int, *, is_masked: bool) -> None:
    symbols, n = sentence.vocabulary.symbols, len(found.stages)
    values = found.probabilities.astype(float).copy()
    texts = [visible(symbols[i]).strip() for i in found.best.flatten().tolist()]
    places = [tuple(map(int, place)) for place in np.argwhere(found.best == token)]
    if is_masked:
        values[:-1] = np.nan
        texts = ["?"] * (MOST * (n - 1)) + texts[-MOST:]
        places = [place for place in places if place[0] == n - 1]

    def follow(_: int, row: int, column: int) -> None:
        st.session_state["follow"] = int(found.best[row, column])

    names = [stream_name(stage) for stage in found.stages]
    grid = Grid(
        "Likeliest tokens after each stage",
        values,
        alt=_said(names, texts),
        is_signed=False,
        texts=texts,
        outlines=[Outline(row, column, 1, 1) for row, column in places],
        row_names=names,
        is_picked=not is_masked,
        largest=row_height(n, _HEIGHT),
        is_wide=True,
    )
    cell_grids(
        [Stack([grid])],
        key="lens",
        name="logit-lens",
        height=_HEIGHT,
        least=_PRESENTED,
        on_pick=follow,
    )


def _table(sentence: Sentence, found: Lens, *, is_masked: bool) -> pd.DataFrame:
    symbols, last = sentence.vocabulary.symbols, len(found.stages) - 1
    return pd.DataFrame(
        {
            "after": stream_name(stage),
            "rank": rank + 1,
            "token": visible(symbols[int(found.best[row, rank])]),
            "probability": float(found.probabilities[row, rank]),
        }
        for row, stage in enumerate(found.stages)
        for rank in range(MOST)
        if row == last or not is_masked
    )


def _said(names: list[str], texts: list[str]) -> str:
    rows = zip(names, (texts[i : i + MOST] for i in range(0, len(texts), MOST)), strict=True)
    return " ".join(f"{name}: {', '.join(row)}." for name, row in rows)


def _course(sentence: Sentence, found: Lens, token: int, asked: page.Asked[int]) -> None:
    word, at = visible(sentence.vocabulary.symbols[token]), found.ids.index(token)
    pairs = [(float(i), float(p)) for i, p in enumerate(found.followed[:, at])]
    beside = {
        "stage": [stream_name(stage) for stage in found.stages],
        "rank": found.ranks[:, at].tolist(),
    }
    page.show_lines(
        "followed_token",
        {word: pairs},
        {word: LineStyle(PURPLE)},
        Axis("stages behind", (0, len(pairs) - 1)),
        Axis("probability", (0, max(0.05, 1.1 * float(found.followed[:, at].max()))), form=".0%"),
        hidden=asked.hides(word),
        beside={} if asked.masks else beside,
        said="Probability of the followed token after each stage.",
        is_small=True,
        height=290,
    )
