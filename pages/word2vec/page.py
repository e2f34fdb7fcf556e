"""word2vec: how a word gets its vector. CBOW or skip-gram, trained in front of the class on a text that it knows."""

import streamlit as st

from lm_core.experiments.word2vec.full_softmax import (
    FullSoftmaxTraining,
    context_words,
    mean_of_context,
)
from lm_core.experiments.word2vec.negative_sampling import skip_gram_loss
from lm_core.experiments.word2vec.recipes import SKIP_GRAM_NEGATIVES
from lm_core.experiments.word2vec.short_text import RecordedTraining, centre_word_probabilities
from pages.shared.ui.lesson import page_header, show_source, try_this
from pages.word2vec.method import choose_method
from pages.word2vec.run import trained_by_worker
from pages.word2vec.snapshots import look_back
from pages.word2vec.text import SYNTHETIC, choose_material
from pages.word2vec.training import trained_here
from pages.word2vec.window import sliding_window

page_header(
    "word2vec",
    "*Context words* predict the *centre word*, and each error moves their vectors a little, so"
    " that the next guess is better.",
)

# Controls and the window ----------------------------------------------------------------------
material = choose_material()
sliding_window(material)

# Training and its snapshots ---------------------------------------------------------------------
st.header("Train it yourself", anchor=False)
material = choose_method(material)
train = trained_here if material.kind == SYNTHETIC else trained_by_worker
training = train(material)
if training is not None and training.losses:
    look_back(material, training)

# Two methods ----------------------------------------------------------------------------------
with st.expander("Two methods and a short cut"):
    n_words = len(material.short.vocabulary)
    st.markdown(
        f"""
- **CBOW** predicts the centre word from the mean of its context, **skip-gram** predicts each context
  word from the centre word. Both learn an *input* and an *output embedding* for each word.
- For CBOW this page computes the probability of all **{n_words:,}** words: the *full softmax*. Its cost grows
  with the vocabulary, so the page stops at a few hundred words.
- *Negative sampling* is cheaper. Skip-gram is trained with it here: it only learns to tell the true context word apart from
  {SKIP_GRAM_NEGATIVES} random ones; the vectors of all other words stay as they are.
- Nobody tells either method that a king is like a ruler. Words in the same contexts must give the same
  predictions, so they get similar vectors.
- With *v* for input and *u* for output embeddings, CBOW takes the mean $\\bar v$ of its context, and skip-gram
  turns to each context word *o* of a centre word *c*:

$$
P(c \\mid \\text{{context}}) = \\frac{{e^{{u_c \\cdot \\bar v}}}}{{\\sum_w e^{{u_w \\cdot \\bar v}}}},
\\qquad
P(o \\mid c) = \\frac{{e^{{u_o \\cdot v_c}}}}{{\\sum_w e^{{u_w \\cdot v_c}}}}
$$

Only products of *u* and *v* occur. Two words with the same company need the same products with all *u*, so
their *v* point the same way, and that is what the cosine measures.
"""
    )

# Code and suggestions -------------------------------------------------------------------------
show_source(
    context_words,
    mean_of_context,
    FullSoftmaxTraining,
    skip_gram_loss,
    RecordedTraining,
    centre_word_probabilities,
)
try_this()
