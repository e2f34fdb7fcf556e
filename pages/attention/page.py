"""Where does it look? Every head of a transformer that has read War and Peace, on your sentence."""

import streamlit as st

from lm_core.analysis.attention_cell import attention_cell
from lm_core.analysis.attention_trace import Intervention, trace_attention
from lm_core.analysis.head_ablation import ablate_heads
from lm_core.analysis.head_patterns import pattern_targets
from lm_core.errors import CheckpointError
from lm_core.models.attention import attend
from pages.attention.choices import (
    Choice,
    Sentence,
    choose_intervention,
    choose_one_of,
    choose_sentence,
    choose_sink,
)
from pages.attention.consequences import consequences, loss_line, mask_answer
from pages.attention.does import what_heads_do
from pages.attention.formula import cell_in_numbers
from pages.attention.library import moments
from pages.attention.measured import first_head
from pages.attention.measures import one_number_a_head
from pages.attention.one_head import choose_key, choose_query, row, whole_map
from pages.attention.pictures import all_heads
from pages.shared.ui.lesson import (
    page_header,
    predict_then_reveal,
    provenance,
    show_source,
    try_this,
)

page_header(
    "attention",
    "A transformer that has read *War and Peace* reads your sentence. Each *head* has its own way of"
    " looking back.",
)
try:
    moments()
except CheckpointError as error:
    st.error(str(error))
    st.stop()

# Controls -------------------------------------------------------------------------------------
sentence = choose_sentence()


# Picture, and all that follows the head and the token ------------------------------------------
@st.fragment
def looking(sentence: Sentence) -> None:
    """Draw all heads, one head, one cell, and what a change does; redrawn without the rest."""
    beside, middle = st.columns([1, 3], gap="medium")
    columns = st.columns([1.45, 2.75, 3], gap="medium", vertical_alignment="bottom")
    first = first_head(sentence.meta)
    with columns[0]:
        layer = choose_one_of("layer", sentence.config.layers, first[0])
    with columns[1]:
        head = choose_one_of("head", sentence.config.heads, first[1])
    with beside:
        intervention = choose_intervention(sentence.config, (layer, head))
        note = st.container()
        choice = Choice(sentence, layer, head, intervention, choose_sink())
    with middle, st.container(gap=None):
        all_heads(choice)
    with columns[2]:
        query = choose_query(choice)
    with st.container(gap=None):
        row(choice, query)
    left, right = st.columns([1, 1], gap="medium")
    with right:
        key = choose_key(choice, query)
        cell_in_numbers(choice, query, key)
    with left:
        whole_map(choice, (query, key))
    if what_if(choice, query) or intervention.is_causal is None:
        with note:
            loss_line(choice)
    one_number_a_head(choice)


def what_if(choice: Choice, query: int) -> bool:
    """Ask what the mask is good for, then show what any change does; return whether it may be seen."""
    st.subheader("What if it were otherwise?", anchor=False)
    prediction = predict_then_reveal(
        "mask",
        "The mask is taken off while the model reads, so that every character may look at those it"
        " is to predict. What happens to the loss on this sentence?",
        (
            "It falls to almost nothing: the answer is in sight",
            "It hardly changes",
            "It rises: it never learned to look ahead",
        ),
    )
    if prediction.revealed:
        st.markdown(mask_answer(choice))
        consequences(choice, query)
    return prediction.revealed


looking(sentence)
what_heads_do(sentence)

# Code and suggestions -------------------------------------------------------------------------
provenance(sentence.meta)
show_source(attend, attention_cell, trace_attention, Intervention, ablate_heads, pattern_targets)
try_this(
    [
        "Find a head that looks at the letter before, and one that looks at the start of the word."
        " Type a sentence in which the same word stands twice: does any head go back to it?",
        "Click the last letter of a word in the middle of the sentence, then walk through the heads"
        " with the arrow keys: which of them knows where the word began?",
        "Knock out the head that the sentence needs most, then the next one: do the losses add up?",
        "Take the division by √d away and look at the slope of the softmax; then raise the"
        " temperature until it is back where it was.",
        "Hide the first token and renormalise: which heads have something left to say?",
    ]
)
