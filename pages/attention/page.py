"""Attention heads: every head of a transformer trained on War and Peace, on the visitor's sentence."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.attention_cell import attention_cell
from lm_core.analysis.attention_trace import Intervention, trace_attention
from lm_core.analysis.head_ablation import ablate_heads
from lm_core.analysis.head_patterns import pattern_targets
from lm_core.models import gpt
from lm_core.models.attention import attend
from lm_core.models.multi_head_attention import MultiHeadAttention
from pages.attention import settings
from pages.attention.cell_in_numbers import cell_in_numbers
from pages.attention.consequences import consequences, loss_line
from pages.attention.head_numbers import one_number_a_head
from pages.attention.head_patterns import head_patterns
from pages.attention.heads import all_heads, heads_data
from pages.attention.induction import induction
from pages.attention.interventions import choose_intervention
from pages.attention.one_head import choose_key, choose_query, whole_map
from pages.attention.picture import ask_about_mask, finding, next_token, row_data, stages_of_row
from pages.attention.traces import Choice
from pages.shared import page
from pages.shared.models.head_links import link_to_block
from pages.shared.models.language_models import name_damaged
from pages.shared.models.read_sentences import Sentence
from pages.shared.ui.lesson import page_header, provenance, show_source, try_this

page_header(
    "attention",
    "A transformer reads your sentence. Each *attention head* decides, for every token, how much"
    " of each earlier token goes into its new vector, so that the same word has another vector in"
    " another sentence.",
)

name_damaged()


class Places(NamedTuple):
    """Where the first screen holds what is drawn by itself."""

    more: DeltaGenerator
    picture: DeltaGenerator
    beside: DeltaGenerator


# Controls, and all that follows the sentence ----------------------------------------------------
@page.fragment
def reading(provenance_place: DeltaGenerator) -> None:
    """Draw what the model reads and all that it makes of it; redrawn without the page around it."""
    screen = page.first_screen(picture=2.2 if page.is_presenting() else 2.6)
    with screen.controls:
        sentence_place = st.container(horizontal=True, vertical_alignment="bottom", width="stretch")
        more = st.popover("More", icon=":material/tune:")
    with sentence_place:
        sentence = settings.choose_sentence(more, screen.picture)
    with screen.picture:
        picture = st.container(gap="xsmall")
    with screen.beside:
        beside = st.container(gap="small")
    heads_and_cells(sentence, Places(more, picture, beside))
    head_patterns(sentence)
    with provenance_place:
        provenance(sentence.meta)


# Picture, and all that follows the head and the token ------------------------------------------
@partial(page.fragment, key=settings.HEADS)
def heads_and_cells(sentence: Sentence, places: Places) -> None:
    """Draw all heads, one head, one cell, and what a change does; redrawn without the rest."""
    with places.more:
        model = sentence.meta.snapshot_of or sentence.meta.name
        first = settings.first_head(model)
        layer = settings.choose_one_of("layer", model, sentence.config.layers, first[0])
        head = settings.choose_one_of("head", model, sentence.config.heads, first[1])
        intervention = choose_intervention(sentence.config)
        # Each fragment makes a choice of its own: kept between runs, it would keep all that it led to.
        chosen = partial(Choice, sentence, layer, head, intervention, settings.choose_sink())
    choice = chosen()
    with places.beside:
        all_heads(choice)
        asked = ask_about_mask(choice)
        if not asked.masks or intervention.is_causal is None:
            loss_line(choice)
    one_query(chosen, places)
    if not asked.masks:
        consequences(choice)
    one_number_a_head(choice)


@page.fragment
def one_query(chosen: Callable[[], Choice], places: Places) -> None:
    """Draw what one query attends to in the chosen head; redrawn without the other heads."""
    choice = chosen()
    with places.more:
        query = choose_query(choice)
    with places.picture:
        st.markdown(f"**{finding(choice, query)}**")
        stages_of_row(choice, query)
        next_token(choice, query)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("One head, every cell", anchor=False)
        st.caption("Numbers of the pictures above: heads, then the query's row.")
        heads_data(choice)
        row_data(choice, query)
        link_to_block(choice.sentence, choice.layer, query)
    left, right = st.columns([1, 1], gap="medium")
    with right:
        key = choose_key(choice, query)
        cell_in_numbers(choice, query, key)
    with left:
        whole_map(choice, (query, key))


body, training, provenance_place = (st.container() for _ in range(3))
with body:
    reading(provenance_place)
with training:
    induction()

# Code and suggestions -------------------------------------------------------------------------
show_source(
    attend,
    MultiHeadAttention,
    attention_cell,
    trace_attention,
    Intervention,
    ablate_heads,
    pattern_targets,
    gpt,
)
try_this()
