"""Attention heads: every head of a transformer trained on War and Peace, on the visitor's sentence."""

import streamlit as st

from lm_core.analysis.attention_cell import attention_cell
from lm_core.analysis.attention_trace import Intervention, trace_attention
from lm_core.analysis.head_ablation import ablate_heads
from lm_core.analysis.head_patterns import pattern_targets
from lm_core.models.attention import attend
from lm_core.models.multi_head_attention import MultiHeadAttention
from pages.attention.consequences import consequences, loss_line, mask_answer
from pages.attention.heads import all_heads, head_patterns, one_number_a_head
from pages.attention.one_head import cell_in_numbers, choose_key, choose_query, row, whole_map
from pages.attention.settings import (
    choose_intervention,
    choose_one_of,
    choose_sentence,
    choose_sink,
    first_head,
)
from pages.attention.traces import Choice, Sentence
from pages.shared.models import name_damaged
from pages.shared.turns import fragment
from pages.shared.ui.lesson import (
    page_header,
    predict_then_reveal,
    provenance,
    show_source,
    try_this,
)

page_header(
    "attention",
    "A transformer trained on *War and Peace* reads your sentence. Each *attention head* computes,"
    " for every character, how much weight each earlier character gets.",
)

name_damaged()

# Controls -------------------------------------------------------------------------------------
sentence = choose_sentence()


# Picture, and all that follows the head and the token ------------------------------------------
@fragment
def heads_and_cells(sentence: Sentence) -> None:
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
    """Ask what the mask is good for, then show what any change does; return whether it is revealed."""
    st.subheader("What does a change do?", anchor=False)
    prediction = predict_then_reveal(
        "mask",
        "The mask is removed while the model reads: every character attends to the characters that"
        " it has to predict. What happens to the loss on this sentence?",
        (
            "It falls to almost nothing: the model sees the answer",
            "It hardly changes",
            "It rises: the model never learned to use what is ahead",
        ),
    )
    if prediction.revealed:
        st.markdown(mask_answer(choice))
        consequences(choice, query)
    return prediction.revealed


heads_and_cells(sentence)
head_patterns(sentence)

# Code and suggestions -------------------------------------------------------------------------
provenance(sentence.meta)
show_source(
    attend,
    MultiHeadAttention,
    attention_cell,
    trace_attention,
    Intervention,
    ablate_heads,
    pattern_targets,
)
try_this(
    [
        "Find a head that attends to the previous letter, and one that attends to the start of the"
        " word. Type a sentence with the same word twice: does a head attend to the first one?",
        "Click the last letter of a word in the middle of the sentence, then go through the heads"
        " with the arrow keys. Which of them attend to the start of the word?",
        "Ablate the head that the sentence needs most, then the next one. Do the losses add up?",
        "Switch the division by √d off and read the slope of the softmax. Then raise the temperature"
        " until the slope is as before.",
        "Hide the first token and renormalise. Which heads have weight left on other tokens?",
    ]
)
