"""The map of the patches: a row a token, a column a stage, and one cell that is carried over."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.analysis.patching import PatchMap
from lm_core.analysis.residual_stream import Stage
from pages.shared.charts.palette import numbered, visible
from pages.shared.components.cell_grids import Grid, Outline, Stack, cell_grids, row_height
from pages.shared.numbers import percent, written
from pages.transformer_block.patch_question import (
    CARRIED,
    STREAM,
    cell_stage_name,
    kind_of,
    short_stage_name,
)
from pages.transformer_block.prompt_pairs import PromptPair

_HEIGHT, _PRESENTED = 340, 420
"""Pixels of the map, and in the presenter view at least."""


class Shown(NamedTuple):
    """A map as it is looked at."""

    pair: PromptPair
    found: PatchMap
    rows: list[int]
    """Of its stages, those that are drawn."""
    cell: tuple[int, int]
    """The row and the token that are carried over."""

    @property
    def stage(self) -> Stage:
        """The stage of the cell."""
        return self.found.stages[self.rows[self.cell[0]]]


def patch_grid(shown: Shown, *, is_masked: bool) -> None:
    """Draw the map, a row a token and a column a stage; a cell that is clicked is carried over."""
    pair, found = shown.pair, shown.found
    effects = found.effects[shown.rows].numpy().astype(float).T
    stages = [found.stages[i] for i in shown.rows]
    tokens = [
        visible(b) if a == b else f"{visible(a)} → {visible(b)}"
        for a, b in zip(pair.a.symbols, pair.b.symbols, strict=True)
    ]
    token, stage = np.unravel_index(effects.argmax(), effects.shape)
    said = (
        "The answer waits."
        if is_masked
        else f"Strongest: {tokens[token]}, {cell_stage_name(stages[stage])},"
        f" {percent(effects[token, stage])}."
    )
    carried = kind_of(shown.stage)

    def carry(_: int, row: int, column: int) -> None:
        st.session_state["patched_token"], st.session_state["patched_stage"] = row, column

    grid = Grid(
        f"How far B's answer becomes A's, in %: {CARRIED[carried]}",
        np.full_like(effects, np.nan) if is_masked else effects,
        "0: embedding; a, f: after attention, feed-forward" if carried == STREAM else "by block",
        alt=f"{len(tokens)} tokens by {len(stages)} stages. {said}",
        texts=None if is_masked else [written(v, ".0%") for v in effects.flatten().tolist()],
        outlines=[] if is_masked else [Outline(shown.cell[1], shown.cell[0], 1, 1)],
        row_names=tokens,
        column_names=[short_stage_name(stage) for stage in stages],
        is_picked=not is_masked,
        largest=row_height(len(tokens), _HEIGHT),
        is_wide=True,
    )
    hint = "" if is_masked else "Tap a cell: what B predicts with it stands beside the map."
    cell_grids(
        [Stack([grid])],
        key="patch_map",
        name="patch-map",
        height=_HEIGHT + 40,
        least=_PRESENTED,
        hint=hint,
        on_pick=carry,
    )


def patch_table(shown: Shown) -> pd.DataFrame:
    """Return the map, a row a token of B and a column a stage."""
    stages = [cell_stage_name(shown.found.stages[i]) for i in shown.rows]
    frame = pd.DataFrame(shown.found.effects[shown.rows].numpy().T.round(5), columns=stages)
    for name, prompt in (("token of B", shown.pair.b), ("token of A", shown.pair.a)):
        frame.insert(0, name, numbered(prompt.symbols))
    return frame
