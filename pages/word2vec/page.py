"""How does a word get its vector? CBOW, trained in front of the class on a text that it knows."""

import streamlit as st

from lm_core.experiments.word2vec.full_softmax import (
    FullSoftmaxTraining,
    context_words,
    mean_of_context,
)
from lm_core.experiments.word2vec.recipes import LIBRARY_SKIP_GRAM
from lm_core.experiments.word2vec.short_text import RecordedTraining, centre_word_probabilities
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.word2vec.live import training_of
from pages.word2vec.snapshots import look_back
from pages.word2vec.texts import MADE, choose_material
from pages.word2vec.window import sliding_window

page_header(
    "word2vec",
    "A window slides over a text. The words around guess the one in the middle, and each wrong guess"
    " moves their vectors a little.",
)

# Controls and the window ----------------------------------------------------------------------
material = choose_material()
sliding_window(material)

# Predict --------------------------------------------------------------------------------------
st.subheader("The training", anchor=False)
is_shown = True
if material.kind == MADE:
    is_shown = predict_then_reveal(
        "company",
        "*king* and *ruler* never stand in the same sentence of this text. Will their vectors come"
        " to lie together?",
        (
            "No: they never meet",
            "Yes: they stand in the same places",
            "Only by chance",
        ),
        button="Go on",
    ).revealed

# Training and its snapshots ---------------------------------------------------------------------
if is_shown:
    training = training_of(material)
    if training is not None and training.losses:
        look_back(material, training)

# Two methods ----------------------------------------------------------------------------------
with st.expander("Two methods and a short cut"):
    n_words = len(material.short.vocabulary)
    st.markdown(
        f"""
- **CBOW** tells the middle from the mean of its neighbours, **skip-gram** tells each neighbour from
  the middle. Both keep two tables: vectors that are *input*, and vectors that are *output*.
- Here every guess is held against all **{n_words:,}** words: the *full softmax*, as in the source. Its
  cost grows with the vocabulary, so this page stops at a few hundred words.
- For all words of a library that is too much. There skip-gram with *negative sampling* takes a short
  cut: each true neighbour is told from {LIBRARY_SKIP_GRAM.training.negatives} words drawn at random,
  and all others are left alone.
- Nothing in either says that a king is like a ruler. That follows: words that fill the same gaps must
  give the same guesses, and get like vectors.
"""
    )

# Code and suggestions -------------------------------------------------------------------------
show_source(
    context_words, mean_of_context, FullSoftmaxTraining, RecordedTraining, centre_word_probabilities
)
try_this(
    [
        "Play the snapshots of the made text: which group finds together first, which last?",
        "Set the window to 1 and train again. Which groups can no longer be told apart, and why?",
        "Give the vectors 2 numbers: how far does the loss fall, and what has no room?",
        "Paste a fairy tale. Are its hero and its villain near each other? They keep the same company.",
        "Allow longer vectors under *More*: what becomes of the loss?",
    ]
)
