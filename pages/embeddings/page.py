"""Word embeddings: neighbours, analogies, maps, and how far they can be trusted."""

import streamlit as st

from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.shared_contexts import Concordance
from lm_core.analysis.t_sne import divergence_and_gradient, neighbour_probabilities
from lm_core.analysis.word_associations import association_test, associations
from lm_core.analysis.word_space import WordSpace, odd_one_out
from pages.embeddings.analogies import analogies
from pages.embeddings.associations import bias_test
from pages.embeddings.comparisons import word_list
from pages.embeddings.contexts import shared_contexts
from pages.embeddings.files import agreement_with_people, vector_files, vectors_provenance
from pages.embeddings.map import word_map
from pages.embeddings.neighbours import neighbours
from pages.embeddings.over_time import over_time
from pages.embeddings.own_vectors import say_what_was_read
from pages.embeddings.vectors import is_own
from pages.embeddings.word_choice import choose
from pages.shared.models.language_models import name_damaged
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this

MAP, NEIGHBOURS = "Map", "Neighbours"
WORD_LIST, ANALOGIES, BIAS = "Several words", "Analogies", "Bias test"
CONTEXTS, TRAINING = "Shared contexts", "During training"
_CODE: dict[str, Sources] = {
    MAP: (
        principal_components,
        neighbourhood_preservation,
        neighbour_probabilities,
        divergence_and_gradient,
    ),
    NEIGHBOURS: (WordSpace,),
    WORD_LIST: (WordSpace.matrix, odd_one_out),
    ANALOGIES: (WordSpace.analogy, principal_components),
    BIAS: (associations, association_test),
    CONTEXTS: (Concordance.shared,),
    TRAINING: (WordSpace.nearest,),
}
_OF_CHOICE = {
    WORD_LIST: word_list,
    ANALOGIES: analogies,
    BIAS: bias_test,
    CONTEXTS: shared_contexts,
    TRAINING: over_time,
}

page_header(
    "embeddings",
    "A *word embedding* is a vector of numbers, learned from the words nearby, so words in"
    " similar contexts get similar vectors.",
)

name_damaged()

# Controls -------------------------------------------------------------------------------------
top = st.container(key="part_controls", horizontal=True, vertical_alignment="bottom")
with top:
    part = choose_part(list(_CODE))
screen = first_screen(picture=3.0, beside=1.0) if part == NEIGHBOURS else None
if part != MAP:
    with screen.controls if screen else top:
        choice, _ = choose(has_words=part not in (WORD_LIST, ANALOGIES, BIAS))

# Picture and explanation ----------------------------------------------------------------------
if part == MAP:
    choice = word_map()
elif screen is not None:
    neighbours(choice, screen)
else:
    _OF_CHOICE[part](choice)

# Files, code and suggestions ------------------------------------------------------------------
if is_own(choice.meta):
    say_what_was_read()
else:
    st.caption(vectors_provenance(choice.meta, len(choice.vocabulary)))
vector_files(choice)
agreement_with_people()
show_source(*_CODE[part])
try_this(part)
