"""One cell carried from one prompt's run into another's, to see which one decides the answer."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.patching import PatchMap
from pages.shared import page
from pages.shared.charts import predictions
from pages.shared.charts.palette import numbered, visible
from pages.shared.components.attention import data_popover
from pages.shared.numbers import percent
from pages.shared.ui.controls import begin_anew
from pages.shared.ui.markdown import as_code
from pages.transformer_block.patch_grid import Shown, patch_grid, patch_table
from pages.transformer_block.patch_question import CARRIED, ask_which_cell, cell_stage_name, kind_of
from pages.transformer_block.patch_runs import patch_map, patched_prediction
from pages.transformer_block.patch_search import searched
from pages.transformer_block.prompt_pairs import PromptPair, choose_pair


def patch_cells(screen: page.FirstScreen) -> None:
    """Draw what each cell decides between two prompts, and what B predicts with one cell of A."""
    with screen.controls:
        row = st.container(horizontal=True, vertical_alignment="bottom", width="content")
    more = page.more(screen)
    pair = choose_pair(row, more, screen.picture)
    with screen.picture:
        found = patch_map(*pair.key)
    kinds = dict.fromkeys(kind_of(stage) for stage in found.stages)
    with row:
        carried = page.choice(
            "carry", "Carry over", {kind: CARRIED[kind] for kind in kinds}, width=180
        )
    rows = [i for i, stage in enumerate(found.stages) if kind_of(stage) == carried]
    shown = Shown(pair, found, rows, _choose_cell(more, pair, found, rows))
    asked = ask_which_cell(screen, pair, found)
    with screen.picture:
        st.markdown(f"**{_finding(pair, found, is_masked=asked.masks)}**")
        # In the presenter view the verdict leaves no room for the bars beside the picture.
        left, right = (
            st.columns([1.2, 1]) if page.is_presenting() else (screen.picture, screen.beside)
        )
        with left:
            patch_grid(shown, is_masked=asked.masks)
            if not (asked.masks or page.is_presenting()):
                data_popover(partial(patch_table, shown), key="patch_map_data", name="patch-map")
        with right:
            _bars(shown, is_masked=asked.masks)
    page.note_beside(
        screen,
        "A *cell* is the vector of one token at one stage. *Activation patching* reads B again and gives this one"
        " cell the vector that it had in A. At 100 % the lead of A's answer over B's becomes what it is in A;"
        " at 0 % nothing changes. Before the first word that differs both runs are the same, so nothing can"
        " change there.",
    )
    page.below("What was searched, and what was found", "patching_search", searched, icon="search")


def _choose_cell(
    place: DeltaGenerator, pair: PromptPair, found: PatchMap, rows: list[int]
) -> tuple[int, int]:
    """Draw which cell is carried over: that of the changed word in the middle of the model at first."""
    names = {row: cell_stage_name(found.stages[i]) for row, i in enumerate(rows)}
    tokens = dict(enumerate(numbered(pair.b.symbols)))
    middle = len(rows) // 2
    about = (pair.key, len(rows), found.stages[rows[0]])
    begin_anew("patched_stage", about, middle)
    begin_anew("patched_token", pair.key, found.first_different)
    with place:
        row = page.choice("patched_stage", "Stage of the cell", names, middle)
        token = page.choice("patched_token", "Token of the cell", tokens, found.first_different)
    return row, token


# What is drawn --------------------------------------------------------------------------------
def _finding(pair: PromptPair, found: PatchMap, *, is_masked: bool) -> str:
    for_a, for_b = (_quoted(pair, token) for token in found.answers)
    a, b = found.probabilities_of_a, found.probabilities_of_b
    said = (
        f"{for_a} has {percent(float(a[found.answers[0]]))} after A and"
        f" {percent(float(b[found.answers[0]]))} after B, {for_b} {percent(float(a[found.answers[1]]))} and"
        f" {percent(float(b[found.answers[1]]))}"
    )
    return f"{said}: which cell decides?" if is_masked else said


def _quoted(pair: PromptPair, token: int) -> str:
    return as_code(visible(pair.b.vocabulary.symbols[token]))


def _bars(shown: Shown, *, is_masked: bool) -> None:
    """Draw what follows A and B, and B with the chosen cell of A."""
    pair, found = shown.pair, shown.found
    stages = {"A": found.probabilities_of_a.numpy(), "B": found.probabilities_of_b.numpy()}
    title = "patched"
    if not is_masked:
        stages[title] = patched_prediction(*pair.key[:4], shown.stage, shown.cell[1])
    table = predictions.prediction_table(pair.b.vocabulary.symbols, stages, most=5)
    if is_masked:
        table = predictions.with_stage_that_waits(table, title, found.answers)
    else:
        name = as_code(pair.b.symbols[shown.cell[1]].strip())
        st.markdown(f"**Next token of B with the cell of {name}, {cell_stage_name(shown.stage)}**")
    page.show_chart(
        predictions.prediction_bars(table, unit="token"),
        table,
        key="patched_next",
        alt=f"A and B left alone; B with the cell: {'?' if is_masked else predictions.bars_in_words(table)}",
        name="patched-next-token",
        is_small=True,
    )
