"""Inside a writer: what the units of the LSTM that writes the book keep track of."""

import streamlit as st

from lm_core.analysis.connectivity import input_gradient, occlusion
from lm_core.analysis.continuations import next_quotation_mark
from lm_core.analysis.text_spans import inside_quotation
from lm_core.analysis.unit_activations import ClampedLSTMCell, ReadableLSTM, read_activations
from lm_core.analysis.unit_search import chance_correlations, correlations, find_units
from lm_core.experiments.inside_a_writer.results import MODEL, BinnedActivations
from lm_core.training.checkpoints import CheckpointMeta
from pages.inside_a_writer.chapter import choose_long_text, whole_chapter
from pages.inside_a_writer.clamp import choose_seed, clamped
from pages.inside_a_writer.connections import choose_measure, connections
from pages.inside_a_writer.one_unit import one_unit
from pages.inside_a_writer.search import choose_kind, choose_wanted, find_units_by_example
from pages.inside_a_writer.subject import choose_place, choose_text
from pages.inside_a_writer.units import choose_state, choose_unit, results, unit_of
from pages.shared import page
from pages.shared.models.book_models import snapshots_of
from pages.shared.ui.controls import choose_part
from pages.shared.ui.lesson import page_header, provenance, show_source, try_this
from pages.shared.ui.messages import errors_end_page

ONE, FIND, CHAPTER, CLAMP, CONNECTIVITY = "One unit", "Find", "Chapter", "Clamp", "Connectivity"
CODE = {
    ONE: (read_activations, ReadableLSTM),
    FIND: (correlations, find_units, chance_correlations, inside_quotation),
    CHAPTER: (BinnedActivations.of,),
    CLAMP: (ClampedLSTMCell, ReadableLSTM, next_quotation_mark),
    CONNECTIVITY: (input_gradient, occlusion),
}

page_header(
    "inside-a-writer",
    "This network only learned to predict the next character. Yet some of its 640 *units* mean"
    " something, because that helps to predict.",
)

# Controls -------------------------------------------------------------------------------------
screen = page.first_screen(picture=3.0)
with screen.controls:
    part = choose_part((ONE, FIND, CHAPTER, CLAMP, CONNECTIVITY))
    first, second = st.container(width="content"), st.container(width="content")
    more = st.popover("More", icon=":material/tune:")
    more.caption(
        "This page reads one shipped model. Which of its units mean something was found"
        " beforehand, by comparing all of them over long texts, and that takes longer than a"
        " visit: so a model of your own is not offered here. The pages *War and Peace* and"
        " *Surprisal* do take one."
    )
with errors_end_page():
    meta, _ = snapshots_of(MODEL)[-1], results()


# Picture and explanation ----------------------------------------------------------------------
@page.fragment
def units_of(meta: CheckpointMeta, part: str) -> None:
    """Draw the controls and the picture of a part; redrawn without the rest of the page."""
    with more if part in (FIND, CONNECTIVITY) else first:
        number = choose_unit(meta)
    with more if part == CHAPTER else second:
        subject = choose_text(meta, screen.picture)
    with more:
        unit = unit_of(number, choose_state())
    if part == ONE:
        one_unit(screen, subject, unit)
    elif part == FIND:
        with first:
            kind = choose_kind()
        with more:
            wanted = choose_wanted(subject, kind)
        find_units_by_example(screen, subject, unit, wanted)
    elif part == CHAPTER:
        with second:
            over = choose_long_text()
        whole_chapter(screen, subject, unit, over)
    elif part == CLAMP:
        with more:
            place, seed = choose_place("place", subject, "expect you"), choose_seed()
        clamped(screen, subject, unit, place, seed)
    else:
        with first:
            measure = choose_measure()
        with more:
            place = choose_place("connected_place", subject, "What does she say?")
        connections(screen, subject, measure, place)


units_of(meta, part)
provenance(meta)

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
