"""Which words are alike? Word vectors: neighbours, analogies, maps, and how far they can be trusted."""

import streamlit as st

from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.shared_contexts import Concordance
from lm_core.analysis.t_sne import divergence_and_gradient, neighbour_probabilities
from lm_core.analysis.word_space import WordSpace, odd_one_out
from lm_core.errors import CheckpointError
from pages.embeddings.analogies import analogies
from pages.embeddings.atlas import atlas
from pages.embeddings.choices import choose
from pages.embeddings.files import agreement_with_people, vector_files, vectors_provenance
from pages.embeddings.library import models
from pages.embeddings.neighbours import neighbours
from pages.embeddings.over_time import over_time
from pages.embeddings.several import several
from pages.embeddings.why import why
from pages.shared.ui.controls import choose_part
from pages.shared.ui.lesson import page_header, show_source, try_this

PARTS = ("Neighbours", "Several words", "Analogies", "Map", "Why close?", "While it learned")

page_header(
    "embeddings",
    "Each word is a row of numbers, learned from the company that it keeps. Words in like company"
    " point in like directions.",
)
try:
    models()
except CheckpointError as error:
    st.error(str(error))
    st.stop()

# Controls -------------------------------------------------------------------------------------
part = choose_part(PARTS)
choice = choose(has_words=part not in ("Several words", "Analogies"))

# Picture and explanation ----------------------------------------------------------------------
if part == "Several words":
    several(choice)
    code = (WordSpace.matrix, odd_one_out)
    suggestions = [
        "Guess the odd one out before you look, then swap the tables: do both agree with you?",
        "Type the names of your class's favourite food and one tool. Is the tool found?",
        "Take *two three four red blue green*: which is the odd one out when nobody is?",
    ]
elif part == "Analogies":
    analogies(choice)
    code = (WordSpace.analogy, principal_components)
    suggestions = [
        "Swap b and c. Why is the answer another one?",
        "Look at how often the answer without the rule is one of the three words themselves.",
        "Choose the vectors trained on the book alone: how many of the known analogies are left?",
    ]
elif part == "Map":
    atlas(choice)
    code = (
        principal_components,
        neighbourhood_preservation,
        neighbour_probabilities,
        divergence_and_gradient,
    )
    suggestions = [
        "Find a word that is near on the PCA map and no true neighbour. Click it: what are its own?",
        "Run t-SNE with perplexity 3, then 50, then with another seed. What stays the same?",
        "Turn the 3-D map until a false neighbour moves away. How many more does it keep?",
        "Make an axis from *small little* to *great large*. Where does *king* lie, where *child*?",
    ]
elif part == "Why close?":
    why(choice)
    code = (Concordance.shared,)
    suggestions = [
        "Compare *tea* with *coffee*, then *tea* with *horse*: how many words are near both?",
        "Narrow the window to 1: which words are left, and what kind of words are they?",
        "Go to the last page: why do *the* and *of* say nothing?",
    ]
elif part == "While it learned":
    over_time(choice)
    code = (WordSpace.nearest,)
    suggestions = [
        "At 0 % all vectors are random: how large is the largest cosine, and why is it not 0?",
        "Press play: when does the first neighbour of the end appear?",
        "Compare skip-gram with the CBOW of the book: which knows its neighbours sooner?",
    ]
else:
    neighbours(choice)
    code = (WordSpace,)
    suggestions = [
        "Look up *france*, *tea* and *seven*. For which are all neighbours of one kind, and why?",
        "Seek among all words instead of the commonest: who are the strangers that come up?",
        "Subtract the mean: do the neighbours change, or only the numbers?",
        "Compare *good* with *bad*. Opposites keep the same company: what can a cosine not tell?",
    ]

# Files, code and suggestions ------------------------------------------------------------------
st.caption(vectors_provenance(choice.meta, len(choice.vocabulary)))
vector_files(choice)
agreement_with_people()
show_source(*code)
try_this(suggestions)
