"""What goes in, what comes out? Recurrent networks between vectors and sequences, live."""

import streamlit as st

from lm_core.experiments.sequence_models.inference import (
    reverse_word,
    sample_word,
    speech_probabilities,
)
from lm_core.models.seq2seq import NameGenerator, SentenceClassifier, WordReverser
from lm_core.training.checkpoints import SHIPPED
from pages.sequence_models.library import BACK, READERS, WRITER
from pages.sequence_models.sentence_to_class import sentence_to_class
from pages.sequence_models.vector_to_word import vector_to_word
from pages.sequence_models.word_to_word import word_to_word
from pages.shared.ui.controls import control
from pages.shared.ui.figures import download_checkpoint
from pages.shared.ui.lesson import page_header, show_source, try_this

SHAPES = ("Vector to sequence", "Sequence to vector", "Sequence to sequence")

page_header(
    "sequence-models",
    "The same recurrent step, three ways: a word from a vector, a verdict from a sentence, a word"
    " from a word. All three were trained, small as they are.",
)

# Controls, picture, explanation ---------------------------------------------------------------
shape = control(
    st.pills,  # on a phone they stand on two lines, which a segmented control is not made for
    "shape",
    "Which",
    SHAPES,
    default=SHAPES[0],
    required=True,
    label_visibility="collapsed",
)
if shape == SHAPES[1]:
    sentence_to_class()
    code, names = (SentenceClassifier, speech_probabilities), tuple(READERS)
    suggestions = [
        "Begin your sentence with *I* or *you*, then with *he* or *she*: after how many characters"
        " do the readers make up their minds?",
        "Put the telling word first and add many plain ones. Which reader forgets it?",
        "Write the same words in another order.",
    ]
elif shape == SHAPES[2]:
    word_to_word()
    code, names = (WordReverser, reverse_word), (BACK,)
    suggestions = [
        "Add one letter at a time to a word. Which letters get lost first, the early or the late?",
        "Try *aaaaaaaa*, then *abababab*: is repetition easy or hard?",
        "Try your name from back to front. Does it come back as you know it?",
    ]
else:
    vector_to_word()
    code, names = (NameGenerator, sample_word), (WRITER,)
    suggestions = [
        "Slide from a word to a name with the same seed. Where does it turn?",
        "Lower the temperature to 0.1: what is left of chance?",
        "Ask for 12 letters, then for 3. Does it keep count?",
    ]

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
with st.container(horizontal=True):
    for name in names:
        download_checkpoint(SHIPPED / name, label=f"Checkpoint {name}", key=f"checkpoint_{name}")
try_this(suggestions)
